/** HTTP/1.1: requests, their bodies, the order and the encoding of responses (RFC 9112). */
@NullMarked
package dev.peregrine.server.http1;

import org.jspecify.annotations.NullMarked;
