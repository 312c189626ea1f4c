/**
 * Servers whose handlers block, to be measured beside each other by {@code src/blocking/run.py}.
 */
@NullMarked
package dev.peregrine.bench.blocking;

import org.jspecify.annotations.NullMarked;
