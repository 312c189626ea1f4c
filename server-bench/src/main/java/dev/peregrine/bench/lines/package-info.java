/** Lines out of arriving content. */
@NullMarked
package dev.peregrine.bench.lines;

import org.jspecify.annotations.NullMarked;
