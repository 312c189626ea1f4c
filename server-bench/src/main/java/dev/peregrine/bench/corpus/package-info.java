/** Bytes that clients send: fixed request heads, thousands that differ, and frames. */
@NullMarked
package dev.peregrine.bench.corpus;

import org.jspecify.annotations.NullMarked;
