/** Spans of requests by the conventions of OpenTelemetry. */
@NullMarked
package dev.peregrine.opentelemetry;

import org.jspecify.annotations.NullMarked;
