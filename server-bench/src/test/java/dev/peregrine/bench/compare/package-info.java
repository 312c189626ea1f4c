/** Tests of the comparison. */
@NullMarked
package dev.peregrine.bench.compare;

import org.jspecify.annotations.NullMarked;
