/**
 * TLS between the sockets and the protocol of an endpoint, and the seam for its engines: {@link
 * dev.peregrine.server.tls.layer.TlsEngine}, {@link dev.peregrine.server.tls.layer.TlsContext},
 * {@link dev.peregrine.server.tls.layer.TlsSession}.
 */
@NullMarked
package dev.peregrine.server.tls.layer;

import org.jspecify.annotations.NullMarked;
