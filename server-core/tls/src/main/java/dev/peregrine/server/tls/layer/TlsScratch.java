package dev.peregrine.server.tls.layer;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory that all sessions of one event loop share. A session uses it only within a call. Each
 * buffer is created when it is first used.
 */
public final class TlsScratch {
  private static final int BUFFER_BYTES = 20 * 1024; // the largest record of TLS 1.2, and more

  private @Nullable ByteBuffer records;
  private @Nullable ByteBuffer content;
  private @Nullable Object own;

  /** Returns a cleared heap buffer with room for a record. */
  public ByteBuffer records() {
    ByteBuffer buffer = records;
    if (buffer == null) {
      buffer = ByteBuffer.allocate(BUFFER_BYTES);
      records = buffer;
    }
    return buffer.clear();
  }

  /** Returns a cleared heap buffer with room for the content of a record. */
  public ByteBuffer content() {
    ByteBuffer buffer = content;
    if (buffer == null) {
      buffer = ByteBuffer.allocate(BUFFER_BYTES);
      content = buffer;
    }
    return buffer.clear();
  }

  /**
   * Returns an engine's own memory of a kind. The garbage collector alone releases it.
   *
   * @param maker creates it when it is first used
   */
  public <T> T own(Class<T> kind, Supplier<T> maker) {
    Object memory = own;
    if (memory == null) {
      memory = maker.get();
      own = memory;
    }
    return kind.cast(memory);
  }
}
