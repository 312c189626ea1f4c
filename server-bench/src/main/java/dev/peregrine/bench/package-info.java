/** Benchmarks. */
@NullMarked
package dev.peregrine.bench;

import org.jspecify.annotations.NullMarked;
