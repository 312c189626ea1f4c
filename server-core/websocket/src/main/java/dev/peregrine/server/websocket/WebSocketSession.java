package dev.peregrine.server.websocket;

import dev.peregrine.base.PointBudget;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.parser.websocket.Opcode;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.message.TurnTimer;
import dev.peregrine.server.exchange.message.TurnTimers;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.pace.Patience;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.tunnel.TunnelUser;
import dev.peregrine.server.websocket.deflate.SessionCompression;
import dev.peregrine.server.websocket.frame.ClientFault;
import dev.peregrine.server.websocket.frame.CloseFrame;
import dev.peregrine.server.websocket.frame.FrameListener;
import dev.peregrine.server.websocket.frame.FrameReceiver;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket between its tunnel and its listener: {@link Intake} and {@link FrameReceiver} bring
 * what the client sends, {@link FrameSender} takes what the application sends, and this class
 * decides how the socket ends. Belongs to the loop.
 */
final class WebSocketSession implements TunnelUser, FrameListener {
  private static final byte[] NO_CONTENT = {};

  private final WebSocketLoop shared;
  private final Connection connection;
  private final ListenerCalls calls;
  private final SocketState state;
  private final Patience patience;
  private final @Nullable SessionCompression compression;
  private final Intake intake;
  private @Nullable Tunnel tunnel; // null until it is open
  private @Nullable FrameSender sender;
  private @Nullable PointBudget points; // created for the first frame that costs some
  private @Nullable TurnTimers timers; // created for the first timer
  private @Nullable Runnable onWritable;
  private boolean closeReported;
  private boolean inputEnded; // after the frames that are held

  WebSocketSession(
      WebSocketLoop shared,
      Connection connection,
      ListenerCalls calls,
      SocketState state,
      WebSocketOptions options,
      @Nullable SessionCompression compression) {
    this.shared = shared;
    this.compression = compression;
    this.connection = connection;
    this.calls = calls;
    this.state = state;
    this.patience = new Patience(shared.rate, options, shared.limits);
    int own = options.messageBytesMax();
    FrameReceiver receiver =
        new FrameReceiver(
            this,
            connection.loop().bufferPool(),
            own == 0 ? shared.limits.messageBytesMax() : own,
            calls.takeParts(),
            compression == null ? null : compression.inflater());
    receiver.retainBy(shared.retainer);
    this.intake = new Intake(connection, state, receiver, compression);
  }

  // ---- the receiver's side ----

  @Override
  public boolean takesMessages() {
    return state.takesMessages();
  }

  @Override
  public boolean takesPartsNow() {
    return intake.takesMessages();
  }

  @Override
  public boolean onEmptyFrame() {
    if (points == null) {
      points = new PointBudget(shared.limits.floodPointsMax(), connection.nanos());
    }
    if (points.spend(1, connection.nanos())) {
      return true;
    }
    onFault(ClientFault.flood(shared.limits));
    return false;
  }

  @Override
  public void onMessage(boolean isText, ReceivedBytes content, boolean last) {
    closeIfFailed(calls.onMessage(isText, content, last));
    makeRoomIfFull();
  }

  @Override
  public void onPing(ReceivedBytes content) {
    if (state.isOpen()) {
      sender().control(Opcode.PONG, content);
      closeIfFailed(calls.onPing(content));
      makeRoomIfFull();
    }
  }

  @Override
  public void onPong(ReceivedBytes content) {
    if (state.isOpen()) {
      closeIfFailed(calls.onPong(content));
    }
  }

  @Override
  public void onCloseFrame(ReceivedBytes content) {
    CloseFrame frame = CloseFrame.decode(content);
    if (!frame.isValid()) {
      onFault(ClientFault.malformedClose(frame.code()));
      return;
    }
    boolean answers = !sender().isCloseSent();
    if (answers) {
      boolean hasCode = frame.code() != CloseFrame.NO_CODE;
      sender().close(hasCode ? CloseFrame.encode(frame.code(), "") : NO_CONTENT);
    }
    CloseReason reason = answers ? CloseReason.CLIENT_CLOSED : CloseReason.APPLICATION_CLOSED;
    end(reason, frame.code(), frame.reason());
  }

  @Override
  public void onFault(ClientFault fault) {
    log(fault);
    if (!sender().isCloseSent()) {
      sender().close(CloseFrame.encode(fault.code(), fault.text()));
    }
    end(fault.reason(), CloseFrame.ABNORMAL, fault.text());
  }

  private void log(ClientFault fault) {
    shared.log.closed(connection, "WebSocket: " + fault.text(), fault.limit());
  }

  private void makeRoomIfFull() {
    try {
      intake.onRoom(!state.isOpen() || tunnel().requestRoom() || tunnel().makeRoom());
    } catch (IOException lost) {
      connection.lose(lost);
    }
  }

  // ---- the tunnel's side ----

  @Override
  public void onOpen(Tunnel opened) {
    tunnel = opened;
    Compressor compressor = shared.compressor(opened, compression);
    sender =
        new FrameSender(opened, shared.scratch, compressor, state, shared.server, this::overfull);
    patience.begin(connection.nanos());
    awaitDue();
    closeIfFailed(calls.onOpen());
  }

  @Override
  public boolean isTaking() {
    return intake.isTaking();
  }

  @Override
  public void onData(Block block, int from, int to) {
    continueLater(intake.receive(block, from, to));
    long now = connection.nanos();
    if (!state.isEnded() && patience.onBytes(to - from, intake.isUnfinished(), now)) {
      awaitDue();
    }
  }

