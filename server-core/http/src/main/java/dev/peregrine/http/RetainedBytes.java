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
   * not be used once every owner has released the bytes, because it then shows other bytes, such as
   * those of another client.
   *
   * <p>That isn't checked in production. With assertions ({@code -ea}, as tests usually run), a
   * buffer that is used too late throws {@link IllegalStateException}. There are two exceptions:
   * bytes that weren't copied, if the server's module has no native access; and libraries such as
   * Netty, which read the memory of a buffer without the JDK's checks. The server then copies what
   * it sends of such a buffer.
   */
  ByteBuffer buffer();

  /**
   * Releases the bytes.
   *
   * @throws IllegalStateException if they were released before, or with assertions, if a channel
   *     uses a {@link #buffer} of the last owner: they are released nevertheless
   */
  void release();

  /** Releases the bytes unless they were released before. */
  @Override
  void close();
}
