package dev.peregrine.server.tls;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory that all sessions of one event loop share. A session uses it within a call only, and
 * leaves nothing in it. Each buffer is made when it is first used.
 */
public final class TlsScratch {
  private static final int BUFFER_BYTES = 20 * 1024; // the largest record of TLS 1.2, and more

  private @Nullable ByteBuffer records;
  private @Nullable ByteBuffer content;
  private @Nullable Object own;

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

  /**
   * Returns memory of an engine's own kind. It holds nothing that has to be given back otherwise
   * than by the garbage collector.
   *
   * @param maker makes it when it is first used
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
