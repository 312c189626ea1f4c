/** The cost of idle connections. */
@NullMarked
package dev.peregrine.bench.idle;

import org.jspecify.annotations.NullMarked;
