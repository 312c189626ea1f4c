/** The metrics of a server as meters of Micrometer. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // has no descriptor
module dev.peregrine.micrometer {
  requires transitive dev.peregrine.observe;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports dev.peregrine.micrometer;
}
