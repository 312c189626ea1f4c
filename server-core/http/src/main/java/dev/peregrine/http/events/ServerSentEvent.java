package dev.peregrine.http.events;

import dev.peregrine.base.Range;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event for a browser's {@code EventSource} (WHATWG HTML, section 9.2). Immutable: each method
 * returns another event. It is encoded once for all clients.
 *
 * <pre>{@code
 * events.send(ServerSentEvent.of("{\"price\":7}").event("price").id("42"));
 * }</pre>
 */
public final class ServerSentEvent {
  private final @Nullable String data;
  private final @Nullable String event;
  private final @Nullable String id;
  private final @Nullable Duration retry;
  private byte @Nullable [] encoded; // may be encoded twice, with the same result

  private ServerSentEvent(
      @Nullable String data,
      @Nullable String event,
      @Nullable String id,
      @Nullable Duration retry) {
    this.data = data;
    this.event = event;
    this.id = id;
    this.retry = retry;
  }

  /**
   * Returns an event with data of one or more lines, which the client gets with LF between them.
   */
  public static ServerSentEvent of(String data) {
    return new ServerSentEvent(Objects.requireNonNull(data, "data"), null, null, null);
  }

  /**
   * Returns a message that only sets how long the client waits before it connects again.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public static ServerSentEvent reconnectAfter(Duration time) {
    return new ServerSentEvent(null, null, null, null).retry(time);
  }

  /**
   * Sets the type of the event, which the client listens for; {@code message} by default.
   *
   * @throws IllegalArgumentException if the text has a CR or LF
   */
  public ServerSentEvent event(String type) {
    requireLine("event", type, "\r\n");
    return new ServerSentEvent(data, type, id, retry);
  }

  /**
   * Sets the id that the client sends as Last-Event-ID when it connects again; empty for none.
   *
   * @throws IllegalArgumentException if the text has a CR, LF or NUL
   */
  public ServerSentEvent id(String text) {
    requireLine("id", text, "\r\n\0");
    return new ServerSentEvent(data, event, text, retry);
  }

  /**
   * Sets how long the client waits before it connects again, in whole milliseconds.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public ServerSentEvent retry(Duration time) {
    Range.checkNotNegative("retry", time);
    return new ServerSentEvent(data, event, id, time);
  }

  private static void requireLine(String what, String text, String forbidden) {
    if (text.chars().anyMatch(c -> forbidden.indexOf(c) >= 0)) {
      throw new IllegalArgumentException(what + " has a CR, LF or NUL, which would end it");
    }
  }

  /** Returns the event as it is sent, which must not be changed. */
  byte[] encoded() {
    byte[] known = encoded;
    if (known == null) {
      known = encode().getBytes(StandardCharsets.UTF_8);
      encoded = known;
    }
    return known;
  }

  private String encode() {
    StringBuilder text = new StringBuilder();
    if (event != null) {
      text.append("event: ").append(event).append('\n');
    }
    if (id != null) {
      text.append("id: ").append(id).append('\n');
    }
    if (retry != null) {
      text.append("retry: ").append(retry.toMillis()).append('\n');
    }
    if (data != null) {
      lines("data: ", data, text);
    }
    return text.append('\n').toString();
  }

  /** Adds each line of a text after a prefix. Lines end where they do for the client. */
  static void lines(String prefix, String text, StringBuilder target) {
    for (String line : text.split("\r\n|\r|\n", -1)) {
      target.append(prefix).append(line).append('\n');
    }
  }
}
