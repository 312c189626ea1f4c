/** Tests of handlers in memory. */
module dev.peregrine.testing {
  requires transitive dev.peregrine.server;
  requires static org.jspecify;

  exports dev.peregrine.server.testing;
}
