package dev.peregrine.examples;

import io.avaje.jsonb.Json;

/** The response to {@code GET /json}; avaje-jsonb generates its adapter when this is compiled. */
// snippet: message
@Json
record Message(String message) {}
// end
