/** Scanners of bytes one by one, eight by eight, or in vectors, after one interface. */
@NullMarked
package dev.peregrine.parser.scan;

import org.jspecify.annotations.NullMarked;
