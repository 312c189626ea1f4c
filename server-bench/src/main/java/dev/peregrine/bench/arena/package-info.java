/**
 * An entry for HttpArena, a public comparison of servers: {@code server-bench/arena} has the rest.
 */
@NullMarked
package dev.peregrine.bench.arena;

import org.jspecify.annotations.NullMarked;
