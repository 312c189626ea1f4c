/** The adapter to Micrometer, tested with Prometheus. */
@NullMarked
package dev.peregrine.micrometer;

import org.jspecify.annotations.NullMarked;
