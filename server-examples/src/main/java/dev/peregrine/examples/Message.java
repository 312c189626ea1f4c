package dev.peregrine.examples;

import io.avaje.jsonb.Json;

/** What {@code GET /json} answers; avaje-jsonb generates its adapter when this is compiled. */
// snippet: message
@Json
record Message(String message) {}
// end
