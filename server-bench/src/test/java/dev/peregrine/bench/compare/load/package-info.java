/** Tests of the generators. */
@NullMarked
package dev.peregrine.bench.compare.load;

import org.jspecify.annotations.NullMarked;
