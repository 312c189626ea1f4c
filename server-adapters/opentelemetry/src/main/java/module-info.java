/** Spans of requests by the conventions of OpenTelemetry. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // has no descriptor
module dev.peregrine.opentelemetry {
  requires transitive dev.peregrine.http;
  requires io.opentelemetry.context;
  requires transitive io.opentelemetry.api;
  requires static org.jspecify;

  exports dev.peregrine.opentelemetry;
}
