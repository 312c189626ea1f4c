package dev.peregrine.server.websocket;

import dev.peregrine.base.PointBudget;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.parser.websocket.Opcode;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.Attributes;
import dev.peregrine.server.exchange.RefusalLog;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.pace.Patience;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.tunnel.TunnelUser;
import dev.peregrine.server.websocket.deflate.SessionCompression;
import dev.peregrine.server.websocket.frame.CloseFrame;
import dev.peregrine.server.websocket.frame.HeldFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket between its tunnel and its listener. Belongs to the loop.
 *
 * <pre>
 *   OPEN ──close frame sent──▶ CLOSING ──client's close frame, or time──▶ ENDED
 *     └──client's close frame, fault, or the end of the connection──────────▲
 * </pre>
 */
final class WebSocketSession implements TunnelUser {
  private static final byte OPEN = 0;
  private static final byte CLOSING = 1;
  private static final byte ENDED = 2;

  private static final byte[] NO_CONTENT = {};

  private final WebSocketContext shared;
  private final Connection connection;
  private final ListenerCalls calls;
  private final int messageBytesMax;
  private final ServerWebSocket socket;
  private final Patience patience;
  private final @Nullable SessionCompression compression;
  private final FrameReceiver receiver;
  private @Nullable Tunnel tunnel; // null until it is open
  private @Nullable FrameSender sender;
  private @Nullable PointBudget points; // created for the first frame that costs some
  private @Nullable Runnable onWritable;
  private @Nullable HeldFrames held; // that can't be taken yet
  private byte state = OPEN;
  private boolean paused;
  private boolean lacksRoom;
  private boolean yielded;
  private boolean receiving;
  private boolean toldClosed;
  private boolean inputEnded; // after the frames that are held

  WebSocketSession(
      WebSocketContext shared,
      Connection connection,
      WebSocketOptions options,
      @Nullable SessionCompression compression,
      WebSocketListener listener,
      @Nullable Attributes attributes) {
    this.shared = shared;
    this.compression = compression;
    this.connection = connection;
    int own = options.messageBytesMax();
    this.messageBytesMax = own == 0 ? shared.limits.messageBytesMax() : own;
    this.patience = new Patience(shared.rate, options, shared.limits);
    this.socket = new ServerWebSocket(this, connection, options.subprotocol(), attributes);
    this.calls = new ListenerCalls(this, socket, listener);
    this.receiver = new FrameReceiver(this, compression == null ? null : compression.inflater());
  }

  // ---- for the receiver ----

  BufferPool pool() {
    return connection.loop().bufferPool();
  }

  int messageBytesMax() {
    return messageBytesMax;
  }

  /** Returns true if messages are delivered in parts. */
  boolean takesParts() {
    return calls.takeParts();
  }

  /** Returns true if another part of a message can be delivered now. */
  boolean takesPartsNow() {
    return state == OPEN && !paused && !lacksRoom;
  }

  /** Returns true if another frame can be taken now. */
  boolean takesFrames() {
    if (takesPartsNow()) {
      yielded = !connection.loop().slice().step();
      return !yielded;
    }
    return state == CLOSING;
  }

  /** Returns true if frames that aren't taken now are taken later. */
  boolean takesLater() {
    return state != ENDED;
  }

  /** Returns true if messages are delivered; once the application has closed, none is. */
  boolean takesMessages() {
    return state == OPEN && socket.isOpen();
  }

  /** Spends a point for a frame without content. Returns false if the socket has ended for it. */
  boolean spend() {
    if (points == null) {
      points = new PointBudget(shared.limits.floodPointsMax(), connection.nanos());
    }
    boolean admitted = points.spend(1, connection.nanos());
    if (!admitted) {
      ClientFaults.flood(this);
    }
    return admitted;
  }

  void onMessage(boolean isText, ReceivedBytes content, boolean last) {
    calls.onMessage(isText, content, last);
    makeRoomIfFull();
  }

  void onPing(ReceivedBytes content) {
    if (state != OPEN) {
      return;
    }
    sender().control(Opcode.PONG, content);
    calls.onPing(content);
    makeRoomIfFull();
  }

  void onPong(ReceivedBytes content) {
    if (state == OPEN) {
      calls.onPong(content);
    }
  }

