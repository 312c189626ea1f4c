package dev.peregrine.server.websocket;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ScheduledWork;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.WebSocketStream;
import dev.peregrine.parser.websocket.Opcode;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.message.TurnTimer;
import dev.peregrine.server.exchange.state.Attributes;
import dev.peregrine.server.exchange.text.ForwardedClient;
import dev.peregrine.server.websocket.frame.CloseFrame;
import dev.peregrine.server.websocket.frame.FrameScratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application's side of a session. In a turn of the connection, its methods act at once, unless
 * earlier calls of other threads wait for a turn; otherwise they are handed to the loop in order.
 */
final class ServerWebSocket implements WebSocket, LeasedMessages.Sending {
  private static final int CONTROL_BYTES_MAX = 125;

  private static final VarHandle QUEUED =
      FieldHandle.of(MethodHandles.lookup(), "queued", int.class);
  private static final VarHandle QUEUED_BYTES =
      FieldHandle.of(MethodHandles.lookup(), "queuedBytes", long.class);
  private static final VarHandle STREAMS =
      FieldHandle.of(MethodHandles.lookup(), "streams", boolean.class);

  private final WebSocketSession session;
  private final SocketState state;
  private final WebSocketLoop shared;
  private final Connection connection;
  private final @Nullable String subprotocol;
  private @Nullable Attributes attributes; // created when the first attribute is set
  private volatile int queued; // calls that wait for a turn
  private volatile long queuedBytes; // that the messages in them are counted with
  private volatile boolean streams; // a message in parts has begun

  ServerWebSocket(
      WebSocketSession session,
      SocketState state,
      WebSocketLoop shared,
      Connection connection,
      @Nullable String subprotocol,
      @Nullable Attributes attributes) {
    this.session = session;
    this.state = state;
    this.shared = shared;
    this.connection = connection;
    this.subprotocol = subprotocol;
    this.attributes = attributes;
  }

  // ---- facts ----

  @Override
  public @Nullable String subprotocol() {
    return subprotocol;
  }

  @Override
  public SocketAddress remoteAddress() {
    SocketAddress forwarded = attribute(ForwardedClient.ADDRESS);
    if (forwarded != null) {
      return forwarded;
    }
    try {
      return connection.facts().remoteAddress();
    } catch (IOException closed) {
      throw new UncheckedIOException(closed);
    }
  }

  @Override
  public boolean isOpen() {
    return state.sends();
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    Objects.requireNonNull(key, "key");
    return attributes == null ? null : attributes.get(key);
  }

  @Override
  public <T> WebSocket attribute(AttributeKey<T> key, @Nullable T value) {
    if (attributes == null) {
      attributes = new Attributes();
    }
    attributes.set(key, value);
    return this;
  }

  // ---- threads ----

  /** Returns true if a message is sent at once. */
  private boolean sendsNow() {
    return isDirect() && !session.sender().mustWait();
  }

  @Override
  public boolean isDirect() {
    return connection.isServing() && queued == 0;
  }

  @Override
  public boolean queueMessage(long bytes, Runnable sending) {
    boolean queues = queuedBytes <= shared.limits.unsentBytesMax();
    if (queues) {
      queue(bytes + FrameSender.WAITING_BYTES, sending);
    } else {
      state.endSending();
      connection.execute(session::overfull);
    }
    return queues;
  }

  /** Acts in a later turn, after the calls before. */
  private void queue(long bytes, Runnable action) {
    int _ = (int) QUEUED.getAndAdd(this, 1);
    long _ = (long) QUEUED_BYTES.getAndAdd(this, bytes);
    connection.execute(
        () -> {
          int _ = (int) QUEUED.getAndAdd(this, -1);
          long _ = (long) QUEUED_BYTES.getAndAdd(this, -bytes);
          action.run();
        });
  }

  void act(Runnable action) {
    if (isDirect()) {
      action.run();
    } else {
      queue(0, action);
    }
  }

  /** Sends a message, or a part of one, in the order of the calls. */
  void sendInOrder(int bytes, Runnable sending) {
    if (isDirect()) {
      sending.run();
    } else {
      boolean _ = queueMessage(bytes, sending);
    }
  }

  @Override
  public boolean isWritable() {
    return connection.isServing()
        ? session.sender().hasRoom()
        : state.sends() && !state.isFull() && queuedBytes < shared.server.outboundHighWater();
  }

  @Override
  public void onWritable(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    queue(0, () -> session.onWritable(callback));
  }

  @Override
  public void onLoop(Runnable work) {
    Objects.requireNonNull(work, "work");
    queue(0, () -> session.run(work));
  }

  @Override
  public ScheduledWork onLoopAfter(Duration delay, Runnable work) {
    Objects.requireNonNull(delay, "delay");
    Objects.requireNonNull(work, "work");
    TurnTimer timer = new TurnTimer(connection, delay, work);
    act(() -> session.start(timer));
    return timer;
  }

  @Override
  public ScheduledWork onClose(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    CloseCallbacks callbacks = state.onClose();
    CloseCallbacks.Callback added = callbacks.create(callback);
    if (!callbacks.add(added)) {
      eventLoop().execute(added);
    }
    return added;
  }

