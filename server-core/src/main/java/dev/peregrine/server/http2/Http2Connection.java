package dev.peregrine.server.http2;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.http2.flow.ConnectionPatience;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.InboundWindows;
import dev.peregrine.server.http2.flow.OutboundContent;
import dev.peregrine.server.http2.flow.PeerSettings;
import dev.peregrine.server.http2.flow.RecentResets;
import dev.peregrine.server.http2.flow.SendQueue;
import dev.peregrine.server.http2.flow.StreamTable;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.FrameReader;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.head.HeadTable;
import dev.peregrine.server.http2.head.HeadTarget;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one HTTP/2 connection: its streams, windows and settings, and how it ends. Frames
 * come from {@link FrameReader}; content leaves through {@link SendQueue}.
 */
final class Http2Connection implements HeadTarget {
  private static final int LATE_MAX = 8; // streams that are ended at a time

  private final Http2 http2;
  private final Connection connection;
  private final FrameReader reader;
  private final StreamOpener opener;
  private final Priorities priorities = new Priorities(this);
  private final StreamTable<Http2Stream> streams = new StreamTable<>();
  private final HeadTable table = new HeadTable();
  private final SendQueue output;
  private final InboundWindows windows;
  private final PeerSettings peer = new PeerSettings(streams, table);
  private final ConnectionPatience patience;
  private final FloodBudget budget;
  private final Drain drain = new Drain(this);
  private final RecentResets resets;
  private int orphans; // handlers that still run for streams that were reset
  private boolean idle; // without streams, and the deadline for that is set
  private boolean begun; // the server's preface was sent
  private boolean failed;
  private int judgedId; // the last stream that was judged, while some of them are late
  private boolean serviceWanted; // a stream may have content to deliver, or is over

  Http2Connection(Http2 http2, Connection connection) {
    this.http2 = http2;
    this.connection = connection;
    this.windows = new InboundWindows(http2.control, this, http2.settings);
    this.resets = new RecentResets(http2.settings.streamsMax());
    this.opener = new StreamOpener(this, http2);
    this.output = new SendQueue(streams, this, http2.sending.takingRate(), connection.nanos());
    this.budget =
        new FloodBudget(http2.context.limits().http2().floodPointsMax(), connection.nanos());
    this.patience = new ConnectionPatience(http2.headNanos, connection.nanos());
    this.reader =
        new FrameReader(
            new ConnectionFrames(this, opener, windows, peer, patience),
            http2.context.loop().bufferPool(),
            http2.settings.blockBytesMax());
  }

  Connection connection() {
    return connection;
  }

  @Override
  public OutboundQueue out() {
    return connection.out();
  }

  @Override
  public HeadTable table() {
    return table;
  }

  // ---- turns ----

  /** Reads as many frames as a turn may, then lets streams continue, then sends. */
  void onInput(InboundBuffer in) throws IOException {
    boolean progress = false;
    boolean waits = false; // for the rest of a frame
    output.beginTurn();
    serviceWanted |= in.isEmpty(); // the turn is for a task of a stream
    while (!waits && connection.isOpen() && connection.makeRoom()) {
      if (!http2.slice.step()) {
        connection.yieldTurn();
        break;
      }
      waits = !read(in);
      progress |= !waits;
    }
    patience.onFrames(waits && !in.isEmpty(), progress, connection.nanos());
    if (connection.isOpen()) {
      service();
    }
    if (connection.isOpen()) {
      updateDeadline();
    }
  }

  /** Reads one frame, or a part of DATA. Returns false if more bytes are needed. */
  private boolean read(InboundBuffer in) {
    int next = reader.find(in.segment(), in.from(), in.to());
    if (next == FrameReader.INCOMPLETE) {
      return false;
    }
    in.consumeTo(next);
    Violation wrong = reader.deliver(in.block());
    if (wrong != null) {
      fail(wrong);
    }
    return wrong == null;
  }

