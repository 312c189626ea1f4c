/** Tests of header compression. */
@NullMarked
package dev.peregrine.parser.hpack;

import org.jspecify.annotations.NullMarked;
