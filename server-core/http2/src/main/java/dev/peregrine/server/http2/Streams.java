package dev.peregrine.server.http2;

import dev.peregrine.server.exchange.StreamPool;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.InboundWindows;
import dev.peregrine.server.http2.flow.StreamTable;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.stream.Http2Stream;
import dev.peregrine.server.http2.stream.Trunk;
import dev.peregrine.server.observe.CloseReason;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection: which are open, and how each leaves. One that was reset stays in the
 * table until the turn drops it, and is found by no frame meanwhile.
 */
final class Streams {
  private final StreamPool<Http2Stream> pool;
  private final StreamTable<Http2Stream> table;
  private final Trunk trunk;
  private final InboundWindows windows;
  private final int streamsMax;
  private int lastId = -1; // the last stream that the client has opened
  private boolean skipped; // the client has skipped an identifier

  Streams(
      StreamPool<Http2Stream> pool,
      StreamTable<Http2Stream> table,
      Trunk trunk,
      InboundWindows windows,
      int streamsMax) {
    this.pool = pool;
    this.table = table;
    this.trunk = trunk;
    this.windows = windows;
    this.streamsMax = streamsMax;
  }

  // ---- identifiers ----

  /** Returns the last stream that the client has opened; 0 for none. */
  int lastId() {
    return Math.max(0, lastId);
  }

  /** Returns true if a client can't have used an identifier yet, or never may. */
  boolean isIdle(int id) {
    return id > lastId || (id & 1) == 0;
  }

  /** Notes that the client has used an identifier, which {@link #isIdle}. */
  void use(int id) {
    skipped |= id > lastId + 2;
    lastId = id;
  }

  /** Returns true if an identifier that isn't idle may never have been used. */
  boolean hasSkipped() {
    return skipped;
  }

  // ---- the table ----

  int count() {
    return table.count();
  }

  boolean isEmpty() {
    return table.isEmpty();
  }

  /** Returns the stream at an index, which may have been reset. */
  Http2Stream get(int index) {
    return table.get(index);
  }

  /** Returns the first stream with a larger identifier, which may have been reset; or null. */
  @Nullable Http2Stream after(int id) {
    return table.after(id);
  }

  /** Returns the stream with an identifier; null if none is open. */
  @Nullable Http2Stream find(int id) {
    Http2Stream found = table.find(id);
    return found != null && found.isLive() ? found : null;
  }

  /** Returns true if the client has as many streams as it may, or their handlers still run. */
  boolean isFull() {
    return count() + trunk.orphans() >= streamsMax;
  }

  /** Returns the most streams that a client may have at a time. */
  int streamsMax() {
    return streamsMax;
  }

  /** Returns the bytes of buffers that the content of all streams takes, both ways. */
  long heldBytes() {
    long sum = 0;
    for (int i = 0; i < count(); i++) {
      sum += get(i).heldBytes();
    }
    return sum;
  }

  /** Gives all clients their grace for sending again, because they couldn't send. */
  void restartRates() {
    for (int i = 0; i < count(); i++) {
      if (get(i).isLive()) {
        get(i).inbound().restartRate();
      }
    }
  }

  /** Releases the memory of an empty table that was large. */
  void trim() {
    table.trim();
  }

  // ---- the life of a stream ----

  /**
   * Returns a stream whose request has not begun.
   *
   * @param ends whether the request has no content. Content may arrive while handlers of other
   *     streams run, which would use a kept stream in a turn.
   */
  Http2Stream create(boolean ends) {
    return ends ? pool.take() : pool.create();
  }

  void add(Http2Stream stream) {
    table.add(stream);
  }

  /** The handler of a stream has returned. */
  void afterHandler(Http2Stream stream) {
    if (!stream.isLive()) {
      drop(stream);
    } else if (stream.isOver()) {
      release(stream);
    } else {
      stream.keep();
      trunk.serveLater();
    }
  }

  /** Releases a stream whose request and response are over. */
  void release(Http2Stream stream) {
    table.remove(stream);
    windows.onEnd(stream);
    trunk.restoreServed();
    giveBack(stream);
  }

  /** Gives back a stream that is over, or has not begun. */
  void giveBack(Http2Stream stream) {
    if (stream.end()) {
      pool.give(stream);
    }
  }

  /** Resets a stream and drops it. */
  void reset(Http2Stream stream, int code, CloseReason reason) {
    stream.reset(code, reason);
    drop(stream);
  }

  /** Resets a stream for a fault of the client. Returns a violation if there are too many. */
  @Nullable Violation resetForFault(Http2Stream stream, int code) {
    reset(stream, code, CloseReason.PROTOCOL_VIOLATED);
    return trunk.spend(FloodBudget.FAULT);
  }

  /** Drops a stream that was reset, or whose connection has ended. */
  void drop(Http2Stream stream) {
    if (table.find(stream.id()) != null) {
      table.remove(stream);
      windows.onEnd(stream);
      stream.drop();
    }
  }
}
