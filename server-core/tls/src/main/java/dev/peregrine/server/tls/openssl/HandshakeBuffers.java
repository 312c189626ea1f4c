package dev.peregrine.server.tls.openssl;

import dev.peregrine.openssl.RecordBuffers;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/** The memory of one handshake whose steps run on other threads. */
final class HandshakeBuffers {
  /** Input and output of the session. */
  final RecordBuffers records = new RecordBuffers();

  /** Complete records that were received and that the session has not read. */
  final ByteBuffer received =
      Arena.ofAuto().allocate(OpenSslTlsSession.RECORD_MAX).asByteBuffer().limit(0);

  /**
   * Copies the next complete records of a buffer, at least one and as many as fit, because the
   * buffer is used otherwise during a step.
   */
  void receive(ByteBuffer source) {
    received.clear();
    int length = OpenSslTlsSession.completeRecord(source);
    while (length > 0 && length <= received.remaining()) {
      received.put(received.position(), source, source.position(), length);
      received.position(received.position() + length);
      source.position(source.position() + length);
      boolean isHeader = length == OpenSslTlsSession.HEADER_BYTES; // possibly of an illegal record
      length = isHeader ? 0 : OpenSslTlsSession.completeRecord(source);
    }
    received.flip();
  }

  void clear() {
    received.limit(0);
  }
}