  @Override
  public long expectedBytes() {
    return intake.expectedBytes();
  }

  /** Takes the frames that have waited. */
  private void receiveHeld() {
    if (!intake.takesHeld()) {
      return;
    }
    continueLater(intake.receiveHeld());
    if (inputEnded && !intake.holdsFrames()) {
      onEnd();
    }
    resumeInput();
  }

  /** Lets further bytes arrive, unless the session has ended. */
  private void resumeInput() {
    if (intake.isTaking() && !state.isEnded()) {
      tunnel().resumeInput();
    }
  }

  /** Continues in another turn if frames are left; ends the session if it couldn't continue. */
  private void continueLater(boolean hasMemory) {
    if (!hasMemory) {
      onFault(ClientFault.noMemory(shared.limits));
    } else if (intake.isBehind()) {
      connection.execute(this::receiveHeld);
    }
  }

  @Override
  public void onEnd() {
    if (intake.holdsFrames()) {
      inputEnded = true;
    } else if (!state.isEnded()) {
      String fault = "the client has ended the connection without a close frame";
      end(CloseReason.CLIENT_CLOSED, CloseFrame.ABNORMAL, fault);
    }
  }

  @Override
  public void onWritable() {
    intake.onRoom(true);
    if (sender().hasRoom()) {
      runOnWritable();
    }
    receiveHeld();
    resumeInput();
  }

  private void runOnWritable() {
    Runnable callback = onWritable;
    if (callback != null) {
      onWritable = null;
      closeIfFailed(calls.run(callback));
    }
  }

  @Override
  public void onDue() {
    switch (patience.judge(state.isClosing(), intake.isTaking(), connection.nanos())) {
      case CLOSE_OVERDUE -> {
        String fault = "the client has not answered the close frame";
        end(CloseReason.APPLICATION_CLOSED, CloseFrame.ABNORMAL, fault);
      }
      case TOO_SLOW -> onFault(ClientFault.tooSlow(shared.server));
      case IDLE -> {
        sender().close(CloseFrame.encode(CloseFrame.POLICY, "nothing was received for too long"));
        end(CloseReason.IDLE, CloseFrame.ABNORMAL, "nothing was received within the idle time");
      }
      case PING -> sender().control(Opcode.PING, NO_CONTENT);
      case NOTHING -> {}
    }
    if (!state.isEnded()) {
      awaitDue();
    }
  }

  private void awaitDue() {
    long due = patience.dueNanos();
    if (due != Patience.NEVER) {
      tunnel().setDue(due);
    }
  }

  @Override
  public void onShutdown() {
    if (state.isOpen()) {
      closeIfFailed(calls.onShutdown());
    }
  }

  @Override
  public void onDropped() {
    state.end();
    intake.release();
  }

  @Override
  public void onClose(IOException cause) {
    state.end();
    intake.release();
    reportClose(CloseFrame.ABNORMAL, String.valueOf(cause.getMessage()));
  }

  private Tunnel tunnel() {
    return Objects.requireNonNull(tunnel);
  }

  // ---- the socket's side: in a turn ----

  FrameSender sender() {
    return Objects.requireNonNull(sender);
  }

  Intake intake() {
    return intake;
  }

  /** Ends a message in parts; then the messages that have waited are sent. */
  void endParts(int opcode) {
    sender().endParts(opcode);
    if (sender().hasRoom()) {
      runOnWritable();
    }
  }

  /** Ends the socket, because too much waits for its client. */
  void overfull() {
    if (!state.isEnded()) {
      state.endSending();
      log(ClientFault.unsent(shared.limits));
      tunnel().reset(CloseReason.CLIENT_TOO_SLOW);
    }
  }

  void onWritable(Runnable callback) {
    if (state.isEnded()) {
      return;
    }
    if (sender().hasRoom()) {
      closeIfFailed(calls.run(callback));
    } else {
      onWritable = callback;
    }
  }

  void resume() {
    intake.resume();
    receiveHeld();
    if (!intake.isReceiving()) {
      resumeInput();
    }
  }

  /** Runs work of the application while the socket is open. */
  void run(Runnable work) {
    if (!state.isEnded()) {
      closeIfFailed(calls.run(work));
    }
  }

  /** Starts a timer, which ends with the socket. */
  void start(TurnTimer timer) {
    if (timers == null) {
      timers = new TurnTimers(this::run);
      if (closeReported) {
        timers.end();
      }
    }
    timers.start(timer);
  }

  // ---- the end ----

  private void closeIfFailed(boolean succeeded) {
    if (!succeeded) {
      close(CloseFrame.encode(CloseFrame.INTERNAL_ERROR, ""));
    }
  }

  /** Sends a close frame, and waits for that of the client. */
  void close(byte[] content) {
    if (!state.isOpen()) {
      return;
    }
    state.close();
    sender().close(content);
    patience.awaitClose(connection.nanos() + shared.limits.closeTime().toNanos());
    awaitDue();
    receiveHeld();
    if (!intake.isReceiving()) {
      tunnel().resumeInput();
    }
  }

  void abort() {
    if (tunnel != null) {
      tunnel.reset(CloseReason.APPLICATION_CLOSED);
    }
  }

  private void end(CloseReason reason, int code, String text) {
    state.end();
    tunnel().endOutput(reason);
    intake.release();
    reportClose(code, text);
  }

  private void reportClose(int code, String reason) {
    if (closeReported) {
      return;
    }
    closeReported = true;
    if (timers != null) {
      timers.end();
    }
    onWritable = null;
    if (tunnel != null) {
      calls.onClose(code, reason);
    }
    state.runOnClose();
  }
}
