package dev.peregrine.server.http2;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.Setting;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.pace.TakingPatience;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The content that the streams of a connection send: which stream sends the next frame, and the
 * connection's window (RFC 9113 section 5.2).
 */
final class SendQueue {
  /**
   * The most content of a frame. Four frames of this size fill a block of outbound memory, and none
   * is larger than every client accepts.
   */
  private static final int FRAME_BYTES_MAX = 16_359;

  // Bounds a turn, like the largest write of a connection.
  private static final int TURN_BYTES_MAX = 512 * 1024;

  // The least bytes that clients read at a time: those of Go read 4 KiB, others 1 KiB.
  private static final int READ_BYTES_MIN = 1024;

  private final Http2Connection owner;
  private final StreamTable streams;
  private final TakingPatience taking; // of the connection's window
  private long window = Setting.WINDOW_DEFAULT;
  private long sentBytes; // in this turn
  private long passedBytes; // in all
  private long updatesExpected; // WINDOW_UPDATE frames that the client may send for content
  private int lastId; // the stream that has sent the last frame
  private boolean wanted; // a stream may have something to send

  SendQueue(Http2Connection owner, StreamTable streams) {
    this.owner = owner;
    this.streams = streams;
    this.taking = new TakingPatience(owner.http2().takingRate);
    taking.begin(owner.connection().nanos());
  }

  void beginTurn() {
    sentBytes = 0;
  }

  /** Takes a WINDOW_UPDATE frame (RFC 9113 section 6.9). */
  @Nullable Violation onWindowUpdate(int id, int increment) {
    Violation flood = updatesExpected > 0 ? null : owner.spend(FloodBudget.WINDOW);
    if (flood != null) {
      return flood;
    }
    updatesExpected = Math.max(0, updatesExpected - 1);
    wanted = true;
    if (id == 0) {
      window += increment;
      return increment == 0
          ? Violation.WINDOW_INCREMENT
          : window > Integer.MAX_VALUE ? Violation.WINDOW_OVERFLOW : null;
    }
    if (owner.opener().isIdle(id)) {
      return Violation.STREAM_ID;
    }
    Http2Stream stream = streams.find(id);
    if (stream == null) {
      return null; // it has ended meanwhile
    }
    if (increment == 0) {
      return owner.resetForFault(stream, ErrorCode.PROTOCOL_ERROR);
    }
    stream.sendWindow += increment;
    return stream.sendWindow > Integer.MAX_VALUE
        ? owner.resetForFault(stream, ErrorCode.FLOW_CONTROL_ERROR)
        : null;
  }

  /** Returns the bytes of content that have passed the connection's window so far. */
  long passedBytes() {
    return passedBytes;
  }

  /** Returns true if the connection's window holds content back. */
  boolean isStalled() {
    return window <= 0;
  }

  /**
   * Judges the connection's window; called about once a second. Streams that wait because it lets
   * the content of others pass are not late, so it is judged by the content of all.
   *
   * @return true if it has held content back for too long
   */
  boolean judge(long nowNanos) {
    return taking.judge(isStalled() && isAnyWaiting(), nowNanos);
  }

