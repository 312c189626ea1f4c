package dev.peregrine.server.websocket.deflate;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the messages of a session for permessage-deflate (RFC 7692 section 7.2.1), in steps
 * that fill the caller's memory. Allocates nothing for a message, unless the pool is empty. Used by
 * one thread at a time.
 *
 * <pre>
 *   begin ──▶ input ──▶ deflate until it returns false ──▶ input … with Flush.MESSAGE at last
 * </pre>
 *
 * <p>The output of {@link Flush#FRAGMENT} and {@link Flush#MESSAGE} ends with the marker 00 00 FF
 * FF, which a message must not end with. So the last four bytes of such output are kept back: they
 * lead the next output of the message, or are dropped at its end.
 *
 * <p>zlib's window has 32 KiB here. A smaller window is kept to by forgetting all input whenever
 * the input since then would exceed it, so that no reference reaches further back.
 */
public final class MessageDeflater implements AutoCloseable {
  /** The room that a target must have; the JDK requires 6 bytes, after those kept back. */
  public static final int TARGET_BYTES_MIN = 16;

  private static final int MARKER_BYTES = 4;
  private static final byte[] NOTHING = {};

  private final CompressionPool pool;
  private final boolean keepsContext;
  private final int windowBytes; // Integer.MAX_VALUE if zlib's own window is right
  private @Nullable Deflater deflater;
  private int windowRoom;
  private boolean inMessage;
  private boolean charged; // the budget is charged for the message under way
  private boolean begun; // the message has had input
  private boolean flushed = true; // all input so far is in the output, up to a marker
  private boolean closed;

  // The input: bytes of an array or a buffer, of which the deflater has those before pieceEnd.
  private byte[] array = NOTHING;
  private @Nullable ByteBuffer buffer;
  private int at;
  private int pieceEnd;
  private int end;
  private Flush flush = Flush.NONE;

  private int kept; // the bytes kept back
  private boolean keeping;

  /**
   * Creates a compressor without memory.
   *
   * @param keepsContext true if the context is kept between messages, for which the budget has been
   *     charged; closing gives that back
   * @param windowBits the largest window, 8 to 15
   */
  MessageDeflater(CompressionPool pool, boolean keepsContext, int windowBits) {
    this.pool = pool;
    this.keepsContext = keepsContext;
    this.windowBytes =
        windowBits < DeflateParameters.WINDOW_BITS_MAX ? 1 << windowBits : Integer.MAX_VALUE;
    this.windowRoom = windowBytes;
  }

  /**
   * Returns a number of bytes that a message in one piece isn't compressed to more than, so that
   * one target with that room takes all of it.
   */
  public static int outputBytesMax(int messageBytes) {
    return Math.addExact(messageBytes, messageBytes >> 3) + 4 * TARGET_BYTES_MIN;
  }

  /**
   * Compresses a message by itself, for any session with a window of at least that size. A session
   * that keeps its context must be notified by {@link #afterForeignMessage} when it sends the
   * result. Thread-safe.
   */
  public static byte[] deflateOnce(
      CompressionPool pool, int windowBits, byte[] source, int from, int to) {
    try (MessageDeflater deflater = new MessageDeflater(pool, false, windowBits)) {
      deflater.begin();
      deflater.input(source, from, to, Flush.MESSAGE);
      ByteBuffer target = ByteBuffer.wrap(new byte[(to - from) / 2 + 4 * TARGET_BYTES_MIN]);
      while (deflater.deflate(target)) {
        int bytes = target.position();
        target = ByteBuffer.wrap(Arrays.copyOf(target.array(), 2 * bytes)).position(bytes);
      }
      return Arrays.copyOf(target.array(), target.position());
    }
  }

  /**
   * Begins a message that ends in the same turn of the event loop. It isn't counted in the budget,
   * because each loop has only one at a time.
   */
  public void begin() {
    checkIdle();
    if (deflater == null) {
      deflater = pool.acquireDeflater();
    }
    inMessage = true;
  }

  /**
   * Begins a message that may end in a later turn. Returns false if the budget has no memory for
   * it: the session then sends it uncompressed.
   */
  public boolean beginParts() {
    checkIdle();
    if (!keepsContext && !pool.budget().takeForMessage(CompressionBudget.DEFLATER_BYTES)) {
      return false;
    }
    charged = !keepsContext;
    try {
      begin();
    } finally {
      if (!inMessage) { // no memory
        giveBackCharge();
      }
    }
    return true;
  }

  private void checkInMessage() {
    if (!inMessage) {
      throw new IllegalStateException("no message is under way");
    }
  }

  private void checkIdle() {
    if (inMessage || closed) {
      throw new IllegalStateException(closed ? "closed" : "a message is under way");
    }
  }

  /**
   * Sets the next input of the message, after the last one has been taken. It must not change until
   * {@link #deflate} has returned false.
   */
  public void input(byte[] source, int from, int to, Flush upTo) {
    Objects.checkFromToIndex(from, to, source.length);
    array = source;
    buffer = null;
    input(from, to, upTo);
  }

  /**
   * Sets the next input of the message: a buffer's remaining bytes. The buffer's position and limit
   * are changed by every step, and may be changed between steps. It isn't the target.
   */
  public void input(ByteBuffer source, Flush upTo) {
    array = NOTHING;
    buffer = source;
    input(source.position(), source.limit(), upTo);
  }

  private void input(int from, int to, Flush upTo) {
    checkInMessage();
    at = from;
    end = to;
    flush = upTo;
    begun |= from < to;
    beginPiece();
  }

  /** Chooses the next bytes of the input that the deflater gets: as many as the window allows. */
  private void beginPiece() {
    if (end - at > windowRoom && flushed && windowRoom < windowBytes) {
      open().reset();
      windowRoom = windowBytes;
    }
    pieceEnd = at + Math.min(end - at, windowRoom);
    if (buffer == null) {
      open().setInput(array, at, pieceEnd - at);
    } else {
      open().setInput(buffer);
    }
    if (windowBytes != Integer.MAX_VALUE) {
      windowRoom -= pieceEnd - at;
    }
  }

  /**
   * Compresses into a target from its position on, and moves that to the end of the output.
   *
   * @param target a buffer with room for at least {@link #TARGET_BYTES_MIN} bytes
   * @return true if the target is full, and another one is needed; false if all input is taken, and
   *     flushed as far as it must be
   */
  public boolean deflate(ByteBuffer target) {
    checkInMessage();
    if (target.remaining() < TARGET_BYTES_MIN) {
      throw new IllegalArgumentException("a target has room for " + target.remaining() + " bytes");
    }
    while (at < pieceEnd || (!flushed && isFlushing())) {
      if (target.remaining() < TARGET_BYTES_MIN || fills(target)) {
        return true;
      }
      at = pieceEnd;
      if (at < end) {
        beginPiece();
      }
    }
    if (!begun && flush == Flush.MESSAGE) {
      target.put((byte) 0); // an empty stored block without its marker: RFC 7692 section 7.2.3.6
    }
    dropInput();
    if (flush == Flush.MESSAGE) {
      endMessage();
    }
    return false;
  }

  /** Compresses a piece of the input. Returns true if the target became full. */
  private boolean fills(ByteBuffer target) {
    putKept(target);
    boolean flushing = isFlushing();
    int room = target.remaining();
    int bytes = step(target, flushing ? Deflater.SYNC_FLUSH : Deflater.NO_FLUSH);
    if (flushing) {
      keepBack(target); // the marker, or bytes that can be a part of it
    }
    flushed = flushing && bytes < room;
    return bytes == room;
  }

  /** Returns true if the output must contain all of the present piece. */
  private boolean isFlushing() {
    return flush != Flush.NONE || pieceEnd < end;
  }

  private int step(ByteBuffer target, int zlibFlush) {
    ByteBuffer source = buffer;
    if (source == null) {
      return open().deflate(target, zlibFlush);
    }
    source.limit(pieceEnd).position(at);
    int bytes = open().deflate(target, zlibFlush);
    at = source.position();
    return bytes;
  }

  private void putKept(ByteBuffer target) {
    if (keeping) {
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        target.put((byte) (kept >>> shift));
      }
      keeping = false;
    }
  }

  private void keepBack(ByteBuffer target) {
    int from = target.position() - MARKER_BYTES;
    kept = 0;
    for (int i = 0; i < MARKER_BYTES; i++) {
      kept |= (target.get(from + i) & 0xFF) << (Byte.SIZE * i);
    }
    target.position(from);
    keeping = true;
  }

  /**
   * Forgets the context, because a message was sent that another deflater has compressed: later
   * references to bytes before it would be wrong.
   */
  public void afterForeignMessage() {
    checkIdle();
    releaseDeflater();
  }

  private void endMessage() {
    resetMessage();
    if (!keepsContext) {
      releaseDeflater();
    }
  }

  private void resetMessage() {
    inMessage = false;
    begun = false;
    keeping = false;
    flushed = true;
  }

  private void dropInput() {
    array = NOTHING;
    buffer = null;
    at = 0;
    pieceEnd = 0;
    end = 0;
    open().setInput(NOTHING); // it would keep the application's array reachable
  }

  private void releaseDeflater() {
    Deflater released = deflater;
    if (released != null) {
      deflater = null;
      windowRoom = windowBytes;
      pool.release(released);
      giveBackCharge();
    }
  }

  private void giveBackCharge() {
    if (charged) {
      charged = false;
      pool.budget().giveBack(CompressionBudget.DEFLATER_BYTES);
    }
  }

  private Deflater open() {
    return Objects.requireNonNull(deflater);
  }

  /** Gives back all memory, also in the middle of a message. Further calls have no effect. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      resetMessage();
      releaseDeflater();
      if (keepsContext) {
        pool.budget().giveBack(CompressionBudget.DEFLATER_BYTES);
      }
    }
  }
}
