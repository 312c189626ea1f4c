package dev.peregrine.server.tls.layer;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The state that the TLS connections of one endpoint share on one event loop. */
final class TlsLoop {
  /** The largest number of sources that one write gathers; the rest waits for the next write. */
  static final int SOURCES_MAX = 64;

  final EventLoop loop;
  final CurrentContext current;
  final TlsScratch scratch = new TlsScratch();
  final ByteBuffer nothing = ByteBuffer.allocateDirect(0);
  final ByteBuffer[] single = {nothing}; // for writes of one buffer
  final int[] starts = new int[SOURCES_MAX]; // of the present write
  final long handshakeNanos;
  final int handshakesMax;
  private final Map<HandshakeFailure, BoundedLog> failures = new EnumMap<>(HandshakeFailure.class);
  private int handshakes;

  TlsLoop(EventLoop loop, CurrentContext current, ServerLimits limits) {
    this.loop = loop;
    this.current = current;
    this.handshakeNanos = limits.handshakeTime().toNanos();
    this.handshakesMax = limits.handshakesMax();
    for (HandshakeFailure reason : HandshakeFailure.values()) {
      failures.put(reason, new BoundedLog(loop));
    }
  }

  /** Returns true if another handshake may begin. */
  boolean admitsHandshake() {
    return handshakes < handshakesMax;
  }

  /** Counts a handshake that begins. */
  void beginHandshake() {
    handshakes++;
  }

  /** Counts a handshake that has ended in any way. */
  void endHandshake() {
    handshakes--;
  }

  /** Returns the log for handshakes that fail for that reason; each reason has its own bound. */
  BoundedLog log(HandshakeFailure reason) {
    return Objects.requireNonNull(failures.get(reason));
  }

  static String remote(StreamSocket socket) {
    try {
      return socket.remoteAddress().toString();
    } catch (IOException closed) {
      return "a closed connection";
    }
  }
}
