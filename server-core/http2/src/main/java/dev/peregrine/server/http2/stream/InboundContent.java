package dev.peregrine.server.http2.stream;

import dev.peregrine.server.exchange.message.RequestContent;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.http2.flow.OutboundContent;
import dev.peregrine.server.http2.flow.ReceiveWindow;
import dev.peregrine.server.http2.flow.StreamState;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.ContentQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content that arrives on a stream, for its exchange or its tunnel. Content that isn't taken at
 * once waits here, within the window of the stream.
 *
 * <pre>
 *   PASSED_ON ──discardRest──▶ DISCARDED ──stop, onTooSlow──▶ STOPPED
 *       ▲                                                        ▲
 *       └──divertTo── TUNNEL_AWAITED ──discardRest, stop─────────┘
 *
 *   from any ──deliver, the last byte and the end──▶ ENDED ──divertTo──▶ PASSED_ON
 * </pre>
 *
 * <p>Content is dropped from DISCARDED on. The rest of it isn't even wanted from STOPPED on, nor
 * while a tunnel is awaited: then the bytes aren't content (RFC 9110 section 9.3.6).
 */
public final class InboundContent {
  /** In place of a length: nothing can be passed on. */
  public static final int NOTHING = -1;

  private static final int BAD_REQUEST = 400;

  private static final int PASSED_ON = 0;
  private static final int TUNNEL_AWAITED = 1;
  private static final int DISCARDED = 2;
  private static final int STOPPED = 3;
  private static final int ENDED = 4;

  private final RequestContent content;
  private final StreamState stream;
  private final OutboundContent response;
  private final BufferPool pool;
  private final ContentQueue.Taker passing = this::pass;
  private final ReceiveWindow window = new ReceiveWindow();
  private @Nullable StreamTunnel tunnel;
  private @Nullable ContentQueue queue; // content that isn't taken yet
  private long missing; // bytes of declared content, or HttpStream.UNKNOWN_LENGTH
  private long discardedBytes;
  private int state = ENDED;

  InboundContent(
      RequestContent content, StreamState stream, OutboundContent response, BufferPool pool) {
    this.content = content;
    this.stream = stream;
    this.response = response;
    this.pool = pool;
  }

  /**
   * Begins with a request.
   *
   * @param length the declared length in bytes, 0 at the end of the stream, otherwise {@link
   *     HttpStream#UNKNOWN_LENGTH}
   */
  void begin(long length, boolean end, int windowBytes) {
    window.begin(windowBytes);
    tunnel = null;
    missing = length;
    discardedBytes = 0;
    state = end ? ENDED : PASSED_ON;
  }

  /** Returns the window of the client. */
  ReceiveWindow window() {
    return window;
  }

  /** Keeps the bytes that follow for a tunnel; they aren't wanted if none is made. */
  void awaitTunnel() {
    if (state == PASSED_ON) {
      state = TUNNEL_AWAITED;
    }
  }

  /** Passes all later content to a tunnel, also an end that came with the request. */
  void divertTo(StreamTunnel target) {
    tunnel = target;
    missing = HttpStream.UNKNOWN_LENGTH;
    if (!isDropped()) {
      state = PASSED_ON;
    }
  }

  private boolean isDropped() {
    return state == DISCARDED || state == STOPPED;
  }

  /** Returns the bytes of buffers that wait. */
  long heldBytes() {
    return queue == null ? 0 : queue.blockBytes();
  }

  /** Returns true if all of the content was passed on. */
  boolean isEnded() {
    return state == ENDED;
  }

  /** Returns true if the exchange waits for content of the client. */
  boolean isHungry() {
    return stream.isReceiving() && !isDropped() && tunnel == null && content.isHungry();
  }

  /**
   * Returns true if content may be passed on. None is while too much of the response waits:
   * otherwise an application that sends back what it gets would fill the memory with content that
   * its client doesn't take. A conversation is excepted: its handler bounds what it sends, and its
   * client may send everything before it receives.
   */
  private boolean isTaken() {
    boolean wanted = tunnel != null ? tunnel.takesContent() : content.isHungry();
    return isDropped() || (wanted && (response.hasRoom() || content.isOpenEnded()));
  }

