package dev.peregrine.server.http2;

import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.hpack.HpackDecoder;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.PeerSettings;
import dev.peregrine.server.http2.flow.Urgency;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.Setting;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.head.RequestHeads;
import dev.peregrine.server.http2.stream.Http2Stream;
import dev.peregrine.server.http2.stream.LoopParts;
import dev.peregrine.server.http2.stream.Trunk;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.SocketFacts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the field blocks of a connection: heads of requests, which open streams, and trailers.
 * Every block is decoded to its end, also those of refused requests, because the state of the
 * decoder depends on all of them.
 */
final class StreamOpener {
  private final LoopParts loop;
  private final Trunk trunk;
  private final Streams streams;
  private final Priorities priorities;
  private final PeerSettings peer;
  private final Drain drain;
  private final RejectedHeads rejected;

  // Not asked for each request: the socket is another one after a move to epoll.
  private final boolean isSecure;
  private final boolean restrictsHosts;

  private final HpackDecoder decoder = new HpackDecoder(Setting.TABLE_BYTES_DEFAULT);

  StreamOpener(LoopParts loop, Trunk trunk, Streams streams, Priorities priorities, Drain drain) {
    this.loop = loop;
    this.trunk = trunk;
    this.streams = streams;
    this.priorities = priorities;
    this.peer = trunk.peer();
    this.drain = drain;
    this.rejected = new RejectedHeads(loop);
    SocketFacts facts = trunk.connection().facts();
    this.isSecure = facts.isSecure();
    this.restrictsHosts = facts.restrictsHosts();
  }

  /** A whole field block has arrived. */
  @Nullable Violation onBlock(
      int id, MemorySegment bytes, long from, long to, boolean ends, boolean dependsOnItself) {
    if (!loop.heads().decode(decoder, bytes, from, to)) {
      return Violation.COMPRESSION;
    }
    if ((id & 1) == 0) {
      return Violation.STREAM_ID;
    }
    if (!streams.isIdle(id)) {
      Http2Stream open = streams.find(id);
      return open != null ? onTrailers(open, ends) : onEnded(id);
    }
    return open(id, ends, dependsOnItself);
  }

  private @Nullable Violation refuse(int id, int code, int points) {
    trunk.reset(id, code);
    return trunk.spend(points);
  }

  /** Fields have arrived for a stream that has ended. */
  private @Nullable Violation onEnded(int id) {
    if (trunk.wasReset(id)) {
      return trunk.spend(FloodBudget.LATE_FRAME);
    }
    return streams.hasSkipped() ? Violation.STREAM_ID : Violation.STREAM_ENDED;
  }

  /** Opens a stream. C2 compiles it apart, because it is too long to be inlined. */
  private @Nullable Violation open(int id, boolean ends, boolean dependsOnItself) {
    streams.use(id);
    if (drain.isFinal()) {
      return refuse(id, ErrorCode.REFUSED_STREAM, FloodBudget.LATE_FRAME);
    }
    if (dependsOnItself) {
      return refuse(id, ErrorCode.PROTOCOL_ERROR, FloodBudget.FAULT);
    }
    if (streams.isFull()) {
      return refuse(id, ErrorCode.REFUSED_STREAM, FloodBudget.REFUSED);
    }
    Http2Stream stream = streams.create(ends);
    Connection connection = trunk.connection();
    RequestHeads heads = loop.heads();
    RequestHead head = stream.head();
    Rejection wrong = heads.read(connection, isSecure, restrictsHosts, head);
    if (wrong == null && ends && head.contentLength() > 0) {
      wrong = Rejection.CONTENT_LENGTH_INVALID;
    }
    if (wrong != null) {
      rejected.reject(trunk, id, ends, wrong, head, peer.initialWindow());
      streams.giveBack(stream);
      return trunk.spend(FloodBudget.FAULT);
    }
    MemorySegment bytes = heads.bytes();
    stream.begin(trunk, id, peer.initialWindow(), bytes, ends);
    Urgency urgency = stream.outbound().urgency();
    if (head.has(KnownHeader.PRIORITY)) {
      int field = head.indexOf(KnownHeader.PRIORITY);
      urgency.set(bytes, head.valueStart(field), head.valueEnd(field));
    }
    priorities.apply(id, urgency);
    streams.add(stream);
    connection.countUse();
    int usesMax = loop.context().limits().requestsPerConnectionMax();
    if (usesMax > 0 && connection.uses() >= usesMax) {
      drain.begin(CloseReason.LAST_RESPONSE);
    }
    loop.note(stream.exchange());
    stream.exchange().handle();
    streams.afterHandler(stream);
    return null;
  }

  private @Nullable Violation onTrailers(Http2Stream stream, boolean ends) {
    if (!stream.state().isReceiving()) {
      return streams.resetForFault(stream, ErrorCode.STREAM_CLOSED);
    }
    boolean mayFollow = ends && !stream.isTunnel(); // RFC 9113 section 8.5
    List<String> trailers = mayFollow ? loop.heads().readTrailers() : null;
    if (trailers == null || !stream.inbound().count(0, true)) {
      return streams.resetForFault(stream, ErrorCode.PROTOCOL_ERROR);
    }
    stream.inbound().receiveEnd(trailers);
    trunk.serveLater();
    return null;
  }
}
