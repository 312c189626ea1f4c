package dev.peregrine.server.http2;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.exchange.StreamPool;
import dev.peregrine.server.http2.flow.ConnectionPatience;
import dev.peregrine.server.http2.flow.InboundWindows;
import dev.peregrine.server.http2.flow.OutboundContent;
import dev.peregrine.server.http2.flow.SendQueue;
import dev.peregrine.server.http2.flow.StreamTable;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.FrameReader;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.stream.Http2Stream;
import dev.peregrine.server.http2.stream.InboundContent;
import dev.peregrine.server.http2.stream.LoopParts;
import dev.peregrine.server.http2.stream.Trunk;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The turns of one HTTP/2 connection: reads frames, lets its streams continue, sends, and judges
 * who is late. Frames go to {@link ConnectionFrames}; the parts don't know this class.
 */
final class Http2Connection {
  private static final int LATE_MAX = 8; // streams that are ended at a time
  private static final int NEVER = -1;

  private final LoopParts loop;
  private final Connection connection;
  private final Trunk trunk;
  private final Streams streams;
  private final SendQueue output;
  private final InboundWindows windows;
  private final ConnectionPatience patience;
  private final Drain drain;
  private final @Nullable Upkeep upkeep;
  private final FrameReader reader;
  private int idleUses = NEVER; // the uses of the connection when it was without streams
  private int judgedId; // the last stream that was judged, while some of them are late

  Http2Connection(
      LoopParts loop,
      @Nullable UpkeepRules rules,
      StreamPool<Http2Stream> pool,
      Connection connection) {
    StreamTable<Http2Stream> table = new StreamTable<>();
    this.loop = loop;
    this.connection = connection;
    this.trunk = new Trunk(loop, connection, table);
    this.output = trunk.output();
    this.windows = new InboundWindows(loop.control(), trunk, loop.settings());
    this.streams = new Streams(pool, table, trunk, windows, loop.settings().streamsMax());
    this.patience = new ConnectionPatience(loop.headNanos(), connection.nanos());
    ServerPreface preface = new ServerPreface(loop, trunk, windows);
    this.drain = new Drain(loop, connection, preface, streams);
    this.upkeep =
        rules == null
            ? null
            : new Upkeep(rules, connection, drain, ThreadLocalRandom.current().nextDouble());
    this.reader =
        new FrameReader(
            new ConnectionFrames(loop, trunk, streams, windows, patience, drain, upkeep),
            loop.pool(),
            loop.settings().blockBytesMax());
  }

  Streams streams() {
    return streams;
  }

  Drain drain() {
    return drain;
  }

  // ---- turns ----

  /** Reads as many frames as a turn may, then lets streams continue, then sends. */
  void onInput(InboundBuffer in) throws IOException {
    boolean progress = false;
    boolean waits = false; // for the rest of a frame
    output.beginTurn();
    if (in.isEmpty()) {
      trunk.serveLater(); // the turn is for a task of a stream
    }
    while (!waits && connection.isOpen() && connection.makeRoom()) {
      if (!loop.slice().step()) {
        connection.yieldTurn();
        break;
      }
      int next = reader.find(in.segment(), in.from(), in.to());
      if (next == FrameReader.INCOMPLETE) {
        waits = true;
      } else {
        progress = true;
        in.consumeTo(next);
        Violation wrong = reader.deliver(in.block());
        if (wrong != null) {
          drain.fail(wrong);
        }
      }
    }
    if (progress && upkeep != null) {
      upkeep.onFrame();
    }
    patience.onFrames(waits && !in.isEmpty(), progress, connection.nanos());
    if (connection.isOpen()) {
      service();
    }
    if (connection.isOpen()) {
      updateDeadline();
    }
  }

  /** The thread of a handler or callback was left: its turn ends without a return from it. */
  void onHandlerLeft() {
    trunk.serveLater();
  }

