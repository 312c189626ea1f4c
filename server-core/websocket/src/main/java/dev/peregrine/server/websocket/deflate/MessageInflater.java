package dev.peregrine.server.websocket.deflate;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses the messages of a client for permessage-deflate (RFC 7692 section 7.2.2), in steps
 * that take the payload of frames as it comes and fill the caller's memory. Allocates nothing for a
 * message, unless the pool is empty. Used by one thread at a time.
 *
 * <pre>
 *   begin ──▶ input ──▶ inflate until NEEDS_INPUT ──▶ input … ──▶ endInput ──▶ inflate until END
 *                                               suspend, at the end of a turn
 * </pre>
 *
 * <p>A block may be marked as the last one (RFC 7692 section 7.2.3.4). The next one begins with an
 * empty window then, because a compressor that ends its data begins anew.
 */
public final class MessageInflater implements AutoCloseable {
  private static final int MARKER_BYTES = 4;

  // Input after the end of a message: first the marker that the sender has removed. A message that
  // ends inside of a block takes it for something else, and zlib doesn't report that. So another
  // empty block follows: the last one of the data if the context isn't kept, which zlib does
  // report; otherwise one that gives no output unless it is taken for something else, too.
  private static final byte[] TAIL_OF_LAST = {0, 0, -1, -1, 3, 0};
  private static final byte[] TAIL = {0, 0, -1, -1, 0, 0, 0, -1, -1};

  private enum State {
    IDLE,
    MESSAGE,
    INPUT_ENDED,
    FAILED,
    CLOSED
  }

  private final CompressionPool pool;
  private final boolean keepsContext;
  private @Nullable Inflater inflater;
  private boolean charged; // the budget is charged for the message under way
  private State state = State.IDLE;
  private InflateResult failure = InflateResult.CORRUPT;
  private boolean dataEnded; // the last block was marked as such, and nothing has followed it
  private long inputBytes;
  private long outputBytes;
  private long outputBytesMax;

  private @Nullable ByteBuffer buffer;
  private int at;
  private int end;

  /**
   * Creates a decompressor without memory.
   *
   * @param keepsContext true if the context is kept between messages, for which the budget has been
   *     charged; closing gives that back
   */
  MessageInflater(CompressionPool pool, boolean keepsContext) {
    this.pool = pool;
    this.keepsContext = keepsContext;
  }

  /** Begins a message of at most the given number of decompressed bytes. */
  public void begin(long messageBytesMax) {
    if (state != State.IDLE) {
      throw new IllegalStateException("can't begin a message: " + state);
    }
    if (inflater == null) {
      inflater = pool.acquireInflater();
    }
    inputBytes = 0;
    outputBytes = 0;
    outputBytesMax = messageBytesMax;
    state = State.MESSAGE;
  }

  /**
   * Charges the budget for the message under way, if there is one, and a context isn't kept anyway.
   * The session calls it at the end of a turn. A message that ends in its turn isn't counted,
   * because each event loop has only one at a time. Returns false if the budget has no memory left:
   * the session must fail.
   */
  public boolean suspend() {
    if (inflater != null && !keepsContext && !charged) {
      charged = pool.budget().takeForMessage(CompressionBudget.INFLATER_BYTES);
      return charged;
    }
    return true;
  }

  /** Returns true if the message under way has memory of the budget. */
  public boolean isCharged() {
    return charged;
  }

  /**
   * Sets the next input of the message, after the last one has been taken: a buffer's remaining
   * bytes. They must not change until {@link #inflate} has returned {@link
   * InflateResult#NEEDS_INPUT}. The buffer's position and limit are changed by every step, and may
   * be changed between steps. It isn't the target.
   */
  public void input(ByteBuffer source) {
    checkInMessage();
    buffer = source;
    at = source.position();
    end = source.limit();
  }

  /**
   * Forgets the input, because its memory is needed, and returns the number of bytes at its end
   * that weren't taken. {@link #resumeInput} must bring them again before the next step.
   */
  public int suspendInput() {
    buffer = null;
    return end - at;
  }

