/** Header compression for HTTP/2 (RFC 7541): the decoder, and the primitives of an encoder. */
@NullMarked
package dev.peregrine.parser.hpack;

import org.jspecify.annotations.NullMarked;
