package dev.peregrine.server.connection;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a connection: the bytes carried over from its last turn, how many more may
 * be read, and what the client has done to its stream.
 *
 * <pre>
 *   READING ──end of stream──▶ ENDED
 *      │ reset                   │ reset
 *      ▼                         ▼
 *     LOST ───end of stream──▶ GONE
 * </pre>
 */
public final class ConnectionInput {
  /** More bytes may arrive. */
  private static final byte READING = 0;

  /** The client has sent the end of its stream. */
  private static final byte ENDED = 1;

  /** The client has reset the connection: only received bytes are left. */
  private static final byte LOST = 2;

  /** Nothing is left. */
  private static final byte GONE = ENDED | LOST;

  private @Nullable Block carried; // its content is the carried bytes
  private int bytesMax = Integer.MAX_VALUE; // that may still be unconsumed, or discarded
  private byte state = READING;
  private boolean yielded; // input waits that did not fit into a time slice
  private boolean endWatched; // the protocol wants to know of the end before it reads that far
  private boolean discards; // what still arrives, because the connection is ending

  ConnectionInput() {}

  // ---- for the protocol ----

  /** Returns true if the client has sent the end of its stream. */
  public boolean isEnded() {
    return state == ENDED || state == GONE;
  }

  /** Returns true if input waits for a turn that {@link Connection#yieldTurn} requested. */
  public boolean isYielded() {
    return yielded;
  }

  /** Stops reading while the given number of bytes is unconsumed; received bytes stay. */
  public void limit(int bytes) {
    if (!discards) {
      bytesMax = bytes;
    }
  }

  public void unlimit() {
    limit(Integer.MAX_VALUE);
  }

  /**
   * Sets whether the protocol is notified of the end of the client's stream while it doesn't read
   * that far. A transport that detects the end without reading notifies it at once. Otherwise the
   * connection continues to read even if too much is unsent, up to {@code pipelinedBytesMax}
   * unconsumed bytes.
   */
  public void watchEnd(boolean on) {
    endWatched = on;
  }

  // ---- for the connection ----

  boolean isLost() {
    return state >= LOST;
  }

  boolean isEndWatched() {
    return endWatched;
  }

  /** Returns the number of bytes that may be unconsumed, or may still be discarded. */
  int bytesMax() {
    return bytesMax;
  }

  void end() {
    state |= ENDED;
  }

  void lose() {
    state |= LOST;
  }

  /** Waits for another turn; false ends that. */
  void pause(boolean on) {
    yielded = on;
  }

  /** Discards what arrives from now on, up to a number of bytes. */
  void discard(long bytes) {
    discards = true;
    bytesMax = (int) Math.min(Integer.MAX_VALUE, bytes + 1);
  }

  /** Counts bytes that were discarded; a negative count is the end of the stream. */
  void countDiscarded(int bytes) {
    if (bytes < 0) {
      end();
    } else {
      bytesMax -= bytes;
    }
  }

  // ---- between two turns ----

  /** Returns the number of bytes received and not consumed, between two turns. */
  int carriedBytes() {
    Block block = carried;
    return block == null ? 0 : block.contentTo() - block.contentFrom();
  }

  /** Keeps bytes until the next turn; null for none. */
  void carry(@Nullable Block received) {
    carried = received;
  }

  /** Returns the carried bytes, which belong to the caller from now on; null for none. */
  @Nullable Block takeCarried() {
    Block received = carried;
    carried = null;
    return received;
  }

  /** Releases the carried bytes. */
  void release(BufferPool pool) {
    Block received = takeCarried();
    if (received != null) {
      pool.release(received);
    }
  }
}
