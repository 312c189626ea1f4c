package dev.peregrine.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events: what a browser's {@code EventSource} listens to (WHATWG HTML, section 9.2).
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
 * <p>Each event is sent at once. On a thread that may block, sending waits while the client takes
 * less than it is sent; who serves many clients from one thread looks at {@link #isWritable} first,
 * and skips those that are behind. On the event loop nothing waits. Proxies and clients give up
 * connections on which nothing comes: {@link #comment} every 15 seconds or so keeps them. Used by
 * one thread at a time.
 */
public final class EventStream implements AutoCloseable {
  private static final ContentType TYPE = ContentType.of("text/event-stream");

  private final ResponseStream stream;

  private EventStream(ResponseStream stream) {
    this.stream = stream;
  }

  /**
   * Starts the response: {@code 200} with {@code Content-Type: text/event-stream} and {@code
   * Cache-Control: no-store}, beside the fields that were set. Off the event loop, {@link
   * HttpResponse#async} has to be said before, as ever.
   *
   * @throws IOException if the client is gone
   */
  public static EventStream open(HttpResponse response) throws IOException {
    response.contentType(TYPE).header("Cache-Control", "no-store");
    EventStream events = new EventStream(response.stream());
    events.flush();
    return events;
  }

  /**
   * The id of the last event that the client got before it connected again; null if it has none.
   */
  public static @Nullable String lastEventId(HttpRequest request) {
    String id = request.header("Last-Event-ID");
    return id == null
        ? null
        : new String(id.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** Whether sending would not wait, and the client isn't behind. */
  public boolean isWritable() {
    return stream.isWritable();
  }

  /** Sends an event with data alone. */
  public void send(String data) throws IOException {
    send(ServerSentEvent.of(data));
  }

  /**
   * Sends an event.
   *
   * @throws IOException if the client is gone
   */
  public void send(ServerSentEvent event) throws IOException {
    write(event.encoded());
  }

  /**
   * Sends a comment, which clients ignore; a heartbeat.
   *
   * @throws IOException if the client is gone
   */
  public void comment(String text) throws IOException {
    StringBuilder lines = new StringBuilder();
    ServerSentEvent.lines(": ", text, lines);
    write(lines.append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Ends the response. The client will connect again, unless a 204 then tells it not to. */
  @Override
  public void close() {
    stream.end();
  }

  private void write(byte[] bytes) throws IOException {
    stream.write(bytes);
    flush();
  }

  private void flush() throws IOException {
    stream.flush();
    stream.awaitWritable();
  }
}