  void onCloseFrame(ReceivedBytes content) {
    CloseFrame frame = CloseFrame.decode(content);
    if (!frame.isValid()) {
      ClientFaults.malformedClose(this, frame.code());
      return;
    }
    boolean answers = !sender().isCloseSent();
    if (answers) {
      boolean hasCode = frame.code() != CloseFrame.NO_CODE;
      sender().close(hasCode ? CloseFrame.encode(frame.code(), "") : NO_CONTENT);
    }
    end(answers ? CloseReason.CLIENT_CLOSED : CloseReason.APPLICATION_CLOSED);
    tellClosed(frame.code(), frame.reason());
  }

  // ---- the tunnel's side ----

  @Override
  public void onOpen(Tunnel opened) {
    tunnel = opened;
    sender = shared.sender(opened, compression, this::overfull);
    patience.begin(connection.nanos());
    awaitDue();
    calls.onOpen();
  }

  @Override
  public boolean isTaking() {
    return held == null && (state != OPEN || (!paused && !lacksRoom));
  }

  @Override
  public void onData(Block block, int from, int to) {
    int taken = receive(block, from, to);
    if (taken < to || receiver.isSuspended()) {
      held = new HeldFrames(pool(), block, taken, to);
      continueLater();
    }
    if (state != ENDED && patience.onBytes(to - from, receiver.isUnfinished(), now())) {
      awaitDue();
    }
  }

  @Override
  public long expectedBytes() {
    return held == null && state == OPEN ? receiver.expectedBytes() : 0;
  }

  private int receive(Block block, int from, int to) {
    receiving = true;
    int taken;
    try {
      connection.loop().slice().begin();
      taken = receiver.receive(block, from, to);
    } finally {
      receiving = false; // also without memory, so that the end of the session gives all back
    }
    if (state != ENDED && compression != null && !compression.inflater().suspend()) {
      ClientFaults.noMemory(this);
    }
    if (state == ENDED) {
      release();
      return to;
    }
    return taken;
  }

  /** Takes the frames that have waited. */
  private void receiveHeld() {
    yielded = false;
    HeldFrames waiting = held;
    if (waiting == null || receiving || lacksRoom || (paused && state == OPEN)) {
      return;
    }
    waiting.took(receive(waiting.block(), waiting.from(), waiting.to()));
    if (held == null) {
      return; // released, because the session has ended
    }
    if (waiting.isEmpty() && !receiver.isSuspended()) {
      held = null;
      waiting.release();
      if (inputEnded) {
        onEnd();
      }
    } else {
      continueLater();
    }
    if (isTaking() && state != ENDED) {
      tunnel().resumeInput();
    }
  }

  private void continueLater() {
    if (yielded) {
      connection.execute(this::receiveHeld);
    }
  }

  private void makeRoomIfFull() {
    try {
      lacksRoom = state == OPEN && !tunnel().requestRoom() && !tunnel().makeRoom();
    } catch (IOException lost) {
      connection.lose(lost);
    }
  }

  @Override
  public void onEnd() {
    if (held != null) {
      inputEnded = true;
    } else if (state != ENDED) {
      end(CloseReason.CLIENT_CLOSED);
      tellClosed(CloseFrame.ABNORMAL, "the client has ended the connection without a close frame");
    }
  }

  @Override
  public void onWritable() {
    lacksRoom = false;
    if (hasRoom()) {
      runOnWritable();
    }
    receiveHeld();
    if (isTaking() && state != ENDED) {
      tunnel().resumeInput();
    }
  }

  private void runOnWritable() {
    Runnable callback = onWritable;
    if (callback != null) {
      onWritable = null;
      calls.run(callback);
    }
  }

