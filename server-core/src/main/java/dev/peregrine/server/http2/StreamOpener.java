package dev.peregrine.server.http2;

import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.hpack.HpackDecoder;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.KnownError;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.Urgency;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.Setting;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.observe.CloseReason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the field blocks of a connection: heads of requests, which open streams, and trailers.
 * Every block is decoded to its end, also those of refused requests, because the state of the
 * decoder depends on all of them.
 */
final class StreamOpener {
  private static final int BAD_REQUEST = 400;
  private static final String VISIBLE = "\"<>[\\]^`{|}"; // that no target may have unencoded

  private final Http2Connection owner;
  private final Http2 http2;
  private final HpackDecoder decoder = new HpackDecoder(Setting.TABLE_BYTES_DEFAULT);
  private int lastId = -1; // the last stream that the client has opened
  private boolean skipped; // the client has skipped an identifier
  private @Nullable Http2Stream left; // its handler was left in this turn

  StreamOpener(Http2Connection owner, Http2 http2) {
    this.owner = owner;
    this.http2 = http2;
  }

  /** Returns the last stream that the client has opened; 0 for none. */
  int lastId() {
    return Math.max(0, lastId);
  }

  /** Returns true if a client can't have used an identifier yet, or never may. */
  boolean isIdle(int id) {
    return id > lastId || (id & 1) == 0;
  }

  /** A whole field block has arrived. */
  @Nullable Violation onBlock(
      int id, MemorySegment bytes, long from, long to, boolean ends, boolean dependsOnItself) {
    if (!decoder.decode(bytes, from, to, http2.fields)) {
      return Violation.COMPRESSION;
    }
    if ((id & 1) == 0) {
      return Violation.STREAM_ID;
    }
    if (id <= lastId) {
      Http2Stream open = owner.streams().find(id);
      return open != null ? onTrailers(open, ends) : onEnded(id);
    }
    skipped |= id > lastId + 2;
    lastId = id;
    if (owner.drain().isFinal()) {
      owner.refuse(id, ErrorCode.REFUSED_STREAM);
      return owner.spend(FloodBudget.LATE_FRAME);
    }
    if (dependsOnItself) {
      owner.refuse(id, ErrorCode.PROTOCOL_ERROR);
      return owner.spend(FloodBudget.FAULT);
    }
    if (owner.isFull()) {
      owner.refuse(id, ErrorCode.REFUSED_STREAM);
      return owner.spend(FloodBudget.REFUSED);
    }
    return open(id, ends);
  }

  /** Fields have arrived for a stream that has ended. */
  private @Nullable Violation onEnded(int id) {
    if (owner.wasReset(id)) {
      return owner.spend(FloodBudget.LATE_FRAME);
    }
    return skipped ? Violation.STREAM_ID : Violation.STREAM_ENDED;
  }

  private @Nullable Violation open(int id, boolean ends) {
    Connection connection = owner.connection();
    // Content may arrive while handlers of other streams run, which would use a kept one in a turn.
    Http2Stream stream = ends ? http2.streams.take() : http2.streams.create();
    RequestHead head = stream.head;
    Rejection wrong = http2.readHead(connection, head);
    if (wrong == null && ends && head.contentLength() > 0) {
      wrong = Rejection.CONTENT_LENGTH_INVALID;
    }
    if (wrong != null) {
      boolean isReset = wrong.status() == BAD_REQUEST && !isUsual(wrong, head);
      boolean isHead = head.method() == HttpMethod.HEAD;
      http2.release(stream);
      int bytes = 0;
      if (isReset) {
        owner.refuse(id, ErrorCode.PROTOCOL_ERROR);
      } else {
        bytes = answer(id, ends, wrong, isHead);
      }
      logRejected(wrong, bytes);
      return owner.spend(FloodBudget.FAULT);
    }
    stream.begin(owner, id, http2.headBytes(), ends);
    if (head.has(KnownHeader.PRIORITY)) {
      int field = head.indexOf(KnownHeader.PRIORITY);
      Urgency urgency = stream.outbound.urgency();
      urgency.set(http2.headBytes(), head.valueStart(field), head.valueEnd(field));
    }
    owner.priorities().apply(stream);
    owner.streams().add(stream);
    connection.countUse();
    int usesMax = http2.context.limits().requestsPerConnectionMax();
    if (usesMax > 0 && connection.uses() >= usesMax) {
      owner.drain().begin(CloseReason.LAST_RESPONSE);
    }
    http2.handle(stream);
    owner.afterHandler(stream);
    return null;
  }

  /** The handler of a stream was left: its turn ends without a return to {@link #open}. */
  void leave(Http2Stream stream) {
    left = stream;
  }

  /** Does what {@link #open} does after the handler, if that was left in this turn. */
  void endLeft() {
    Http2Stream stream = left;
    if (stream != null) {
      left = null;
      owner.afterHandler(stream);
    }
  }

  private void logRejected(Rejection rejection, int contentBytes) {
    Connection connection = owner.connection();
    http2.context.log().rejected(connection, rejection, http2.fields.textLength());
    http2.context.reportRejected(connection, KnownError.of(rejection), contentBytes);
  }

  /** Answers a head that was rejected. Returns the number of bytes of the content. */
  private int answer(int id, boolean ends, Rejection rejection, boolean isHead) {
    int bytes = http2.answer(owner, id, KnownError.of(rejection), isHead);
    if (!ends) {
      owner.refuse(id, ErrorCode.NO_ERROR);
    }
    return bytes;
  }

  /**
   * Returns true for a fault that browsers make, too: a target with a visible character that should
   * be encoded. Its client gets a response, as it does over HTTP/1.
   */
  private boolean isUsual(Rejection rejection, RequestHead head) {
    return rejection == Rejection.TARGET_ENCODING_INVALID
        || (rejection == Rejection.TARGET_CHARACTER_INVALID && isVisible(head.rejectedAt()));
  }

  private boolean isVisible(int at) {
    return VISIBLE.indexOf(http2.headBytes().get(ValueLayout.JAVA_BYTE, at)) >= 0;
  }

  private @Nullable Violation onTrailers(Http2Stream stream, boolean ends) {
    if (!stream.state().isReceiving()) {
      return owner.resetForFault(stream, ErrorCode.STREAM_CLOSED);
    }
    boolean mayFollow = ends && !stream.isTunnel(); // RFC 9113 section 8.5
    List<String> trailers = mayFollow ? http2.readTrailers() : null;
    if (trailers == null || !stream.inbound.count(0, true)) {
      return owner.resetForFault(stream, ErrorCode.PROTOCOL_ERROR);
    }
    stream.inbound.receiveEnd(trailers);
    owner.serveLater();
    return null;
  }
}
