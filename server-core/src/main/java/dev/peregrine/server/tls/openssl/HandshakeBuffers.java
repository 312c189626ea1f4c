package dev.peregrine.server.tls.openssl;

import dev.peregrine.openssl.RecordBuffers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The memory of one handshake whose steps run on other threads. */
final class HandshakeBuffers {
  /** Input and output of the session. */
  final RecordBuffers records = new RecordBuffers();

  private final MemorySegment received = Arena.ofAuto().allocate(OpenSslTlsSession.RECORD_MAX);

  /** Copies the next bytes of a buffer, because the buffer is used otherwise during a step. */
  void receive(ByteBuffer source, int bytes) {
    MemorySegment.copy(MemorySegment.ofBuffer(source), 0, received, 0, bytes);
    source.position(source.position() + bytes);
  }

  /** Returns where the bytes lie that were received last. */
  long address() {
    return received.address();
  }
}
