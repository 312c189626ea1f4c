package dev.peregrine.server.http2;

import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http2.frame.Frame;
import dev.peregrine.server.http2.head.HeadTarget;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.ContentQueue;
import dev.peregrine.server.memory.OutboundQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response that is not sent yet, and the end of its stream. Most responses are
 * sent with their head, so that nothing waits here.
 */
final class OutboundContent {
  private final Http2 http2;
  private @Nullable ContentQueue queue;
  private @Nullable FieldLines trailers; // sent after the content
  private boolean endWanted; // the response is given completely
  private boolean endSent; // END_STREAM was sent

  OutboundContent(Http2 http2) {
    this.http2 = http2;
  }

  void begin() {
    trailers = null;
    endWanted = false;
    endSent = false;
  }

  /** Returns the queue that content is added to. */
  ContentQueue queue() {
    ContentQueue known = queue;
    if (known == null) {
      BufferPool pool = http2.context.loop().bufferPool();
      known = new ContentQueue(pool);
      queue = known;
    }
    return known;
  }

  /** Ends the response after its content. */
  void end(FieldLines lines) {
    if (lines.length() > 0) {
      trailers = lines.copy(); // because the exchange may reuse its own
    }
    endWanted = true;
  }

  /** The end of the stream was sent, or nothing is sent any more. */
  void onEndSent() {
    endWanted = true;
    endSent = true;
  }

  boolean isEndSent() {
    return endSent;
  }

  /** Returns true if something waits that can be sent when the windows permit it. */
  boolean isWaiting() {
    return !endSent && (endWanted || queue != null);
  }

  /** Returns true if less than the high-water mark waits. */
  boolean hasRoom() {
    return queue == null || queue.bytes() < http2.context.limits().outboundHighWater();
  }

  /** Returns the bytes of buffers that wait; what waits elsewhere is the application's. */
  long heldBytes() {
    return queue == null ? 0 : queue.blockBytes();
  }

  /** Returns the number of bytes that wait. */
  long bytes() {
    return queue == null ? 0 : queue.bytes();
  }

  /**
   * Sends one frame, and the trailers after the last one.
   *
   * @param bytesMax the most content that it may have
   * @return the bytes of content that were sent
   */
  int sendFrame(HeadTarget target, int stream, int bytesMax) throws IOException {
    OutboundQueue out = target.out();
    ContentQueue waiting = queue;
    int bytes = (int) Math.min(bytesMax, bytes());
    boolean last = endWanted && bytes() == bytes;
    boolean ends = last && trailers == null;
    if (bytes > 0 || ends) {
      byte[] head = http2.frameHead;
      int flags = ends ? Frame.END_STREAM : 0;
      int ignored = Frame.head(head, 0, bytes, Frame.DATA, flags, stream);
      if (waiting == null) {
        out.appendCopy(head, 0, Frame.HEAD_BYTES);
      } else {
        waiting.moveTo(out, head, bytes);
      }
    }
    if (waiting != null && waiting.isEmpty()) {
      queue = null;
    }
    if (last) {
      if (trailers != null) {
        http2.encoder.trailers(target, stream, trailers);
      }
      onEndSent();
    }
    return bytes;
  }

  /** Sends one frame with a copy of bytes, while nothing waits. */
  void sendCopy(HeadTarget target, int stream, MemorySegment source, long from, int bytes) {
    byte[] head = http2.frameHead;
    int length = Frame.head(head, 0, bytes, Frame.DATA, 0, stream);
    target.out().appendCopy(head, 0, length);
    target.out().append(source, from, bytes);
  }

  /** Drops what waits. */
  void clear() {
    if (queue != null) {
      queue.clear();
      queue = null;
    }
  }
}
