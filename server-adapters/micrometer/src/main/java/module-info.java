/** The metrics of a server as meters of Micrometer, and its requests as observations. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // has no descriptor
module dev.peregrine.micrometer {
  requires transitive dev.peregrine.observe;
  requires transitive micrometer.commons;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;
  requires static org.jspecify;

  exports dev.peregrine.micrometer;
}
