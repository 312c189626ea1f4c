package dev.peregrine.http;

import dev.peregrine.base.Range;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event for a browser's {@code EventSource} (WHATWG HTML, section 9.2). Immutable: each method
 * returns another event. It is encoded once, however many clients it is sent to.
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
  private byte @Nullable [] encoded; // may be made twice, with the same result

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

  /** An event with data, of one line or several: the client gets them with LF between them. */
  public static ServerSentEvent of(String data) {
    return new ServerSentEvent(data, null, null, null);
  }

  /**
   * How long the client waits before it connects again, without an event.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public static ServerSentEvent reconnectAfter(Duration time) {
    return new ServerSentEvent(null, null, null, null).retry(time);
  }

  /**
   * The type of the event, which the client listens for; {@code message} otherwise.
   *
   * @throws IllegalArgumentException if the text has a CR or LF
   */
  public ServerSentEvent event(String type) {
    requireLine("event", type, "\r\n");
    return new ServerSentEvent(data, type, id, retry);
  }

  /**
   * What the client sends as Last-Event-ID when it connects again; empty to forget it.
   *
   * @throws IllegalArgumentException if the text has a CR, LF or NUL
   */
  public ServerSentEvent id(String text) {
    requireLine("id", text, "\r\n\0");
    return new ServerSentEvent(data, event, text, retry);
  }

  /**
   * How long the client waits before it connects again, in whole milliseconds.
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

  /** The event as it is sent; not to be changed. */
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

  /** Adds each line of a text behind a prefix; what ends a line ends it for the client too. */
  static void lines(String prefix, String text, StringBuilder target) {
    for (String line : text.split("\r\n|\r|\n", -1)) {
      target.append(prefix).append(line).append('\n');
    }
  }
}
