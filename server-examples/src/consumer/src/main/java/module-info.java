module app {
  requires dev.peregrine.server;
}
