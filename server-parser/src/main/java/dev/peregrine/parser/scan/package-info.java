/** The seam behind which bytes are looked at one by one, eight by eight, or in vectors. */
@NullMarked
package dev.peregrine.parser.scan;

import org.jspecify.annotations.NullMarked;
