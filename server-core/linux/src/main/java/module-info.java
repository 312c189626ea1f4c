/** System calls of Linux, for the modules of Peregrine. */
@SuppressWarnings("module") // those that packages are exported to are built later
module dev.peregrine.linux {
  requires transitive dev.peregrine.http;
  requires static org.jspecify;

  exports dev.peregrine.linux to
      dev.peregrine.epoll,
      dev.peregrine.web;
}
