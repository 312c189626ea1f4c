/** Netty's buffers, allocator and futures for programs that have them. */
module dev.peregrine.netty {
  requires transitive dev.peregrine.server;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common;
  requires static org.jspecify;

  exports dev.peregrine.netty;
}
