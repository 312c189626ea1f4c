package dev.peregrine.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A connection that has left HTTP, by an upgrade or as a tunnel: bytes in both directions, without
 * any framing. Callable from any thread; the writes of one thread keep their order.
 */
public interface RawConnection {
  /** Returns true if less than the high-water mark is unsent. */
  boolean isWritable();

  /**
   * Calls back once, on the event loop: at once if the connection is writable, otherwise when less
   * than the low-water mark is unsent. Another callback replaces one that still waits. Not called
   * once the connection is closed.
   */
  void onWritable(Runnable callback);

  /** Writes an array, which must not be changed until it is sent. */
  RawConnection write(byte[] source);

  /**
   * Writes a buffer's remaining bytes, which must not be changed until they are sent. Nor may the
   * buffer's arena be closed: the connection would be cut short.
   *
   * @throws IllegalStateException if the buffer's arena is closed
   * @throws IllegalArgumentException if only one thread may use the buffer's arena
   */
  RawConnection write(ByteBuffer source);

  /**
   * Like {@link #write(ByteBuffer)}, for a buffer that is used again.
   *
   * @param whenSent called as for {@link Response#send(ByteBuffer, Consumer)}, also if the
   *     connection is closed; the buffer is the server's until then
   */
  RawConnection write(ByteBuffer source, Consumer<? super ByteBuffer> whenSent);

  /** Writes received bytes, during the call that they are an argument of. */
  RawConnection write(Bytes source);

  /** Stops {@link RawListener#onData} until {@link #resume}. */
  void pause();

  /** Lets {@link RawListener#onData} continue. */
  void resume();

  /**
   * Runs work on the event loop, after this call and in the order of the calls, unless the
   * connection has ended by then.
   */
  void onLoop(Runnable work);

  /**
   * Runs work on the event loop once, after a delay, unless it is cancelled or the connection ends
   * first. An exception of the work is logged and ends the connection.
   *
   * @param delay from now to the earliest time; 50 years at most
   * @throws IllegalArgumentException if it is negative
   */
  ScheduledWork onLoopAfter(Duration delay, Runnable work);

  /** Ends the connection in order, after everything written has been sent. */
  void end();

  /** Closes at once; the client sees a reset. */
  void abort();
}
