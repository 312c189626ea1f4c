/** The cost of metrics. */
@NullMarked
package dev.peregrine.bench.metrics;

import org.jspecify.annotations.NullMarked;