  @Override
  public void onDue() {
    switch (patience.judge(state == CLOSING, isTaking(), now())) {
      case CLOSE_OVERDUE -> {
        end(CloseReason.APPLICATION_CLOSED);
        tellClosed(CloseFrame.ABNORMAL, "the client has not answered the close frame");
      }
      case TOO_SLOW -> ClientFaults.tooSlow(this);
      case IDLE -> {
        sender().close(CloseFrame.encode(CloseFrame.POLICY, "nothing was received for too long"));
        end(CloseReason.IDLE);
        tellClosed(CloseFrame.ABNORMAL, "nothing was received within the idle time");
      }
      case PING -> sender().control(Opcode.PING, NO_CONTENT);
      case NOTHING -> {}
    }
    if (state != ENDED) {
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
    if (state == OPEN) {
      calls.onShutdown();
    }
  }

  @Override
  public void onDropped() {
    state = ENDED;
    release();
  }

  @Override
  public void onClose(IOException cause) {
    state = ENDED;
    release();
    tellClosed(CloseFrame.ABNORMAL, String.valueOf(cause.getMessage()));
  }

  // ---- the socket's side: in a turn ----

  FrameSender sender() {
    return Objects.requireNonNull(sender);
  }

  private Tunnel tunnel() {
    return Objects.requireNonNull(tunnel);
  }

  WebSocketContext shared() {
    return shared;
  }

  /** Returns true if these bytes are text that this socket has received. */
  boolean isReceivedText(ReceivedBytes bytes) {
    return receiver.isValidText(bytes);
  }

  /** Returns true if there is room for more messages. */
  boolean hasRoom() {
    boolean room =
        state != ENDED
            && tunnel().requestRoom()
            && sender().waitingBytes() < shared.server.outboundHighWater();
    socket.onRoom(room);
    return room;
  }

  void append(WebSocketMessage message) {
    sender().messageInOrder(message);
    hasRoom();
  }

  void append(int opcode, ByteBuffer content) {
    sender().messageInOrder(opcode, content);
    hasRoom();
  }

  /** Ends a message in parts; then the messages that have waited are sent. */
  void endParts(int opcode) {
    sender().endParts(opcode);
    if (hasRoom()) {
      runOnWritable();
    }
  }

  /** Ends the socket, because too much waits for its client. */
  void overfull() {
    if (state != ENDED) {
      socket.closing();
      ClientFaults.logUnsent(this);
      tunnel().reset(CloseReason.CLIENT_TOO_SLOW);
    }
  }

  void onWritable(Runnable callback) {
    if (state == ENDED) {
      return;
    }
    if (hasRoom()) {
      calls.run(callback);
    } else {
      onWritable = callback;
    }
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    receiveHeld();
    if (isTaking() && state != ENDED && !receiving) {
      tunnel().resumeInput();
    }
  }

  /** Sends a close frame, and waits for that of the client. */
  void close(byte[] content) {
    if (state != OPEN) {
      return;
    }
    state = CLOSING;
    socket.closing();
    sender().close(content);
    patience.awaitClose(now() + shared.limits.closeTime().toNanos());
    awaitDue();
    receiveHeld();
    if (!receiving) {
      tunnel().resumeInput();
    }
  }

  void abort() {
    if (tunnel != null) {
      tunnel.reset(CloseReason.APPLICATION_CLOSED);
    }
  }

  /** Runs work of the application while the socket is open. */
  void run(Runnable work) {
    if (state != ENDED) {
      calls.run(work);
    }
  }

  /** Returns the client's name for the log. */
  String client() {
    return RefusalLog.remote(connection);
  }

  // ---- the end ----

  private long now() {
    return connection.nanos();
  }

  /** Ends the socket because of what the client has sent. */
  void refuse(CloseReason reason, int code, String fault, @Nullable String limit) {
    log(fault, limit);
    if (!sender().isCloseSent()) {
      sender().close(CloseFrame.encode(code, fault));
    }
    end(reason);
    tellClosed(CloseFrame.ABNORMAL, fault);
  }

  void log(String fault, @Nullable String limit) {
    shared.log.closed(connection, "WebSocket: " + fault, limit);
  }

  private void end(CloseReason reason) {
    state = ENDED;
    socket.closing();
    tunnel().endOutput(reason);
    release();
  }

  private void release() {
    if (receiving) {
      return; // its caller releases
    }
    receiver.release();
    if (compression != null) {
      compression.close();
    }
    HeldFrames waiting = held;
    if (waiting != null) {
      held = null;
      waiting.release();
    }
  }

  private void tellClosed(int code, String reason) {
    if (toldClosed) {
      return;
    }
    toldClosed = true;
    socket.end();
    onWritable = null;
    if (tunnel != null) {
      calls.onClose(code, reason);
    }
    socket.runOnClose();
  }
}
