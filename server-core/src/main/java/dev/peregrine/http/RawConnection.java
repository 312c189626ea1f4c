package dev.peregrine.http;

import java.nio.ByteBuffer;

/**
 * A connection that has left HTTP, by an upgrade or as a tunnel: bytes in both directions, without
 * any framing. Callable from any thread; what is written by one thread goes out in its order.
 */
public interface RawConnection {
  /** Whether less than the high-water mark is unsent. */
  boolean isWritable();

  /**
   * Calls back once, on the event loop: at once if the connection is writable, else when less than
   * the low-water mark is unsent. Another callback takes the place of one that still waits. Not
   * called once the connection is closed.
   */
  void onWritable(Runnable callback);

  /** Writes the array, not to be changed until sent. */
  RawConnection write(byte[] source);

  /** Writes a buffer's remaining bytes, not to be changed until sent. */
  RawConnection write(ByteBuffer source);

  /** Writes received bytes, within the call that they came with. */
  RawConnection write(Bytes source);

  /** Stops {@link RawListener#onData} until {@link #resume}. */
  void pause();

  /** Lets {@link RawListener#onData} go on. */
  void resume();

  /** Ends the connection in order: what was written is still sent. */
  void end();

  /** Closes at once; the client sees a reset. */
  void abort();
}
