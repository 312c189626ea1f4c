package dev.peregrine.server.tls;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory that all sessions of one event loop share. A session uses it within a call only, and
 * leaves nothing in it. Each buffer is made when it is first used.
 */
public final class TlsScratch {
  private static final int BUFFER_BYTES = 20 * 1024; // the largest record of TLS 1.2, and more

  private @Nullable ByteBuffer records;
  private @Nullable ByteBuffer content;

  /** Returns a cleared buffer on the heap that holds a record, received or made. */
  public ByteBuffer records() {
    ByteBuffer buffer = records;
    if (buffer == null) {
      buffer = ByteBuffer.allocate(BUFFER_BYTES);
      records = buffer;
    }
    return buffer.clear();
  }

  /** Returns a cleared buffer on the heap that holds the content of a record. */
  public ByteBuffer content() {
    ByteBuffer buffer = content;
    if (buffer == null) {
      buffer = ByteBuffer.allocate(BUFFER_BYTES);
      content = buffer;
    }
    return buffer.clear();
  }
}
