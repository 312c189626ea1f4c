/** HTTP/2 (RFC 9113): frames, streams, windows, and the order of their output. */
@NullMarked
package dev.peregrine.server.http2;

import org.jspecify.annotations.NullMarked;
