/** Scanners of bytes one by one, eight by eight, or in vectors, behind one interface. */
@NullMarked
package dev.peregrine.parser.scan;

import org.jspecify.annotations.NullMarked;
