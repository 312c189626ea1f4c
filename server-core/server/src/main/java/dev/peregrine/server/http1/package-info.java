/** HTTP/1.x on a connection (RFC 9112): parsing, framing, encoding, persistence, tunnels. */
@NullMarked
package dev.peregrine.server.http1;

import org.jspecify.annotations.NullMarked;
