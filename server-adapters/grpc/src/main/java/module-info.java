/** gRPC services of {@code io.grpc} on a server. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // has no descriptor
module dev.peregrine.grpc {
  requires transitive dev.peregrine.server;
  requires dev.peregrine.http2;
  requires transitive dev.peregrine.tls;
  requires transitive io.grpc;
  requires static org.jspecify;

  exports dev.peregrine.grpc;
}