  /** Lets every stream continue that has content to deliver or to send, or is over. */
  private void service() throws IOException {
    boolean again = true;
    while (again && connection.isOpen()) {
      if (trunk.isServiceWanted()) {
        trunk.beginService();
        serviceStreams();
      }
      again = send() || trunk.isServiceWanted() || endStalled();
    }
  }

  private void serviceStreams() {
    int id = 0;
    Http2Stream stream = streams.after(id);
    while (stream != null && connection.isOpen()) {
      id = stream.id();
      serve(stream);
      if (!stream.isLive()) {
        streams.drop(stream); // unless it was released
      }
      stream = streams.after(id);
    }
  }

  private void serve(Http2Stream stream) {
    stream.openTunnel();
    deliver(stream);
    if (stream.isLive() && connection.input().isEnded()) {
      stream.inbound().breakOffIfHungry();
    }
    IOException unreadable = stream.outbound().failure();
    if (unreadable != null && stream.isLive()) {
      loop.reportBrokenOff(unreadable);
      stream.reset(ErrorCode.INTERNAL_ERROR, CloseReason.APPLICATION_FAILED);
    }
    if (stream.isLive()) {
      finishIfOver(stream);
    }
    if (stream.isLive()) {
      stream.keep();
    }
  }

  /** Passes on content that has waited, as far as it is taken. */
  private void deliver(Http2Stream stream) {
    int bytes = 0;
    while (bytes != InboundContent.NOTHING && stream.isLive()) {
      bytes = stream.inbound().deliver();
      windows.giveBack(stream, Math.max(0, bytes));
    }
  }

  /** Releases a stream whose response is sent, once the rest of its request is there or dropped. */
  private void finishIfOver(Http2Stream stream) {
    if (!stream.isAnswered() || (stream.isTunnel() && !stream.isOver())) {
      return;
    }
    if (stream.state().isReceiving()) {
      stream.inbound().discardRest();
      deliver(stream);
      long drainBytesMax = loop.context().limits().drainBytesMax();
      if (!connection.input().isEnded() && stream.inbound().awaitsRest(drainBytesMax)) {
        return;
      }
      trunk.reset(stream.id(), ErrorCode.NO_ERROR);
    }
    streams.release(stream);
  }

  /**
   * Sends what the windows and the socket permit. Returns true if a stream was called back that may
   * have added more.
   */
  private boolean send() throws IOException {
    long before = output.sentBytes();
    while (output.isWanted() && connection.isOpen() && connection.makeRoom()) {
      if (output.isTurnUsed() && output.canSend()) {
        connection.yieldTurn();
        break;
      }
      OutboundContent sender = output.sendNext(connection.nanos());
      if (sender != null && sender.isOver()) {
        trunk.serveLater();
      }
    }
    return output.sentBytes() > before && notifyRoom();
  }

  /** Calls back the streams that wait for room. Returns true if any was. */
  private boolean notifyRoom() {
    boolean notified = false;
    int id = 0;
    for (Http2Stream stream = streams.after(id); stream != null; stream = streams.after(id)) {
      id = stream.id();
      notified |= stream.notifyRoom();
    }
    return notified;
  }

  /**
   * Ends the streams whose content a window holds back, once the client has ended its side: no
   * frame will open a window any more. Returns true if there was one.
   */
  private boolean endStalled() {
    boolean any = false;
    if (connection.input().isEnded()) {
      for (int i = 0; i < streams.count(); i++) {
        Http2Stream stream = streams.get(i);
        if (stream.isLive() && stream.isStalled()) {
          stream.lose(CloseReason.CLIENT_CLOSED);
          trunk.serveLater(); // which drops the stream
          any = true;
        }
      }
    }
    return any;
  }

  /** The socket can be written to again. */
  void onWritable() {
    output.request();
    boolean ignored = notifyRoom();
  }

