/** Arbitrary bytes, and what has to hold whatever they are. */
@NullMarked
package dev.peregrine.server.fuzz;

import org.jspecify.annotations.NullMarked;
