/** TLS for the server, by the system's OpenSSL or the JDK. */
module dev.peregrine.tls {
  requires transitive dev.peregrine.server;
  requires static org.jspecify;

  exports dev.peregrine.server.tls;
}
