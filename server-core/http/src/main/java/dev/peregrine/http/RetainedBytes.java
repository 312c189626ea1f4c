package dev.peregrine.http;

import java.nio.ByteBuffer;

/**
 * Received bytes that stay readable until they are released, on any thread: the result of {@link
 * Bytes#retain}. Belongs to the caller, who releases it exactly once, on any thread, also after the
 * end of the server. After that every method except {@link #close} throws {@link
 * IllegalStateException}.
 *
 * <p>Bytes that become garbage without a release are released then, and the server logs a line.
 *
 * <pre>{@code
 * public void onData(Bytes data) {
 *   RetainedBytes kept = data.retain();
 *   store.write(kept.buffer()).whenComplete((done, failure) -> kept.release());
 * }
 * }</pre>
 */
public interface RetainedBytes extends Bytes, AutoCloseable {
  /**
   * Returns a view of all bytes, which can't be written to. Each call returns another one. It must
   * not be used after the release: it then shows other bytes, such as those of another client, or
   * throws {@link IllegalStateException}. It isn't checked, because libraries such as Netty read
   * the memory of buffers without a check.
   */
  ByteBuffer buffer();

  /**
   * Releases the bytes.
   *
   * @throws IllegalStateException if they were released before
   */
  void release();

  /** Releases the bytes unless they were released before. */
  @Override
  void close();
}
