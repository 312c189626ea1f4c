package dev.peregrine.server.http2;

import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.memory.Block;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the DATA frames of a connection (RFC 9113 section 6.1). */
final class DataReceiver {
  private final Http2Connection owner;
  private final InboundWindows windows;

  DataReceiver(Http2Connection owner, InboundWindows windows) {
    this.owner = owner;
    this.windows = windows;
  }

  /**
   * The head of a DATA frame has arrived. Returns the stream that its content is for; null to drop
   * the content.
   */
  @Nullable Http2Stream onHead(int id, int length, int content, boolean ends) {
    if (owner.opener().isIdle(id)) {
      owner.fail(Violation.STREAM_ID);
      return null;
    }
    windows.receive(length);
    Violation flood = null;
    if (content == 0 && !ends) {
      flood = owner.spend(FloodBudget.EMPTY_DATA);
    } else if (length > 2 * content + 1) {
      flood = owner.spend(FloodBudget.PADDING);
    }
    if (flood != null) {
      owner.fail(flood);
      return null;
    }
    Http2Stream stream = owner.streams().find(id);
    if (stream == null) {
      onEnded(id);
    } else if (!isInOrder(stream, length, content, ends)) {
      return null;
    } else {
      windows.giveBack(stream, length - content); // the padding
    }
    return stream;
  }

  /** Checks a frame for an open stream, and resets the stream if it is wrong. */
  private boolean isInOrder(Http2Stream stream, int length, int content, boolean ends) {
    InboundContent inbound = stream.inbound;
    int fault = ErrorCode.NO_ERROR;
    if (inbound.isEndReceived()) {
      fault = ErrorCode.STREAM_CLOSED;
    } else if (!inbound.window.receive(length)) {
      fault = ErrorCode.FLOW_CONTROL_ERROR;
    } else if (!inbound.count(content, ends)) {
      fault = ErrorCode.PROTOCOL_ERROR;
    }
    if (fault != ErrorCode.NO_ERROR) {
      owner.resetForFault(stream, fault);
    }
    return fault == ErrorCode.NO_ERROR;
  }

  /** A frame has arrived for a stream that has ended. */
  private void onEnded(int id) {
    Violation flood = owner.spend(FloodBudget.LATE_FRAME);
    if (flood != null) {
      owner.fail(flood);
    } else if (!owner.wasReset(id)) {
      owner.refuse(id, ErrorCode.STREAM_CLOSED);
    }
  }

  /** Content has arrived. */
  void onContent(Http2Stream stream, Block block, int from, int to) {
    windows.giveBack(stream, stream.inbound.receive(block, from, to));
    owner.serveLater();
  }

  void onEnd(Http2Stream stream) {
    stream.inbound.receiveEnd(List.of());
    owner.serveLater();
  }
}