  /** Sets the deadline of a connection without streams. What isn't a request doesn't move it. */
  private void updateDeadline() {
    if (trunk.isShedWanted()) {
      drain.begin(CloseReason.LAST_RESPONSE);
    }
    if (streams.isEmpty() && connection.input().isEnded()) {
      connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
    } else if (drain.isBegun()) {
      drain.proceed();
    } else if (!streams.isEmpty()) {
      connection.clearDeadline();
    } else if (idleUses != connection.uses()) {
      idleUses = connection.uses();
      streams.trim();
      connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + loop.keepAliveNanos());
    }
  }

  // ---- the end ----

  void onShutdown() {
    drain.begin(CloseReason.LAST_RESPONSE);
    int id = 0;
    for (Http2Stream stream = streams.after(id); stream != null; stream = streams.after(id)) {
      id = stream.id();
      if (stream.isLive()) {
        stream.onShutdown();
      }
    }
  }

  void onDeadline() {
    if (drain.isBegun()) {
      drain.onDeadline();
    } else if (streams.isEmpty()) {
      drain.nameLastStream();
      connection.closeAfterFlush(CloseReason.IDLE);
    }
  }

  /** The client has ended its side of the connection: no stream gets any more content. */
  void onInputEnd() throws IOException {
    int id = 0;
    for (Http2Stream stream = streams.after(id); stream != null; stream = streams.after(id)) {
      id = stream.id();
      if (stream.isLive()) {
        stream.onInputEnd();
      }
    }
    trunk.serveLater();
    service();
    if (connection.isOpen()) {
      updateDeadline();
    }
  }

  void onClose(CloseReason reason) {
    reader.close();
    while (!streams.isEmpty()) {
      Http2Stream stream = streams.get(streams.count() - 1);
      try {
        stream.lose(reason);
      } catch (Throwable failure) { // the others are lost all the same
        loop.reportUntold(failure);
      }
      streams.drop(stream);
    }
  }

  /** Reports what every stream would lose. Returns true if there was anything. */
  boolean reportUnfinished(Consumer<Unfinished> target) {
    boolean any = reader.isInBlock();
    for (int i = 0; i < streams.count(); i++) {
      if (streams.get(i).isLive()) {
        target.accept(streams.get(i).unfinished());
        any = true;
      }
    }
    if (reader.isInBlock()) {
      target.accept(Unfinished.REQUEST);
    }
    return any;
  }

  /** Returns the bytes of content that were sent, or taken by the application. */
  long movedBytes() {
    return output.passedBytes() + windows.takenBytes();
  }

  /** Returns true if content of a stream could be sent; between turns none can. */
  boolean isOutputForgotten() {
    return output.canSend();
  }

  // ---- late clients ----

  /** Judges the client and the application. Returns true if {@link #onLate} should follow. */
  boolean judge(long nowNanos) {
    if (patience.violation(reader.isInBlock(), nowNanos) != null || output.judge(nowNanos)) {
      return true;
    }
    if (upkeep != null && upkeep.isDue(nowNanos)) {
      return true;
    }
    for (int i = 0; i < streams.count(); i++) {
      if (streams.get(i).isLive() && streams.get(i).judge(nowNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Ends what is late. Returns true if streams are left that may be late. */
  boolean onLate() {
    long nowNanos = connection.nanos();
    Violation late = patience.violation(reader.isInBlock(), nowNanos);
    if (late != null) {
      drain.fail(late);
      return false;
    }
    if (upkeep != null) {
      upkeep.proceed(loop.control(), nowNanos);
    }
    trunk.serveLater();
    boolean takesTooSlowly = output.judge(nowNanos);
    int ended = 0;
    Http2Stream stream = streams.after(judgedId);
    while (stream != null && ended < LATE_MAX) {
      judgedId = stream.id();
      if (stream.isLive() && takesTooSlowly && stream.isStalled() && !stream.isUnhurried()) {
        stream.onTakingTooSlowly();
        ended++;
      } else if (stream.isLive() && stream.judge(nowNanos)) {
        stream.onLate(nowNanos);
        ended++;
      }
      stream = streams.after(judgedId);
    }
    judgedId = stream == null ? 0 : judgedId;
    return stream != null;
  }
}
