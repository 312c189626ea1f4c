/** HTTP semantics (RFC 9110): exchanges, and the stream that a protocol version carries each on. */
@NullMarked
package dev.peregrine.server.exchange;

import org.jspecify.annotations.NullMarked;
