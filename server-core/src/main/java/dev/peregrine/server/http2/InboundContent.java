package dev.peregrine.server.http2;

import dev.peregrine.server.exchange.HttpStream;
import dev.peregrine.server.exchange.RequestContent;
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
 */
final class InboundContent {
  /** In place of a length: nothing can be passed on. */
  static final int NOTHING = -1;

  private static final int BAD_REQUEST = 400;

  private final RequestContent content;
  private final StreamState state;
  private final OutboundContent response;
  private final BufferPool pool;
  private final ContentQueue.Taker passing = this::pass;
  final ReceiveWindow window = new ReceiveWindow();
  private @Nullable StreamTunnel tunnel;
  private @Nullable ContentQueue queue; // content that isn't taken yet
  private long missing; // bytes of declared content, or HttpStream.UNKNOWN_LENGTH
  private long discardedBytes;
  private boolean ended; // END_STREAM has arrived, and the content before it was passed on
  private boolean discards; // content that arrives is dropped
  private boolean stopped; // the rest of it isn't wanted at all

  InboundContent(
      RequestContent content, StreamState state, OutboundContent response, BufferPool pool) {
    this.content = content;
    this.state = state;
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
    ended = end;
    discards = false;
    stopped = false;
  }

  /**
   * The bytes that follow aren't content (RFC 9110 section 9.3.6): they wait for a tunnel, and
   * aren't wanted if none is made.
   */
  void awaitTunnel() {
    stopped = true;
  }

  /** Passes all later content to a tunnel. */
  void divertTo(StreamTunnel target) {
    tunnel = target;
    missing = HttpStream.UNKNOWN_LENGTH;
    ended = false; // the tunnel is notified of an end that came with the request
  }

  /** Returns the bytes of buffers that wait. */
  long heldBytes() {
    return queue == null ? 0 : queue.blockBytes();
  }

  /** Returns true if all of the content was passed on. */
  boolean isEnded() {
    return ended;
  }

  /** Returns true if the exchange waits for content of the client. */
  boolean isHungry() {
    return state.isReceiving() && !discards && tunnel == null && content.isHungry();
  }

  /**
   * Returns true if content may be passed on. None is while too much of the response waits:
   * otherwise an application that sends back what it gets would fill the memory with content that
   * its client doesn't take.
   */
  private boolean isTaken() {
    boolean wanted = tunnel != null ? tunnel.takesContent() : content.isHungry();
    return discards || (wanted && response.hasRoom());
  }

  /**
   * Counts content against the declared length. Returns false if it is more, or if the end comes
   * too early: the request is malformed (RFC 9113 section 8.1.1).
   */
  boolean count(int bytes, boolean end) {
    if (missing == HttpStream.UNKNOWN_LENGTH) {
      return true;
    }
    missing -= bytes;
    return missing >= 0 && (!end || missing == 0);
  }

  /** Takes content that has arrived. Returns how much of it doesn't wait here. */
  int receive(Block block, int from, int to) {
    if (discards) {
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
    } else if (!discards) {
      content.receive(block, from, to);
    }
  }

  /** The client has ended its side, possibly with trailers. */
  void receiveEnd(List<String> trailers) {
    state.receiveEnd();
    if (!trailers.isEmpty() && !discards) {
      content.receiveTrailers(trailers);
    }
  }

  /**
   * Passes on one piece of content that has waited, or the end. Returns its length; {@link
   * #NOTHING} if nothing can be passed on.
   */
  int deliver() {
    ContentQueue waiting = queue;
    if (waiting != null && isTaken()) {
      int bytes = waiting.take(passing);
      if (waiting.isEmpty()) {
        queue = null;
      }
      return bytes;
    }
    if (waiting == null && !state.isReceiving() && !ended && isTaken()) {
      ended = true;
      if (tunnel != null) {
        tunnel.receiveEnd();
      } else if (!discards) {
        content.end();
      }
      return 0;
    }
    return NOTHING;
  }

  /** Returns true if content has arrived that isn't taken, or the end isn't passed on. */
  boolean isWaiting() {
    return queue != null || (!state.isReceiving() && !ended);
  }

  /** Drops content from now on, because the response is complete. */
  void discardRest() {
    if (!discards) {
      discards = true;
      content.dismiss();
    }
  }

  /** Drops content from now on; the rest of it isn't wanted. */
  void stop() {
    discards = true;
    stopped = true;
  }

  /**
   * Returns true if the rest of the content is read after the response, because little is left.
   *
   * @param bytesMax the most bytes that may be discarded
   */
  boolean awaitsRest(long bytesMax) {
    long left = missing == HttpStream.UNKNOWN_LENGTH ? 0 : missing;
    return !stopped && !content.isContinueAwaited() && discardedBytes + left <= bytesMax;
  }

  /** Breaks off content that can't arrive any more, because the client's connection has ended. */
  void breakOffIfHungry() {
    if (queue == null && isHungry()) {
      content.breakOff(BAD_REQUEST, "the stream ended within the content");
    }
  }

  /** Returns true if the client sends content that is read at less than the required rate. */
  boolean isTooSlow(long nowNanos) {
    boolean isRead = isHungry() || (discards && !stopped && state.isReceiving() && tunnel == null);
    return isRead && queue == null && content.isTooSlow(nowNanos);
  }

  /** Ends content that comes too slowly. */
  void onTooSlow() {
    if (discards) {
      stopped = true;
    } else {
      content.onTooSlow();
    }
  }

  /** Gives the client its grace again, because it wasn't read. */
  void restartRate() {
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
