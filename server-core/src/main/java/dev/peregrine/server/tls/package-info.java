/**
 * TLS between the sockets and the protocol of an endpoint, and the seam for its engines: {@link
 * dev.peregrine.server.tls.TlsEngine}, {@link dev.peregrine.server.tls.TlsContext}, {@link
 * dev.peregrine.server.tls.TlsSession}.
 */
@NullMarked
package dev.peregrine.server.tls;

import org.jspecify.annotations.NullMarked;