  /** Lets every stream continue that has content to deliver or to send, or is over. */
  private void service() throws IOException {
    boolean again = true;
    while (again && connection.isOpen()) {
      if (serviceWanted) {
        serviceWanted = false;
        serviceStreams();
      }
      again = send() || serviceWanted;
    }
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
      serviceWanted |= sender != null && sender.isOver();
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

  /** The socket can be written to again. */
  void onWritable() {
    output.request();
    boolean ignored = notifyRoom();
  }

  private void serviceStreams() {
    int id = 0;
    Http2Stream stream = streams.after(id);
    while (stream != null && connection.isOpen()) {
      id = stream.id();
      serve(stream);
      stream = streams.after(id);
    }
  }

  private void serve(Http2Stream stream) {
    stream.openTunnel();
    deliver(stream);
    if (!stream.isClosed() && connection.input().isEnded()) {
      stream.inbound.breakOffIfHungry();
      if (stream.isStalled()) { // no frame will open the window any more
        remove(stream, CloseReason.CLIENT_CLOSED);
      }
    }
    IOException unreadable = stream.outbound.failure();
    if (unreadable != null && !stream.isClosed()) {
      http2.reportBrokenOff(unreadable);
      reset(stream, ErrorCode.INTERNAL_ERROR, CloseReason.APPLICATION_FAILED);
    }
    if (!stream.isClosed()) {
      finishIfOver(stream);
    }
    if (!stream.isClosed()) {
      stream.keep();
    }
  }

  /** Passes on content that has waited, as far as it is taken. */
  private void deliver(Http2Stream stream) {
    int bytes = 0;
    while (bytes != InboundContent.NOTHING && !stream.isClosed()) {
      bytes = stream.inbound.deliver();
      windows.giveBack(stream, Math.max(0, bytes));
    }
  }

  /** Releases a stream whose response is sent, once the rest of its request is there or dropped. */
  private void finishIfOver(Http2Stream stream) {
    if (!stream.isAnswered() || (stream.isTunnel() && !stream.isOver())) {
      return;
    }
    if (stream.state().isReceiving()) {
      stream.inbound.discardRest();
      deliver(stream);
      long drainBytesMax = http2.context.limits().drainBytesMax();
      if (!connection.input().isEnded() && stream.inbound.awaitsRest(drainBytesMax)) {
        return;
      }
      refuse(stream.id(), ErrorCode.NO_ERROR);
    }
    release(stream);
  }

  private void release(Http2Stream stream) {
    streams.remove(stream);
    windows.onEnd(stream);
    budget.restore(FloodBudget.SERVED);
    http2.release(stream);
  }

  /** Sets the deadline of a connection without streams. What isn't a request doesn't move it. */
  private void updateDeadline() {
    idle &= streams.isEmpty();
    if (streams.isEmpty() && connection.input().isEnded()) {
      connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
    } else if (drain.isBegun()) {
      drain.proceed();
    } else if (!streams.isEmpty()) {
      connection.clearDeadline();
    } else if (!idle) {
      idle = true;
      streams.trim();
      http2.startIdle(connection);
    }
  }

  // ---- frames ----

  /** Sends the server's preface, which precedes all other frames. */
  void begin() {
    if (!begun) {
      begun = true;
      http2.control.begin(out(), http2.settings, windows.begin());
    }
  }

  /** Ends the connection for a fault of the client. */
  void fail(Violation violation) {
    if (failed || !connection.isOpen()) {
      return;
    }
    failed = true;
    begin();
    http2.logClosed(connection, violation);
    http2.control.goAway(out(), handledId(), violation.code());
    connection.breakOff(
        violation.code() == ErrorCode.ENHANCE_YOUR_CALM
            ? CloseReason.CLIENT_FLOODED
            : CloseReason.PROTOCOL_VIOLATED);
  }

  /** Returns the last stream that was or will be handled. */
  int handledId() {
    return drain.isFinal() ? drain.lastId() : opener.lastId();
  }

  /** Spends points of the flood budget; a violation if they are used up. */
  @Nullable Violation spend(int points) {
    long nowNanos = connection.nanos();
    boolean own = budget.spend(points, nowNanos);
    boolean all = http2.budget.spend(points, nowNanos);
    return own && (all || !budget.isHalfSpent()) ? null : Violation.FLOOD;
  }

  /** Returns true if the client has as many streams as it may, or their handlers still run. */
  boolean isFull() {
    return streams.count() + orphans >= http2.settings.streamsMax();
  }

  /** The handler of a stream has returned. */
  void afterHandler(Http2Stream stream) {
    idle = false;
    if (!stream.isClosed() && stream.isOver()) {
      release(stream);
    } else if (!stream.isClosed()) {
      stream.keep();
      serviceWanted = true;
    }
  }

  @Nullable Violation onReset(int id) {
    if (opener.isIdle(id)) {
      return Violation.STREAM_ID;
    }
    Http2Stream stream = streams.find(id);
    if (stream == null) {
      return spend(FloodBudget.LATE_FRAME);
    }
    stream.onCancelled();
    remove(stream, CloseReason.CLIENT_RESET);
    return spend(FloodBudget.CANCELLED);
  }

  // ---- resets ----

  @Nullable Violation resetForFault(Http2Stream stream, int code) {
    reset(stream, code, CloseReason.PROTOCOL_VIOLATED);
    return spend(FloodBudget.FAULT);
  }

  /** Resets a stream and abandons its exchange. */
  void reset(Http2Stream stream, int code, CloseReason reason) {
    if (stream.isClosed() || !stream.isOn(this)) {
      return;
    }
    resets.add(stream.id());
    if (connection.isOpen()) {
      http2.control.reset(out(), stream.id(), code);
    }
    remove(stream, reason);
  }

  private void remove(Http2Stream stream, CloseReason reason) {
    streams.remove(stream);
    windows.onEnd(stream);
    stream.abandon(reason);
    if (stream.becomeOrphan()) {
      orphans++;
    }
  }

  /** Resets a stream that isn't opened, or is over. */
  void refuse(int id, int code) {
    resets.add(id);
    http2.control.reset(out(), id, code);
  }

  /** Returns true if this server has reset or refused a stream lately. */
  boolean wasReset(int id) {
    return resets.contains(id);
  }

  // ---- for streams ----

  /** Lets the streams continue at the end of the turn. */
  void serveLater() {
    serviceWanted = true;
  }

  SendQueue output() {
    return output;
  }

  Priorities priorities() {
    return priorities;
  }

  StreamOpener opener() {
    return opener;
  }

  StreamTable<Http2Stream> streams() {
    return streams;
  }

  Drain drain() {
    return drain;
  }

  /** Returns the window that the client gives a new stream. */
  int initialWindow() {
    return peer.initialWindow();
  }

  /** A handler has returned that ran on though its stream was reset. */
  void onOrphanEnded() {
    orphans--;
  }

  // ---- the end ----

  void onShutdown() {
    drain.begin(CloseReason.LAST_RESPONSE);
    int id = 0;
    for (Http2Stream stream = streams.after(id); stream != null; stream = streams.after(id)) {
      id = stream.id();
      stream.onShutdown();
    }
  }

  void onDeadline() {
    if (drain.isBegun()) {
      drain.onDeadline();
    } else if (streams.isEmpty()) {
      nameLastStream();
      connection.closeAfterFlush(CloseReason.IDLE);
    }
  }

  /** Sends the last GOAWAY: the client may send all later requests elsewhere. */
  void nameLastStream() {
    begin();
    http2.control.goAway(out(), handledId(), ErrorCode.NO_ERROR);
  }

  /** The client has ended its side of the connection: no stream gets any more content. */
  void onInputEnd() throws IOException {
    int id = 0;
    for (Http2Stream stream = streams.after(id); stream != null; stream = streams.after(id)) {
      id = stream.id();
      stream.onInputEnd();
    }
    serviceWanted = true;
    service();
    if (connection.isOpen()) {
      updateDeadline();
    }
  }

  void onClose(CloseReason reason) {
    failed = true;
    reader.close();
    while (!streams.isEmpty()) {
      Http2Stream stream = streams.get(streams.count() - 1);
      streams.remove(stream);
      stream.abandon(reason);
    }
  }

  /** Reports what every stream would lose. Returns true if there was anything. */
  boolean reportUnfinished(Consumer<Unfinished> target) {
    for (int i = 0; i < streams.count(); i++) {
      target.accept(streams.get(i).unfinished());
    }
    if (reader.isInBlock()) {
      target.accept(Unfinished.REQUEST);
    }
    return !streams.isEmpty() || reader.isInBlock();
  }

  /** Returns the bytes of content that were sent, or taken by the application. */
  long movedBytes() {
    return output.passedBytes() + windows.takenBytes();
  }

  // ---- late clients ----

  /** Judges the client and the application. Returns true if {@link #onLate} should follow. */
  boolean judge(long nowNanos) {
    if (patience.violation(reader.isInBlock(), nowNanos) != null || output.judge(nowNanos)) {
      return true;
    }
    for (int i = 0; i < streams.count(); i++) {
      if (streams.get(i).judge(nowNanos)) {
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
      fail(late);
      return false;
    }
    serviceWanted = true;
    boolean takesTooSlowly = output.judge(nowNanos);
    int ended = 0;
    Http2Stream stream = streams.after(judgedId);
    while (stream != null && ended < LATE_MAX) {
      judgedId = stream.id();
      if (takesTooSlowly && stream.isStalled()) {
        stream.onTakingTooSlowly();
        ended++;
      } else if (stream.judge(nowNanos)) {
        stream.onLate(nowNanos);
        ended++;
      }
      stream = streams.after(judgedId);
    }
    judgedId = stream == null ? 0 : judgedId;
    return stream != null;
  }

  /** Returns the shared parts of the loop. */
  Http2 http2() {
    return http2;
  }
}
