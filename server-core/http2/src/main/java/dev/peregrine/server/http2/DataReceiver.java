package dev.peregrine.server.http2;

import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.InboundWindows;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.stream.Http2Stream;
import dev.peregrine.server.http2.stream.Trunk;
import dev.peregrine.server.memory.Block;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the DATA frames of a connection (RFC 9113 section 6.1). */
final class DataReceiver {
  private final Trunk trunk;
  private final Streams streams;
  private final InboundWindows windows;
  private @Nullable Http2Stream stream; // of the present frame; null to drop its content
  private int id; // of that stream, which may have ended since

  DataReceiver(Trunk trunk, Streams streams, InboundWindows windows) {
    this.trunk = trunk;
    this.streams = streams;
    this.windows = windows;
  }

  /** The head of a frame has arrived. Returns the fault that ends the connection, or null. */
  @Nullable Violation onHead(int streamId, int length, int content, boolean ends) {
    stream = null;
    if (streams.isIdle(streamId)) {
      return Violation.STREAM_ID;
    }
    windows.receive(length);
    Violation flood = null;
    if (content == 0 && !ends) {
      flood = trunk.spend(FloodBudget.EMPTY_DATA);
    } else if (length > 2 * content + 1) {
      flood = trunk.spend(FloodBudget.PADDING);
    }
    if (flood != null) {
      return flood;
    }
    Http2Stream open = streams.find(streamId);
    if (open == null) {
      return onEnded(streamId);
    }
    int fault = check(open, length, content, ends);
    if (fault != ErrorCode.NO_ERROR) {
      return streams.resetForFault(open, fault);
    }
    windows.giveBack(open, length - content); // the padding
    stream = open;
    id = streamId;
    return null;
  }

  /** Checks a frame for an open stream. Returns the code to reset it with, or NO_ERROR. */
  private static int check(Http2Stream stream, int length, int content, boolean ends) {
    if (!stream.state().isReceiving()) {
      return ErrorCode.STREAM_CLOSED;
    }
    if (!stream.receiveWindow().receive(length)) {
      return ErrorCode.FLOW_CONTROL_ERROR;
    }
    return stream.inbound().count(content, ends) ? ErrorCode.NO_ERROR : ErrorCode.PROTOCOL_ERROR;
  }

  /** A frame has arrived for a stream that has ended. */
  private @Nullable Violation onEnded(int streamId) {
    Violation flood = trunk.spend(FloodBudget.LATE_FRAME);
    if (flood == null && !trunk.wasReset(streamId)) {
      trunk.reset(streamId, ErrorCode.STREAM_CLOSED);
    }
    return flood;
  }

  /** Content has arrived. */
  void onContent(Block block, int from, int to) {
    Http2Stream target = target();
    if (target != null) {
      windows.giveBack(target, target.inbound().receive(block, from, to));
      trunk.serveLater();
    }
  }

  /** The last frame of the stream has arrived. */
  void onEnd() {
    Http2Stream target = target();
    if (target != null) {
      target.inbound().receiveEnd(List.of());
      trunk.serveLater();
    }
  }

  /** Returns the stream of the present frame, unless it has ended meanwhile. */
  private @Nullable Http2Stream target() {
    Http2Stream open = stream;
    return open != null && open.id() == id && open.isLive() ? open : null;
  }
}