  /** Sets the rest of the input again. */
  public void resumeInput(ByteBuffer rest) {
    buffer = rest;
    at = rest.position();
    end = rest.limit();
  }

  /** Marks the input so far as the whole message. */
  public void endInput() {
    checkInMessage();
    state = State.INPUT_ENDED;
  }

  private void checkInMessage() {
    if (state != State.MESSAGE) {
      throw new IllegalStateException("no message takes input: " + state);
    }
  }

  /**
   * Decompresses into a target from its position on, and moves that to the end of the output. After
   * a failure, the bytes in the target have no use, and all later results are the same.
   */
  public InflateResult inflate(ByteBuffer target) {
    if (state == State.FAILED) {
      return failure;
    }
    if (state != State.MESSAGE && state != State.INPUT_ENDED) {
      throw new IllegalStateException("no message is under way: " + state);
    }
    Inflater open = Objects.requireNonNull(inflater);
    InflateResult result;
    try {
      result = step(open, target);
    } catch (DataFormatException invalid) {
      result = InflateResult.CORRUPT;
    }
    if (result.isFailure()) {
      failure = result;
      state = State.FAILED;
    }
    return result;
  }

  private InflateResult step(Inflater open, ByteBuffer target) throws DataFormatException {
    do {
      if (!target.hasRemaining()) {
        return InflateResult.MORE_OUTPUT;
      }
      if (dataEnded && at < end) {
        open.reset();
        dataEnded = false;
      }
      ByteBuffer source = buffer;
      if (source != null && !dataEnded) {
        inflateInput(open, source, target);
        dataEnded = open.finished();
      }
      if (outputBytes > outputBytesMax) {
        return InflateResult.TOO_LARGE;
      }
    } while (at < end || !target.hasRemaining());
    buffer = null;
    return state == State.MESSAGE ? InflateResult.NEEDS_INPUT : endMessage(open, target);
  }

  /** Decompresses at most one byte more than the message may have. */
  private void inflateInput(Inflater open, ByteBuffer source, ByteBuffer target)
      throws DataFormatException {
    long allowed = outputBytesMax - outputBytes;
    int limit = target.limit();
    int from = target.position();
    if (allowed < target.remaining()) {
      target.limit(from + (int) allowed + 1);
    }
    try {
      open.setInput(source.limit(end).position(at));
      open.inflate(target);
    } finally {
      target.limit(limit);
    }
    outputBytes += target.position() - from;
    inputBytes += source.position() - at;
    at = source.position();
  }

  private InflateResult endMessage(Inflater open, ByteBuffer target) throws DataFormatException {
    if (!dataEnded && (inputBytes == 0 || !endsBetweenBlocks(open, target))) {
      return InflateResult.CORRUPT;
    }
    if (!keepsContext) {
      releaseInflater();
    } else if (dataEnded) {
      open.reset();
    }
    dataEnded = false;
    state = State.IDLE;
    return InflateResult.END;
  }

  private boolean endsBetweenBlocks(Inflater open, ByteBuffer target) throws DataFormatException {
    byte[] tail = keepsContext ? TAIL : TAIL_OF_LAST;
    open.setInput(tail);
    if (open.inflate(target) > 0) {
      return false;
    }
    dataEnded = open.finished();
    if (!dataEnded) {
      return keepsContext;
    }
    int left = open.getRemaining();
    boolean byMarker = left == tail.length - MARKER_BYTES; // the sender's empty block was the last
    return byMarker || (left == 0 && !keepsContext);
  }

  private void releaseInflater() {
    Inflater released = inflater;
    if (released != null) {
      inflater = null;
      pool.release(released);
      if (charged) {
        charged = false;
        pool.budget().giveBack(CompressionBudget.INFLATER_BYTES);
      }
    }
  }

  /** Gives back all memory, also in the middle of a message. Further calls have no effect. */
  @Override
  public void close() {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      buffer = null;
      releaseInflater();
      if (keepsContext) {
        pool.budget().giveBack(CompressionBudget.INFLATER_BYTES);
      }
    }
  }
}