  private boolean isAnyWaiting() {
    for (int i = 0; i < streams.count(); i++) {
      if (streams.get(i).outbound.bytes() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Has the streams send at the end of the turn. */
  void request() {
    wanted = true;
  }

  /**
   * Takes the room for content that is sent with its head. Returns false if a window is too small.
   */
  boolean take(Http2Stream stream, int bytes) {
    if (stream.sendWindow < bytes || !take(bytes)) {
      return false;
    }
    stream.sendWindow -= bytes;
    return true;
  }

  /** Takes the room of the connection for content. Returns false if its window is too small. */
  boolean take(int bytes) {
    if (window < bytes) {
      return false;
    }
    pass(bytes);
    return true;
  }

  /** Counts content that passes the connection's window. */
  private void pass(int bytes) {
    window -= bytes;
    passedBytes += bytes;
    expectUpdates(bytes);
    taking.onTaken(bytes, owner.connection().nanos());
  }

  /**
   * Counts the WINDOW_UPDATE frames that a client may send for content: many send one for each of
   * their reads, on the stream and on the connection.
   */
  private void expectUpdates(int bytes) {
    updatesExpected += 2 + 2 * (bytes / READ_BYTES_MIN);
  }

  /** Sends a first frame of a stream at once, if the windows permit it. */
  void sendFirst(Http2Stream stream) {
    wanted = true;
    if (maySend(stream) && owner.connection().output().unsentBytes() < highWater()) {
      sendFrame(stream);
    }
  }

  /**
   * Sends a copy of content at once, without a second copy that waits. Returns false if a window is
   * too small, or if other content waits; then nothing was sent.
   */
  boolean sendNow(Http2Stream stream, MemorySegment source, long from, int length) {
    boolean permitted =
        window >= length
            && stream.sendWindow >= length
            && sentBytes < TURN_BYTES_MAX
            && owner.connection().output().unsentBytes() < highWater()
            && !stream.outbound.isWaiting()
            && next() == null;
    if (permitted) {
      for (int done = 0; done < length; ) {
        int bytes = Math.min(length - done, FRAME_BYTES_MAX);
        stream.outbound.sendCopy(owner, stream.id(), source, from + done, bytes);
        done += bytes;
      }
      count(stream, length);
      sentBytes += length;
    }
    return permitted;
  }

  /** Counts content that was sent. */
  private void count(Http2Stream stream, int bytes) {
    pass(bytes);
    stream.sendWindow -= bytes;
    stream.onSent(bytes);
  }

  private int highWater() {
    return owner.http2().context.limits().outboundHighWater();
  }

  private boolean maySend(Http2Stream stream) {
    return !stream.isClosed()
        && stream.outbound.isWaiting()
        && (stream.outbound.bytes() == 0 || (window > 0 && stream.sendWindow > 0));
  }

  /**
   * Sends what the windows and the socket permit. Returns true if a stream was called back that may
   * have added more.
   */
  boolean send() throws IOException {
    Connection connection = owner.connection();
    long before = sentBytes;
    while (wanted && connection.isOpen() && connection.makeRoom()) {
      Http2Stream next = next();
      if (next == null) {
        wanted = false;
      } else if (sentBytes >= TURN_BYTES_MAX) {
        connection.yieldTurn();
        break;
      } else {
        sentBytes += sendFrame(next);
        lastId = next.id();
      }
    }
    return sentBytes > before && notifyRoom();
  }

  /** Sends one frame of a stream. Returns the bytes of content. */
  private long sendFrame(Http2Stream stream) {
    int bytesMax = (int) Math.min(FRAME_BYTES_MAX, Math.min(window, stream.sendWindow));
    try {
      int sent = stream.outbound.sendFrame(owner, stream.id(), Math.max(0, bytesMax));
      count(stream, sent);
      return sent;
    } catch (IOException unreadable) {
      owner.http2().reportBrokenOff(unreadable);
      owner.reset(stream, ErrorCode.INTERNAL_ERROR, CloseReason.APPLICATION_FAILED);
    }
    return 0;
  }

  /** Returns the stream that sends next (RFC 9218 section 10); null if none can. */
  private @Nullable Http2Stream next() {
    Http2Stream best = null;
    boolean bestIsLater = false; // it comes after the last one, in turns
    for (int i = 0; i < streams.count(); i++) {
      Http2Stream stream = streams.get(i);
      if (!maySend(stream)) {
        continue;
      }
      boolean isLater = stream.id() > lastId;
      if (best == null || stream.urgency.level() < best.urgency.level()) {
        best = stream;
        bestIsLater = isLater;
      } else if (stream.urgency.level() == best.urgency.level()
          && best.urgency.isInTurns()
          && isLater
          && !bestIsLater) {
        best = stream;
        bestIsLater = true;
      }
    }
    return best;
  }

  /** Returns true if a stream could send; between turns none can. */
  boolean isForgotten() {
    return next() != null;
  }

  /** Calls back the streams that wait for room. Returns true if any was. */
  private boolean notifyRoom() {
    boolean notified = false;
    int id = 0;
    for (Http2Stream stream = streams.after(id); stream != null; stream = streams.after(id)) {
      id = stream.id();
      notified |= stream.notifyRoom();
    }
    return notified;
  }

  /** The socket can be written to again. */
  void onWritable() {
    wanted = true;
    boolean ignored = notifyRoom();
  }
}
