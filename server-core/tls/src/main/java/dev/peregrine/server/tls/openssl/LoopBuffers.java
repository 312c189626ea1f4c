package dev.peregrine.server.tls.openssl;

import dev.peregrine.base.Sha256;
import dev.peregrine.openssl.RecordBuffers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;

/** The memory that the sessions of one event loop share. */
final class LoopBuffers {
  /** Buffers of handshakes that are kept for later ones; arbitrary. */
  private static final int SPARE_MAX = 64;

  /** Input and output of all sessions that are used by the loop, which may change its thread. */
  final RecordBuffers shared = new RecordBuffers(false);

  private final Deque<HandshakeBuffers> spare = new ArrayDeque<>();
  private final MessageDigest digest = Sha256.digest();

  /** Returns the scope of sessions for one host name within the scope of a profile. */
  byte[] scope(byte[] profile, String serverName) {
    digest.update(profile);
    return digest.digest(serverName.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns memory for a handshake. */
  HandshakeBuffers take() {
    HandshakeBuffers kept = spare.poll();
    return kept != null ? kept : new HandshakeBuffers();
  }

  /** Takes memory back that no session uses any more. */
  void give(HandshakeBuffers unused) {
    if (spare.size() < SPARE_MAX) {
      unused.clear();
      spare.push(unused);
    }
  }
}
