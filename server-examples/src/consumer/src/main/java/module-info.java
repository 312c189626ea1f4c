module app {
  requires dev.peregrine;
}
