/** How often a request's head arrives in pieces. */
@NullMarked
package dev.peregrine.bench.partial;

import org.jspecify.annotations.NullMarked;
