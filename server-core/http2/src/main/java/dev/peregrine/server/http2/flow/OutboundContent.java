package dev.peregrine.server.http2.flow;

import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http2.head.HeadTarget;
import dev.peregrine.server.memory.ContentQueue;
import dev.peregrine.server.pace.TakingPatience;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response that is not sent yet, and the end of its stream; the client's window
 * for it, and its priority. Most responses are sent with their head, so that nothing waits here.
 */
public final class OutboundContent {
  private final StreamState state;
  private final SendTools tools;
  private final Urgency urgency = new Urgency();
  private final TakingPatience taking; // of the stream's own window
  private int id;
  private long window; // bytes that the client takes now; negative after a smaller setting
  private @Nullable ContentQueue queue;
  private @Nullable FieldLines trailers; // sent after the content
  private boolean complete; // nothing is added any more
  private @Nullable IOException failure; // the content can't be read

  public OutboundContent(StreamState state, SendTools tools) {
    this.state = state;
    this.tools = tools;
    this.taking = new TakingPatience(tools.takingRate());
  }

  /**
   * Begins with a stream.
   *
   * @param windowBytes the window that the client gives it
   */
  public void begin(int streamId, int windowBytes, long nowNanos) {
    id = streamId;
    window = windowBytes;
    urgency.reset();
    taking.begin(nowNanos);
    trailers = null;
    complete = false;
    failure = null;
  }

  int id() {
    return id;
  }

  public Urgency urgency() {
    return urgency;
  }

  /** Returns the queue that content is added to. */
  public ContentQueue queue() {
    ContentQueue known = queue;
    if (known == null) {
      known = new ContentQueue(tools.pool());
      queue = known;
    }
    return known;
  }

  /** Ends the response after its content. */
  public void end(FieldLines lines) {
    if (lines.length() > 0) {
      trailers = lines.copy(); // because the exchange may reuse its own
    }
    complete = true;
  }

  /** Returns true if something waits that can be sent when the windows permit it. */
  boolean isWaiting() {
    return state.isSending() && failure == null && (complete || queue != null);
  }

  /** Returns true if the end was sent, or can't be any more. */
  public boolean isOver() {
    return !state.isSending() || failure != null;
  }

  /** Returns why content could not be read, so that the stream must be reset; otherwise null. */
  public @Nullable IOException failure() {
    return failure;
  }

  /** Returns true if less than the high-water mark waits. */
  public boolean hasRoom() {
    return queue == null || queue.bytes() < tools.highWater();
  }

  /** Returns the bytes of buffers that wait; what waits elsewhere is the application's. */
  public long heldBytes() {
    return queue == null ? 0 : queue.blockBytes();
  }

  /** Returns the number of bytes that wait. */
  public long bytes() {
    return queue == null ? 0 : queue.bytes();
  }

  // ---- the window ----

  /** Changes the window, which may become negative. Returns false if it becomes too large. */
  public boolean grow(int increment) {
    window += increment;
    return window <= Integer.MAX_VALUE;
  }

  long window() {
    return window;
  }

  /** Counts content that passes the window. */
  void pass(int bytes, long nowNanos) {
    window -= bytes;
    taking.onTaken(bytes, nowNanos);
  }

  /** Takes the room for content that is sent with the head. */
  void take(int bytes) {
    window -= bytes;
  }

  /** Returns true if the window holds content back. */
  public boolean isHeldBack() {
    return window <= 0 && bytes() > 0;
  }

  /**
   * Judges the client; called about once a second. Returns true if the window has held content back
   * for too long.
   */
  public boolean judge(long nowNanos) {
    return taking.judge(isHeldBack(), nowNanos);
  }

  // ---- sending ----

  /**
   * Sends one frame, and the trailers after the last one.
   *
   * @param bytesMax the most content that it may have
   * @return the bytes of content that were sent; 0 if it can't be read, see {@link #failure}
   */
  int sendFrame(HeadTarget target, int bytesMax) {
    ContentQueue waiting = queue;
    int bytes = (int) Math.min(bytesMax, bytes());
    boolean last = complete && bytes() == bytes;
    boolean ends = last && trailers == null;
    try {
      if (bytes > 0 || ends) {
        tools.data().write(target.out(), id, waiting, bytes, ends);
      }
    } catch (IOException unreadable) {
      failure = unreadable;
      return 0;
    }
    if (waiting != null && waiting.isEmpty()) {
      queue = null;
    }
    if (last) {
      if (trailers != null) {
        tools.encoder().trailers(target, id, trailers);
      }
      state.sendEnd();
    }
    return bytes;
  }

  /** Sends one frame with a copy of bytes, while nothing waits. */
  void sendCopy(HeadTarget target, MemorySegment source, long from, int bytes) {
    tools.data().writeCopy(target.out(), id, source, from, bytes);
  }

  /** Drops what waits. */
  public void clear() {
    if (queue != null) {
      queue.clear();
      queue = null;
    }
  }
}
