package dev.peregrine.server.http2;

import dev.peregrine.server.http2.flow.ConnectionPatience;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.InboundWindows;
import dev.peregrine.server.http2.flow.PeerSettings;
import dev.peregrine.server.http2.flow.SendQueue;
import dev.peregrine.server.http2.frame.Control;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.FrameHandler;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.stream.Http2Stream;
import dev.peregrine.server.http2.stream.LoopParts;
import dev.peregrine.server.http2.stream.Trunk;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.CloseReason;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Takes the frames of a connection, each for the part that it concerns. */
final class ConnectionFrames implements FrameHandler {
  private final Control control;
  private final Trunk trunk;
  private final Streams streams;
  private final SendQueue output;
  private final InboundWindows windows;
  private final ConnectionPatience patience;
  private final Drain drain;
  private final @Nullable Upkeep upkeep;
  private final PeerSettings peer;
  private final DataReceiver data;
  private final Priorities priorities;
  private final StreamOpener opener;

  ConnectionFrames(
      LoopParts loop,
      Trunk trunk,
      Streams streams,
      InboundWindows windows,
      ConnectionPatience patience,
      Drain drain,
      @Nullable Upkeep upkeep) {
    this.control = loop.control();
    this.trunk = trunk;
    this.streams = streams;
    this.output = trunk.output();
    this.windows = windows;
    this.patience = patience;
    this.drain = drain;
    this.upkeep = upkeep;
    this.peer = trunk.peer();
    this.data = new DataReceiver(trunk, streams, windows);
    this.priorities = new Priorities(trunk, streams);
    this.opener = new StreamOpener(loop, trunk, streams, priorities, drain);
  }

  @Override
  public void onPreface() {
    drain.sendPreface();
  }

  // ---- streams ----

  @Override
  public @Nullable Violation onDataHead(int id, int length, int content, boolean ends) {
    return data.onHead(id, length, content, ends);
  }

  @Override
  public void onContent(Block block, int from, int to) {
    data.onContent(block, from, to);
  }

  @Override
  public void onDataEnd() {
    data.onEnd();
  }

  @Override
  public void onBlockBegin() {
    patience.onBlockBegin(trunk.nanos());
  }

  @Override
  public @Nullable Violation onContinuation() {
    return trunk.spend(FloodBudget.CONTINUATION);
  }

  @Override
  public @Nullable Violation onBlock(
      int id, MemorySegment bytes, long from, long to, boolean ends, boolean dependsOnItself) {
    return opener.onBlock(id, bytes, from, to, ends, dependsOnItself);
  }

  @Override
  public @Nullable Violation onReset(int id) {
    if (streams.isIdle(id)) {
      return Violation.STREAM_ID;
    }
    Http2Stream stream = streams.find(id);
    if (stream == null) {
      return trunk.spend(FloodBudget.LATE_FRAME);
    }
    stream.cancel();
    streams.drop(stream);
    return trunk.spend(FloodBudget.CANCELLED);
  }

  @Override
  public @Nullable Violation onPriority(int id, int length, int dependency) {
    return priorities.onPriority(id, length, dependency);
  }

  @Override
  public @Nullable Violation onPriorityUpdate(int id, MemorySegment bytes, int from, int to) {
    return priorities.onUpdate(id, bytes, from, to);
  }

  // ---- windows ----

  @Override
  public @Nullable Violation onWindowUpdate(int id, int increment) {
    Violation flood = output.countUpdate() ? null : trunk.spend(FloodBudget.WINDOW);
    if (flood != null) {
      return flood;
    }
    output.request();
    if (id != 0) {
      return streams.isIdle(id) ? Violation.STREAM_ID : onStreamWindow(id, increment);
    }
    if (increment == 0) {
      return Violation.WINDOW_INCREMENT;
    }
    return output.grow(increment) ? null : Violation.WINDOW_OVERFLOW;
  }

  private @Nullable Violation onStreamWindow(int id, int increment) {
    Http2Stream stream = streams.find(id);
    if (stream == null) {
      return null; // it has ended meanwhile
    }
    if (increment == 0) {
      return streams.resetForFault(stream, ErrorCode.PROTOCOL_ERROR);
    }
    return stream.outbound().grow(increment)
        ? null
        : streams.resetForFault(stream, ErrorCode.FLOW_CONTROL_ERROR);
  }

  // ---- the connection ----

  @Override
  public @Nullable Violation onSettings(int count, boolean first) {
    return trunk.spend((first ? 0 : FloodBudget.SETTINGS) + count * FloodBudget.SETTING);
  }

  @Override
  public @Nullable Violation onSetting(int setting, int value) {
    output.request();
    return peer.take(setting, value);
  }

  @Override
  public void onSettingsEnd() {
    control.settingsAcknowledgement(trunk.out());
  }

  @Override
  public @Nullable Violation onSettingsAcknowledged() {
    return patience.onSettingsAcknowledged() ? null : trunk.spend(FloodBudget.SETTINGS);
  }

  @Override
  public @Nullable Violation onPing(long sent) {
    control.pingAcknowledgement(trunk.out(), sent);
    if (upkeep != null) {
      long progress = output.passedBytes() + trunk.connection().uses();
      Violation early = upkeep.onPing(progress, !streams.isEmpty());
      if (early != null) {
        return early;
      }
    }
    return trunk.spend(FloodBudget.PING);
  }

  @Override
  public @Nullable Violation onPingAcknowledged(long sent) {
    boolean expected =
        drain.onPingAcknowledged(sent)
            || windows.onPingAcknowledged(sent)
            || (upkeep != null && upkeep.isAnswer(sent));
    return expected ? null : trunk.spend(FloodBudget.PING);
  }

  @Override
  public @Nullable Violation onGoAway() {
    drain.begin(CloseReason.CLIENT_CLOSED); // the client opens no further stream
    return trunk.spend(FloodBudget.SETTINGS);
  }

  @Override
  public @Nullable Violation onUnknown() {
    return trunk.spend(FloodBudget.UNKNOWN);
  }
}
