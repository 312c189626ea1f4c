/** Tests of the entry for HttpArena. */
@NullMarked
package dev.peregrine.bench.arena;

import org.jspecify.annotations.NullMarked;
