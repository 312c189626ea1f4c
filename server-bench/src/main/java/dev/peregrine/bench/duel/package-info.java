/** Our parser and native ones, taking turns in one process. */
@NullMarked
package dev.peregrine.bench.duel;

import org.jspecify.annotations.NullMarked;