  /**
   * Counts content against the declared length. Returns false if it is more, or if the end comes
   * too early: the request is malformed (RFC 9113 section 8.1.1).
   */
  public boolean count(int bytes, boolean end) {
    if (missing == HttpStream.UNKNOWN_LENGTH) {
      return true;
    }
    missing -= bytes;
    return missing >= 0 && (!end || missing == 0);
  }

  /** Takes content that has arrived. Returns how much of it doesn't wait here. */
  public int receive(Block block, int from, int to) {
    if (isDropped()) {
      discardedBytes += to - from;
      return to - from;
    }
    if (queue == null && isTaken()) {
      pass(block, from, to);
      return to - from;
    }
    if (queue == null) {
      queue = new ContentQueue(pool);
    }
    queue.addCopy(block.segment(), from, to - from);
    return 0;
  }

  private void pass(Block block, int from, int to) {
    if (tunnel != null) {
      tunnel.receive(block, from, to);
    } else if (!isDropped()) {
      content.receive(block, from, to);
    }
  }

  /** The client has ended its side, possibly with trailers. */
  public void receiveEnd(List<String> trailers) {
    stream.receiveEnd();
    if (!trailers.isEmpty() && !isDropped()) {
      content.receiveTrailers(trailers);
    }
  }

  /**
   * Passes on one piece of content that has waited, or the end. Returns its length; {@link
   * #NOTHING} if nothing can be passed on.
   */
  public int deliver() {
    ContentQueue waiting = queue;
    if (waiting != null && isTaken()) {
      int bytes = waiting.take(passing);
      if (waiting.isEmpty()) {
        queue = null;
      }
      return bytes;
    }
    if (waiting == null && isEndWaiting() && isTaken()) {
      boolean dropped = isDropped();
      state = ENDED;
      if (tunnel != null) {
        tunnel.receiveEnd();
      } else if (!dropped) {
        content.end();
      }
      return 0;
    }
    return NOTHING;
  }

  private boolean isEndWaiting() {
    return state != ENDED && !stream.isReceiving();
  }

  /** Returns true if content has arrived that isn't taken, or the end isn't passed on. */
  boolean isWaiting() {
    return queue != null || isEndWaiting();
  }

  /** Drops content from now on, because the response is complete. */
  public void discardRest() {
    if (state == PASSED_ON || state == TUNNEL_AWAITED) {
      state = state == PASSED_ON ? DISCARDED : STOPPED;
      content.dismiss();
    }
  }

  /** Drops content from now on; the rest of it isn't wanted. */
  void stop() {
    if (state != ENDED) {
      state = STOPPED;
    }
  }

  /**
   * Returns true if the rest of the content is read after the response, because little is left.
   *
   * @param bytesMax the most bytes that may be discarded
   */
  public boolean awaitsRest(long bytesMax) {
    long left = missing == HttpStream.UNKNOWN_LENGTH ? 0 : missing;
    return state != STOPPED && !content.isContinueAwaited() && discardedBytes + left <= bytesMax;
  }

  /** Breaks off content that can't arrive any more, because the client's connection has ended. */
  public void breakOffIfHungry() {
    if (queue == null && isHungry()) {
      content.breakOff(BAD_REQUEST, "the stream ended within the content");
    }
  }

  /** Returns true if the client sends content that is read at less than the required rate. */
  boolean isTooSlow(long nowNanos) {
    boolean isDiscarded = state == DISCARDED && stream.isReceiving() && tunnel == null;
    return (isHungry() || isDiscarded) && queue == null && content.isTooSlow(nowNanos);
  }

  /** Ends content that comes too slowly. */
  void onTooSlow() {
    if (isDropped()) {
      state = STOPPED;
    } else {
      content.onTooSlow();
    }
  }

  /** Gives the client its grace again, because it wasn't read. */
  public void restartRate() {
    if (tunnel == null) {
      content.restartRate();
    }
  }

  /** Drops what has arrived. */
  void clear() {
    if (queue != null) {
      queue.clear();
      queue = null;
    }
  }
}
