/** Tests of child processes. */
@NullMarked
package dev.peregrine.bench.compare.process;

import org.jspecify.annotations.NullMarked;
