package dev.peregrine.http.websocket;

import dev.peregrine.base.Log;
import dev.peregrine.base.TimeText;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One socket of a {@link BlockingWebSocketHandler}. The event loop calls the methods {@code onX}
 * and never waits; other threads call the rest.
 */
final class BlockingSession implements BlockingWebSocket {
  private static final int NORMAL = 1000;
  private static final int GOING_AWAY = 1001;
  private static final int FAILED = 1011;

  /** How long it takes at most to notice that another thread has begun to close the socket. */
  private static final long RECHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Closure(int code, String reason) {}

  /** No message has come in time. A client can bring that about as often as it likes. */
  private static final class SilentClientException extends TimeoutException {
    private static final long serialVersionUID = 1;

    SilentClientException(String message) {
      super(message);
    }
  }

  private final WebSocket socket;
  private final Thread loop;
  private final Inbox inbox;
  private final ReentrantLock receiving = new ReentrantLock(); // one thread waits at a time
  private final ReentrantLock sending = new ReentrantLock();
  private final Signal arrived = new Signal();
  private final Signal room = new Signal();
  private final Runnable onRoom = room::raise;

  private volatile @Nullable Closure closure;
  private volatile boolean isShuttingDown;
  private volatile boolean hasReturned;

  BlockingSession(WebSocket socket, Thread loop) {
    this.socket = socket;
    this.loop = loop;
    this.inbox = new Inbox(socket);
  }

  /** Runs the handler, then closes the socket. */
  void run(BlockingWebSocketHandler handler) {
    int code = FAILED;
    try {
      handler.handle(this);
      code = isShuttingDown ? GOING_AWAY : NORMAL;
    } catch (Throwable failure) {
      Level level = isOfTheClient(failure) ? Level.DEBUG : Level.ERROR;
      Log.add(level, "the handler of a WebSocket failed", failure);
    } finally {
      hasReturned = true;
      socket.close(code, "");
      inbox.release(); // the client's close frame comes after its messages
    }
  }

  /** Returns true if a client has caused a failure by its silence or its end. */
  private boolean isOfTheClient(Throwable failure) {
    boolean isOfTheEnd =
        failure instanceof IOException
            || failure instanceof InterruptedException // the handler can ask for it by onClose
            || failure.getCause() instanceof InterruptedIOException;
    return failure instanceof SilentClientException || (isOfTheEnd && !socket.isOpen());
  }

  /** Returns true if {@link #onMessage} takes messages. */
  boolean isReceiving() {
    return !hasReturned && !isShuttingDown;
  }

  void onMessage(WebSocketMessage message) {
    inbox.add(message);
    arrived.raise();
  }

  void onShutdown() {
    isShuttingDown = true;
    arrived.raise();
  }

  void onClose(int code, String reason) {
    closure = new Closure(code, reason);
    arrived.raise();
    room.raise();
  }

  @Override
  public @Nullable WebSocketMessage receive() throws InterruptedException {
    rejectLoop();
    receiving.lockInterruptibly();
    try {
      while (!arrived.await(this::canReturn, Long.MAX_VALUE)) {}
      return inbox.poll();
    } finally {
      receiving.unlock();
    }
  }

  @Override
  public @Nullable WebSocketMessage receive(Duration timeout)
      throws InterruptedException, TimeoutException {
    rejectLoop();
    long nanos = TimeUnit.NANOSECONDS.convert(timeout); // at most Long.MAX_VALUE
    long start = System.nanoTime();
    boolean returns = false;
    if (receiving.tryLock(nanos, TimeUnit.NANOSECONDS)) {
      try {
        returns = arrived.await(this::canReturn, nanos - (System.nanoTime() - start));
        if (returns) {
          return inbox.poll();
        }
      } finally {
        receiving.unlock();
      }
    }
    throw new SilentClientException("no message within " + TimeText.of(timeout));
  }

  /** Returns true if there is a message, or none will come. */
  private boolean canReturn() {
    return !inbox.isEmpty() || isShuttingDown || closure != null;
  }

  @Override
  public Iterator<WebSocketMessage> iterator() {
    return new Iterator<>() {
      private @Nullable WebSocketMessage next;

      @Override
      public boolean hasNext() {
        try {
          if (next == null) {
            next = receive();
          }
          return next != null;
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          InterruptedIOException failure = new InterruptedIOException("interrupted");
          failure.initCause(interrupted);
          throw new UncheckedIOException(failure);
        }
      }

      @Override
      public WebSocketMessage next() {
        WebSocketMessage message = hasNext() ? next : null;
        if (message == null) {
          throw new NoSuchElementException("the socket has closed");
        }
        next = null;
        return message;
      }
    };
  }

  @Override
  public void send(WebSocketMessage message) throws IOException, InterruptedException {
    Objects.requireNonNull(message, "message");
    rejectLoop();
    sending.lockInterruptibly();
    try {
      while (isBehind()) {
        socket.onWritable(onRoom);
        boolean ignored = room.await(() -> !isBehind(), RECHECK_NANOS);
      }
      if (!socket.isOpen()) {
        throw closed();
      }
      boolean ignored = socket.send(message);
    } finally {
      sending.unlock();
    }
  }

  private boolean isBehind() {
    return socket.isOpen() && closure == null && !socket.isWritable();
  }

  private IOException closed() {
    Closure end = closure;
    return new IOException(
        end == null
            ? "the WebSocket is closing"
            : "the WebSocket has closed with " + end.code + ": " + end.reason);
  }

  @Override
  public void close(int code, String reason) {
    socket.close(code, reason);
  }

  @Override
  public boolean isOpen() {
    return !isShuttingDown && socket.isOpen();
  }

  @Override
  public int closeCode() {
    Closure end = closure;
    return end == null ? 0 : end.code;
  }

  @Override
  public String closeReason() {
    Closure end = closure;
    return end == null ? "" : end.reason;
  }

  @Override
  public WebSocket webSocket() {
    return socket;
  }

  private void rejectLoop() {
    if (Thread.currentThread().equals(loop)) {
      throw new IllegalStateException(
          "BlockingWebSocket waits, which an event loop must not; use webSocket()");
    }
  }
}
