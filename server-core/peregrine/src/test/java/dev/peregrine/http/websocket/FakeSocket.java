package dev.peregrine.http.websocket;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ScheduledWork;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.WebSocketStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A socket in memory: records what is sent, and has the room that a test gives it. */
final class FakeSocket implements WebSocket {
  final List<String> sent = new CopyOnWriteArrayList<>();
  final List<String> events = new CopyOnWriteArrayList<>();
  private final List<Runnable> onClose = new CopyOnWriteArrayList<>();
  private final Executor loop;
  private volatile int room = Integer.MAX_VALUE;
  private volatile boolean open = true;
  private volatile @Nullable Runnable onWritable;
  private volatile @Nullable RuntimeException failure;
  private Runnable beforePause = () -> {};
  private Runnable afterPause = () -> {};

  FakeSocket(Executor loop) {
    this.loop = loop;
  }

  /** Sets how many more messages can be sent before the client is behind. */
  void room(int messages) {
    room = messages;
    Runnable callback = onWritable;
    if (messages > 0 && callback != null) {
      onWritable = null;
      callback.run();
    }
  }

  void failWith(RuntimeException cause) {
    failure = cause;
  }

  /** Has another thread act right before a pause. */
  void beforePause(Runnable work) {
    beforePause = work;
  }

  /** Has another thread act right after a pause. */
  void afterPause(Runnable work) {
    afterPause = work;
  }

  /** Ends the socket, as the client would. */
  void end() {
    open = false;
    List<Runnable> callbacks = List.copyOf(onClose);
    onClose.clear();
    callbacks.forEach(Runnable::run);
  }

  /** Begins to close. */
  void beginClose() {
    open = false;
  }

  int onCloseCallbacks() {
    return onClose.size();
  }

  @Override
  public synchronized boolean send(WebSocketMessage message) {
    if (failure != null) {
      throw failure;
    }
    if (open) {
      sent.add(message.text());
      room--;
    }
    return isWritable();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isWritable() {
    return open && room > 0;
  }

  @Override
  public void onWritable(Runnable callback) {
    onWritable = callback;
    if (isWritable()) {
      room(room);
    }
  }

  @Override
  public void pause() {
    beforePause.run();
    events.add("pause");
    afterPause.run();
  }

  @Override
  public void resume() {
    events.add("resume");
  }

  @Override
  public void close(int code, String reason) {
    events.add("close " + code);
    open = false;
  }

  @Override
  public void abort() {
    events.add("abort");
    end();
  }

  @Override
  public Executor eventLoop() {
    return loop;
  }

  @Override
  public void onLoop(Runnable work) {
    loop.execute(work);
  }

  @Override
  public ScheduledWork onClose(Runnable callback) {
    onClose.add(callback);
    return () -> onClose.remove(callback);
  }

  @Override
  public @Nullable String subprotocol() {
    return null;
  }

  @Override
  public SocketAddress remoteAddress() {
    return new InetSocketAddress(0);
  }

  @Override
  public boolean sendText(String text) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean sendText(ByteBuffer utf8) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean sendText(Bytes utf8) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean sendBinary(ByteBuffer content) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean sendText(ByteBuffer utf8, Consumer<? super ByteBuffer> whenSent) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean sendBinary(ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean sendBinary(Bytes content) {
    throw new UnsupportedOperationException();
  }

  @Override
  public WebSocketStream streamText() {
    throw new UnsupportedOperationException();
  }

  @Override
  public WebSocketStream streamBinary() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean sendPing(byte[] content) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    return null;
  }

  @Override
  public <T> WebSocket attribute(AttributeKey<T> key, @Nullable T value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledWork onLoopAfter(Duration delay, Runnable work) {
    throw new UnsupportedOperationException();
  }
}
