package dev.peregrine.http.events;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.HeaderName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A stream of server-sent events, for a browser's {@code EventSource} (WHATWG HTML, section 9.2).
 *
 * <pre>{@code
 * Handlers.blocking(
 *     (request, response) -> {
 *       EventStream events = EventStream.open(response);
 *       for (Price price : prices.from(EventStream.lastEventId(request))) {
 *         events.send(ServerSentEvent.of(price.text()).id(price.id()));
 *       }
 *     });
 * }</pre>
 *
 * <p>Each event is sent at once. On a thread that may block, sending waits while the client is
 * behind. A thread that serves many clients checks {@link #isWritable} first, and skips those that
 * are behind. On the event loop nothing waits. Proxies and clients give up silent connections: a
 * {@link #comment} about every 15 seconds keeps them open.
 *
 * <p>The stream ends by itself when the client ends its side of the connection, for example by
 * closing the tab, and when the server shuts down. Sending throws {@link IOException} from then on;
 * {@link #onClose} notifies a handler that waits for something else. Used by one thread at a time.
 */
public final class EventStream implements AutoCloseable {
  private static final ContentType TYPE = ContentType.of("text/event-stream");

  /** The present user of the stream. */
  private enum State {
    IDLE,
    SENDING,
    /** The thread that sends ends the stream after it. */
    SENDING_LAST,
    /** The loop ends the stream, but has not submitted that yet. */
    ENDING,
    ENDED
  }

  private final Response response;
  private final ResponseStream stream;
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  private final AtomicReference<@Nullable Runnable> onClose =
      new AtomicReference<>(() -> {}); // null once the stream has ended
  private volatile String endedBy = "the stream was closed";

  private EventStream(Response response) {
    this.response = response;
    this.stream = response.stream();
  }

  /**
   * Starts the response: {@code 200} with {@code Content-Type: text/event-stream} and {@code
   * Cache-Control: no-store}, and the fields that were set before. A thread other than the event
   * loop's must call {@link Response#async} first.
   *
   * @throws IOException if the client is gone
   */
  public static EventStream open(Response response) throws IOException {
    response.contentType(TYPE).header(HeaderName.CACHE_CONTROL, "no-store");
    EventStream events = new EventStream(response);
    events.stream.flush();
    events.stream.awaitWritable();
    response
        .onAbort(cause -> events.endNow(String.valueOf(cause.getMessage())))
        .onClientClosed(() -> events.endNow("the client has closed its side"))
        .onShutdown(() -> events.endNow("the server is shutting down"));
    return events;
  }

  /**
   * Returns the id of the last event that the client received before it connected again; null if
   * the client sent none.
   */
  public static @Nullable String lastEventId(Request request) {
    String id = request.header(HeaderName.LAST_EVENT_ID);
    return id == null
        ? null
        : new String(id.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** Returns true if no event is being sent, and less than the high-water mark is unsent. */
  public boolean isWritable() {
    return state.get() == State.IDLE && stream.isWritable();
  }

  /**
   * Calls back once when the stream has ended: closed by its handler, by the client, by the
   * shutdown of the server, or by a failure. Runs on the thread that ends the stream, usually the
   * event loop, so it must not block. If the stream has ended already, the callback is called at
   * once.
   */
  public EventStream onClose(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    Runnable before =
        onClose.getAndUpdate(current -> current == null ? null : both(current, callback));
    if (before == null) {
      callback.run();
    }
    return this;
  }

  private static Runnable both(Runnable first, Runnable second) {
    return () -> {
      try {
        first.run();
      } finally {
        second.run();
      }
    };
  }

  /** Sends an event with only data. */
  public void send(String data) throws IOException {
    send(ServerSentEvent.of(data));
  }

  /**
   * Sends an event.
   *
   * @throws IOException if the stream has ended, or the client is gone
   */
  public void send(ServerSentEvent event) throws IOException {
    write(event.encoded());
  }

  /**
   * Sends a comment, which clients ignore; a heartbeat.
   *
   * @throws IOException if the stream has ended, or the client is gone
   */
  public void comment(String text) throws IOException {
    StringBuilder lines = new StringBuilder();
    ServerSentEvent.lines(": ", text, lines);
    write(lines.append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Ends the response. The client will connect again, unless it then receives 204. */
  @Override
  public void close() {
    if (state.compareAndSet(State.IDLE, State.ENDED)) {
      stream.complete();
      callOnClose();
    }
  }

  private void write(byte[] bytes) throws IOException {
    State before = state.compareAndExchange(State.IDLE, State.SENDING);
    if (before == State.ENDING) {
      response.onLoop(stream::completeNow); // before a handler that fails by the exception
    }
    if (before != State.IDLE) {
      throw new IOException(endedBy);
    }
    try {
      stream.write(bytes);
      stream.flush();
    } finally {
      if (!state.compareAndSet(State.SENDING, State.IDLE)) {
        state.set(State.ENDED);
        stream.completeNow();
        callOnClose();
      }
    }
    stream.awaitWritable();
  }

  /** Ends the stream after the events sent so far; on the event loop. */
  private void endNow(String reason) {
    if (state.get() != State.ENDED) {
      endedBy = reason; // first: a sender that sees the end sees its reason
    }
    State before =
        state.getAndUpdate(
            current ->
                switch (current) {
                  case IDLE, ENDING -> State.ENDING;
                  case SENDING, SENDING_LAST -> State.SENDING_LAST;
                  case ENDED -> State.ENDED;
                });
    if (before == State.IDLE) {
      response.onLoop(stream::completeNow); // after the events that other threads have passed on
      state.set(State.ENDED);
      callOnClose();
    }
  }

  private void callOnClose() {
    Runnable callback = onClose.getAndSet(null);
    if (callback != null) {
      callback.run();
    }
  }
}
