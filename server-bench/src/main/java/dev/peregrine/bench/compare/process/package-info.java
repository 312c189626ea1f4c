/** The processes of a comparison and the processors they run on. */
@NullMarked
package dev.peregrine.bench.compare.process;

import org.jspecify.annotations.NullMarked;
