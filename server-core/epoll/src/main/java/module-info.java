/**
 * Socket I/O by Linux's epoll, also of handlers' clients, the hand-over of listening sockets
 * between processes, and systemd.
 */
module dev.peregrine.epoll {
  requires transitive dev.peregrine.server;
  requires dev.peregrine.linux;
  requires static org.jspecify;

  exports dev.peregrine.server.epoll;
  exports dev.peregrine.server.handover;
  exports dev.peregrine.server.sockets;
}
