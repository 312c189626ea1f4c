package dev.peregrine.server.http2;

import dev.peregrine.server.http2.flow.InboundWindows;
import dev.peregrine.server.http2.stream.LoopParts;
import dev.peregrine.server.http2.stream.Trunk;

/** The settings and windows of this server, which precede all its other frames. */
final class ServerPreface {
  private final LoopParts loop;
  private final Trunk trunk;
  private final InboundWindows windows;
  private boolean sent;

  ServerPreface(LoopParts loop, Trunk trunk, InboundWindows windows) {
    this.loop = loop;
    this.trunk = trunk;
    this.windows = windows;
  }

  /** Sends the preface unless it was sent. */
  void send() {
    if (!sent) {
      sent = true;
      loop.control().begin(trunk.out(), loop.settings(), windows.begin());
    }
  }
}
