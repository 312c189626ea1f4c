package dev.peregrine.server.http2.flow;

import dev.peregrine.server.http2.frame.Setting;
import dev.peregrine.server.http2.head.HeadTarget;
import dev.peregrine.server.pace.DataRate;
import dev.peregrine.server.pace.TakingPatience;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The content that the streams of a connection send: which stream sends the next frame, and the
 * connection's window (RFC 9113 section 5.2).
 */
public final class SendQueue {
  /**
   * The most content of a frame. Four frames of this size fill a block of outbound memory, and none
   * is larger than every client accepts.
   */
  private static final int FRAME_BYTES_MAX = 16_359;

  // Bounds a turn, like the largest write of a connection.
  private static final int TURN_BYTES_MAX = 512 * 1024;

  // The least bytes that clients read at a time: those of Go read 4 KiB, others 1 KiB.
  private static final int READ_BYTES_MIN = 1024;

  private final StreamTable<?> streams;
  private final HeadTarget target;
  private final TakingPatience taking; // of the connection's window
  private long window = Setting.WINDOW_DEFAULT;
  private long sentBytes; // in this turn
  private long passedBytes; // in all
  private long updatesExpected; // WINDOW_UPDATE frames that the client may send for content
  private int lastId; // the stream that has sent the last frame
  private boolean wanted; // a stream may have something to send

  public SendQueue(StreamTable<?> streams, HeadTarget target, DataRate rate, long nowNanos) {
    this.streams = streams;
    this.target = target;
    this.taking = new TakingPatience(rate);
    taking.begin(nowNanos);
  }

  public void beginTurn() {
    sentBytes = 0;
  }

  /** Returns the bytes of content that were sent in this turn. */
  public long sentBytes() {
    return sentBytes;
  }

  /** Returns true if no more should be sent in this turn, because other connections wait. */
  public boolean isTurnUsed() {
    return sentBytes >= TURN_BYTES_MAX;
  }

  // ---- the window ----

  /**
   * Counts a WINDOW_UPDATE frame. Returns false if the client has no content to send it for: many
   * clients send one for each of their reads, on the stream and on the connection.
   */
  public boolean countUpdate() {
    boolean expected = updatesExpected > 0;
    if (expected) {
      updatesExpected--;
    }
    return expected;
  }

  /** Makes the connection's window larger. Returns false if it becomes too large. */
  public boolean grow(int increment) {
    window += increment;
    return window <= Integer.MAX_VALUE;
  }

  /** Returns the bytes of content that have passed the connection's window so far. */
  public long passedBytes() {
    return passedBytes;
  }

  /** Returns true if the connection's window holds content back. */
  public boolean isStalled() {
    return window <= 0;
  }

  /**
   * Judges the connection's window; called about once a second. Streams that wait because it lets
   * the content of others pass are not late, so it is judged by the content of all.
   *
   * @return true if it has held content back for too long
   */
  public boolean judge(long nowNanos) {
    return taking.judge(isStalled() && isAnyHurried(), nowNanos);
  }

  /** Returns true if content waits that the client may not let wait. */
  private boolean isAnyHurried() {
    for (int i = 0; i < streams.count(); i++) {
      if (streams.get(i).outbound().bytes() > 0 && !streams.get(i).isUnhurried()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes the room for content that is sent with its head. Returns false if a window is too small.
   */
  public boolean take(OutboundContent stream, int bytes, long nowNanos) {
    if (stream.window() < bytes || !take(bytes, nowNanos)) {
      return false;
    }
    stream.take(bytes);
    return true;
  }

  /** Takes the room of the connection for content. Returns false if its window is too small. */
  public boolean take(int bytes, long nowNanos) {
    if (window < bytes) {
      return false;
    }
    pass(bytes, nowNanos);
    return true;
  }

  /** Counts content that passes the connection's window. */
  private void pass(int bytes, long nowNanos) {
    window -= bytes;
    passedBytes += bytes;
    updatesExpected += 2 + 2 * (bytes / READ_BYTES_MIN);
    taking.onTaken(bytes, nowNanos);
  }

  // ---- sending ----

  /** Has the streams send at the end of the turn. */
  public void request() {
    wanted = true;
  }

  /** Returns true if a stream may have something to send. */
  public boolean isWanted() {
    return wanted;
  }

  /** Sends a first frame of a stream at once, if the windows permit it. */
  public void sendFirst(OutboundContent stream, long nowNanos) {
    wanted = true;
    if (maySend(stream)) {
      int ignored = send(stream, nowNanos);
    }
  }

  /**
   * Sends a copy of content at once, without a second copy that waits. Returns false if a window is
   * too small, or if other content waits; then nothing was sent.
   */
  public boolean sendNow(
      OutboundContent stream, MemorySegment source, long from, int length, long nowNanos) {
    boolean permitted =
        window >= length
            && stream.window() >= length
            && sentBytes < TURN_BYTES_MAX
            && !stream.isWaiting()
            && next() == null;
    if (permitted) {
      for (int done = 0; done < length; ) {
        int bytes = Math.min(length - done, FRAME_BYTES_MAX);
        stream.sendCopy(target, source, from + done, bytes);
        done += bytes;
      }
      pass(length, nowNanos);
      stream.pass(length, nowNanos);
      sentBytes += length;
    }
    return permitted;
  }

  private boolean maySend(OutboundContent stream) {
    return stream.isWaiting() && (stream.bytes() == 0 || (window > 0 && stream.window() > 0));
  }

  /**
   * Sends the next frame that the windows permit. Returns the stream that has sent it; null if none
   * can send.
   */
  public @Nullable OutboundContent sendNext(long nowNanos) {
    OutboundContent next = next();
    if (next == null) {
      wanted = false;
    } else {
      sentBytes += send(next, nowNanos);
      lastId = next.id();
    }
    return next;
  }

  /** Sends one frame of a stream. Returns the bytes of content. */
  private int send(OutboundContent stream, long nowNanos) {
    int bytesMax = (int) Math.min(FRAME_BYTES_MAX, Math.min(window, stream.window()));
    int sent = stream.sendFrame(target, Math.max(0, bytesMax));
    pass(sent, nowNanos);
    stream.pass(sent, nowNanos);
    return sent;
  }

  /** Returns the stream that sends next (RFC 9218 section 10); null if none can. */
  private @Nullable OutboundContent next() {
    OutboundContent best = null;
    boolean bestIsLater = false; // it comes after the last one, in turns
    for (int i = 0; i < streams.count(); i++) {
      OutboundContent stream = streams.get(i).outbound();
      if (!maySend(stream)) {
        continue;
      }
      boolean isLater = stream.id() > lastId;
      if (best == null || stream.urgency().level() < best.urgency().level()) {
        best = stream;
        bestIsLater = isLater;
      } else if (stream.urgency().level() == best.urgency().level()
          && best.urgency().isInTurns()
          && isLater
          && !bestIsLater) {
        best = stream;
        bestIsLater = true;
      }
    }
    return best;
  }

  /** Returns true if a stream could send; between turns none can. */
  public boolean canSend() {
    return next() != null;
  }
}
