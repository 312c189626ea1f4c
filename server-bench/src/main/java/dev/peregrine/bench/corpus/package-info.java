/** The request heads that are parsed: fixed ones, and thousands that differ. */
@NullMarked
package dev.peregrine.bench.corpus;

import org.jspecify.annotations.NullMarked;