  @Override
  public Executor eventLoop() {
    return shared;
  }

  // ---- messages ----

  @Override
  public boolean sendText(String text) {
    Objects.requireNonNull(text, "text");
    if (!state.sends()) {
      return false;
    }
    if (text.length() <= FrameScratch.CHARS_MAX && sendsNow()) {
      session.sender().text(text);
      return session.sender().hasRoom();
    }
    return sendOwn(Opcode.TEXT, WebSocketMessage.text(text).content());
  }

  @Override
  public boolean sendText(ByteBuffer utf8) {
    ByteBuffer checked = FrameSender.lasting(utf8); // the check doesn't notice if it is freed
    LeasedMessages.checkText(MemorySegment.ofBuffer(checked));
    return send(Opcode.TEXT, checked);
  }

  @Override
  public boolean sendText(Bytes utf8) {
    if (!state.sends()) {
      return false;
    }
    if (utf8 instanceof ReceivedBytes received && session.intake().isValidText(received)) {
      return send(Opcode.TEXT, received);
    }
    byte[] own = utf8.toArray();
    LeasedMessages.checkText(MemorySegment.ofArray(own));
    return sendOwn(Opcode.TEXT, ByteBuffer.wrap(own));
  }

  @Override
  public boolean sendBinary(ByteBuffer content) {
    return send(Opcode.BINARY, content);
  }

  @Override
  public boolean sendBinary(Bytes content) {
    if (!state.sends()) {
      return false;
    }
    return content instanceof ReceivedBytes received
        ? send(Opcode.BINARY, received)
        : sendOwn(Opcode.BINARY, ByteBuffer.wrap(content.toArray()));
  }

  private boolean send(int opcode, ReceivedBytes content) {
    if (sendsNow()) {
      session.sender().message(opcode, content);
      return session.sender().hasRoom();
    }
    return sendOwn(opcode, ByteBuffer.wrap(content.toArray()));
  }

  private boolean send(int opcode, ByteBuffer content) {
    if (!state.sends()) {
      return false;
    }
    if (sendsNow()) {
      session.sender().message(opcode, content);
      return session.sender().hasRoom();
    }
    return sendOwn(opcode, FrameSender.copy(content));
  }

  @Override
  public boolean sendText(ByteBuffer utf8, Consumer<? super ByteBuffer> whenSent) {
    return send(Opcode.TEXT, utf8, whenSent);
  }

  @Override
  public boolean sendBinary(ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    return send(Opcode.BINARY, content, whenSent);
  }

  private boolean send(int opcode, ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    shared.leased.send(this, session.sender(), opcode, content, whenSent);
    return isWritable();
  }

  /** Sends content that only this socket knows. */
  private boolean sendOwn(int opcode, ByteBuffer content) {
    sendInOrder(content.remaining(), () -> session.sender().append(opcode, content));
    return isWritable();
  }

  @Override
  public boolean send(WebSocketMessage message) {
    Objects.requireNonNull(message, "message");
    if (!state.sends()) {
      return false;
    }
    if (queued == 0) {
      if (connection.isServing()) {
        session.sender().append(message);
        return !state.isFull();
      }
      if (shared.turns.deliver(session.sender(), connection, message)) {
        return state.sends() && !state.isFull();
      }
    }
    boolean _ = queueMessage(message.length(), () -> session.sender().append(message));
    return isWritable();
  }

  @Override
  public void gather(Runnable sends) {
    Objects.requireNonNull(sends, "sends");
    if (!shared.turns.gather(connection, sends)) {
      sends.run();
    }
  }

  @Override
  public WebSocketStream streamText() {
    return stream(Opcode.TEXT);
  }

  @Override
  public WebSocketStream streamBinary() {
    return stream(Opcode.BINARY);
  }

  private WebSocketStream stream(int opcode) {
    if (streams || !STREAMS.compareAndSet(this, false, true)) {
      throw new IllegalStateException("the message that was begun before has not ended");
    }
    act(() -> session.sender().beginParts());
    return new MessageParts(this, session, shared.leased, opcode);
  }

  /** The message in parts has ended. */
  void onPartsEnd() {
    streams = false;
  }

  // ---- control ----

  @Override
  public boolean sendPing(byte[] content) {
    if (content.length > CONTROL_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a ping may have " + CONTROL_BYTES_MAX + " bytes, but not " + content.length);
    }
    if (!state.sends()) {
      return false;
    }
    byte[] own = content.clone();
    sendInOrder(own.length, () -> session.sender().control(Opcode.PING, own));
    return isWritable();
  }

  @Override
  public void pause() {
    if (connection.isServing()) {
      session.intake().pause(); // before the next message of this turn
    }
    if (!isDirect()) {
      queue(0, session.intake()::pause); // after a resumption that waits for its turn
    }
  }

  @Override
  public void resume() {
    act(session::resume);
  }

  @Override
  public void close(int code, String reason) {
    byte[] content = CloseFrame.encode(code, reason);
    if (!state.sends()) {
      return;
    }
    state.endSending();
    act(() -> session.close(content));
  }

  @Override
  public void abort() {
    state.endSending();
    if (connection.isServing()) {
      session.abort();
    } else {
      queue(0, session::abort);
    }
  }
}
