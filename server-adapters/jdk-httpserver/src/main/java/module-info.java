/** Runs programs that use {@code com.sun.net.httpserver} on Peregrine. */
module dev.peregrine.jdk.httpserver {
  requires transitive jdk.httpserver;
  requires dev.peregrine;
  requires static transitive org.jspecify;

  exports dev.peregrine.jdk.httpserver;

  provides com.sun.net.httpserver.spi.HttpServerProvider with
      dev.peregrine.jdk.httpserver.PeregrineHttpServerProvider;
}
