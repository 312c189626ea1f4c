package dev.peregrine.http;

import dev.peregrine.http.text.Utf8Text;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A message that is encoded once and can be sent to any number of sockets, from any thread.
 * Immutable.
 */
public final class WebSocketMessage {
  private final boolean isText;
  private final byte[] content;
  private volatile @Nullable ConcurrentMap<Object, Object> forms; // created for the first one

  private WebSocketMessage(boolean isText, byte[] content) {
    this.isText = isText;
    this.content = content;
  }

  /**
   * Returns a text message.
   *
   * @throws IllegalArgumentException if the text has a surrogate without its other half
   */
  public static WebSocketMessage text(String text) {
    return new WebSocketMessage(true, Utf8Text.encode(text));
  }

  /** Returns a binary message with a copy of an array. */
  public static WebSocketMessage binary(byte[] content) {
    return new WebSocketMessage(false, content.clone());
  }

  /** Returns a text message with a copy of the text that a listener has received. */
  public static WebSocketMessage text(Bytes received) {
    return new WebSocketMessage(true, received.toArray());
  }

  /** Returns a binary message with a copy of the content that a listener has received. */
  public static WebSocketMessage binary(Bytes received) {
    return new WebSocketMessage(false, received.toArray());
  }

  /** Returns true if it is a text message. */
  public boolean isText() {
    return isText;
  }

  /** Returns the number of bytes of the content. */
  public int length() {
    return content.length;
  }

  /** Returns the content as text in UTF-8. */
  public String text() {
    return new String(content, StandardCharsets.UTF_8);
  }

  /** Returns a copy of the content. */
  public byte[] toArray() {
    return content.clone();
  }

  /** Returns the content as a read-only buffer. */
  public ByteBuffer content() {
    return ByteBuffer.wrap(content).asReadOnlyBuffer();
  }

  /** Returns the kind and the length, without the content. */
  @Override
  public String toString() {
    return (isText ? "text" : "binary") + " message of " + content.length + " bytes";
  }

  /**
   * Returns an encoded form of this message that a protocol needs. It is made for the first caller
   * and kept as long as the message.
   *
   * @param kind the kind of form: callers with an equal kind get the same object
   * @param encoder makes the form; must not return null
   */
  @SuppressWarnings("unchecked") // a kind has forms of one type
  public <K, T> T form(K kind, Function<? super WebSocketMessage, T> encoder) {
    ConcurrentMap<Object, Object> known = forms();
    Object present = known.get(kind);
    return (T) (present != null ? present : known.computeIfAbsent(kind, k -> encoder.apply(this)));
  }

  private ConcurrentMap<Object, Object> forms() {
    ConcurrentMap<Object, Object> present = forms;
    return present == null ? createForms() : present;
  }

  private synchronized ConcurrentMap<Object, Object> createForms() {
    ConcurrentMap<Object, Object> present = forms;
    if (present == null) {
      present = new ConcurrentHashMap<>(4);
      forms = present;
    }
    return present;
  }
}
