/** Received content: its lines, and pieces that are retained. */
@NullMarked
package dev.peregrine.bench.lines;

import org.jspecify.annotations.NullMarked;
