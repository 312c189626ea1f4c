/** Tests of spans. */
@NullMarked
package dev.peregrine.opentelemetry;

import org.jspecify.annotations.NullMarked;
