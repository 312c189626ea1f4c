/** What connections cost that nobody uses at present. */
@NullMarked
package dev.peregrine.bench.idle;

import org.jspecify.annotations.NullMarked;
