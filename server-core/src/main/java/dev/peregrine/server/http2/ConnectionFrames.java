package dev.peregrine.server.http2;

import dev.peregrine.server.http2.flow.ConnectionPatience;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.InboundWindows;
import dev.peregrine.server.http2.flow.PeerSettings;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.FrameHandler;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.CloseReason;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Takes the frames of a connection, each for the part that it concerns. */
final class ConnectionFrames implements FrameHandler {
  private final Http2Connection owner;
  private final Http2 http2;
  private final StreamOpener opener;
  private final DataReceiver data;
  private final Priorities priorities;
  private final InboundWindows windows;
  private final PeerSettings peer;
  private final ConnectionPatience patience;

  ConnectionFrames(
      Http2Connection owner,
      StreamOpener opener,
      InboundWindows windows,
      PeerSettings peer,
      ConnectionPatience patience) {
    this.owner = owner;
    this.http2 = owner.http2();
    this.opener = opener;
    this.data = new DataReceiver(owner, windows);
    this.priorities = owner.priorities();
    this.windows = windows;
    this.peer = peer;
    this.patience = patience;
  }

  @Override
  public void onPreface() {
    owner.begin();
  }

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
    patience.onBlockBegin(owner.connection().nanos());
  }

  @Override
  public @Nullable Violation onContinuation() {
    return owner.spend(FloodBudget.CONTINUATION);
  }

  @Override
  public @Nullable Violation onBlock(
      int id, MemorySegment bytes, long from, long to, boolean ends, boolean dependsOnItself) {
    return opener.onBlock(id, bytes, from, to, ends, dependsOnItself);
  }

  @Override
  public @Nullable Violation onSettings(int count, boolean first) {
    return owner.spend((first ? 0 : FloodBudget.SETTINGS) + count * FloodBudget.SETTING);
  }

  @Override
  public @Nullable Violation onSetting(int setting, int value) {
    owner.output().request();
    return peer.take(setting, value);
  }

  @Override
  public void onSettingsEnd() {
    http2.control.settingsAcknowledgement(owner.out());
  }

  @Override
  public @Nullable Violation onSettingsAcknowledged() {
    return patience.onSettingsAcknowledged() ? null : owner.spend(FloodBudget.SETTINGS);
  }

  @Override
  public @Nullable Violation onPing(long data) {
    http2.control.pingAcknowledgement(owner.out(), data);
    return owner.spend(FloodBudget.PING);
  }

  @Override
  public @Nullable Violation onPingAcknowledged(long data) {
    boolean expected =
        data == Drain.PING_DATA
            ? owner.drain().onPingAcknowledged()
            : windows.onPingAcknowledged(data);
    return expected ? null : owner.spend(FloodBudget.PING);
  }

  @Override
  public @Nullable Violation onWindowUpdate(int id, int increment) {
    Violation flood = owner.output().countUpdate() ? null : owner.spend(FloodBudget.WINDOW);
    if (flood != null) {
      return flood;
    }
    owner.output().request();
    if (id == 0) {
      boolean fits = owner.output().grow(increment);
      return increment == 0 ? Violation.WINDOW_INCREMENT : fits ? null : Violation.WINDOW_OVERFLOW;
    }
    if (opener.isIdle(id)) {
      return Violation.STREAM_ID;
    }
    Http2Stream stream = owner.streams().find(id);
    if (stream == null) {
      return null; // it has ended meanwhile
    }
    if (increment == 0) {
      return owner.resetForFault(stream, ErrorCode.PROTOCOL_ERROR);
    }
    return stream.outbound.grow(increment)
        ? null
        : owner.resetForFault(stream, ErrorCode.FLOW_CONTROL_ERROR);
  }

  @Override
  public @Nullable Violation onReset(int id) {
    return owner.onReset(id);
  }

  @Override
  public @Nullable Violation onPriority(int id, int length, int dependency) {
    return priorities.onPriority(id, length, dependency);
  }

  @Override
  public @Nullable Violation onPriorityUpdate(int id, MemorySegment bytes, int from, int to) {
    return priorities.onUpdate(id, bytes, from, to);
  }

  @Override
  public @Nullable Violation onGoAway() {
    owner.drain().begin(CloseReason.CLIENT_CLOSED); // the client opens no further stream
    return owner.spend(FloodBudget.SETTINGS);
  }

  @Override
  public @Nullable Violation onUnknown() {
    return owner.spend(FloodBudget.UNKNOWN);
  }
}
