/** Access log, metrics and events of the Flight Recorder. */
module dev.peregrine.observe {
  requires static jdk.jfr;
  requires java.management;
  requires transitive dev.peregrine.server;
  requires static org.jspecify;

  exports dev.peregrine.server.accesslog;
  exports dev.peregrine.server.jfr;
  exports dev.peregrine.server.metrics;
}
