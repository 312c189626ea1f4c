/** Bytes looked at one by one, eight by eight, or in vectors: the seam that hides which. */
@NullMarked
package dev.peregrine.parser.scan;

import org.jspecify.annotations.NullMarked;
