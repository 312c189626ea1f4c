package dev.peregrine.server.exchange.state;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.server.exchange.text.VisibleText;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values that are attached to a request or a WebSocket. They are few, so a linear search finds
 * them.
 */
public final class Attributes {
  private static final int TEXT_MAX = 128; // of a logged value; arbitrary

  private @Nullable Object[] entries; // a key, its value, the next key, and so on

  /** Creates a set without values. */
  public Attributes() {
    this(new Object[8]);
  }

  private Attributes(@Nullable Object[] entries) {
    this.entries = entries;
  }

  public Attributes copy() {
    return new Attributes(entries.clone());
  }

  @SuppressWarnings("unchecked") // a key has values of its type only
  public <T> @Nullable T get(AttributeKey<T> key) {
    @Nullable Object[] seen = entries; // the event loop may read while another thread adds
    for (int i = 0; i < seen.length; i += 2) {
      if (key.equals(seen[i])) {
        return (T) seen[i + 1];
      }
    }
    return null;
  }

  public <T> void set(AttributeKey<T> key, @Nullable T value) {
    int free = -1;
    for (int i = entries.length - 2; i >= 0; i -= 2) {
      if (key.equals(entries[i])) {
        entries[i + 1] = value;
        return;
      }
      free = entries[i] == null ? i : free;
    }
    if (value == null) {
      return;
    }
    if (free < 0) {
      free = entries.length;
      entries = Arrays.copyOf(entries, 2 * free);
    }
    entries[free + 1] = value;
    entries[free] = key;
  }

  /**
   * Returns the values of the keys that are logged, like {@code " (request id: 7, user: alice)"};
   * empty if there are none. Clients choose some of them.
   */
  String describe() {
    StringBuilder text = new StringBuilder();
    @Nullable Object[] seen = entries;
    for (int i = 0; i < seen.length; i += 2) {
      Object value = seen[i + 1];
      if (value != null && seen[i] instanceof AttributeKey<?> key && key.isLogged()) {
        text.append(text.isEmpty() ? " (" : ", ").append(key).append(": ");
        VisibleText.append(text, textOf(key, value), TEXT_MAX);
      }
    }
    return text.isEmpty() ? "" : text.append(')').toString();
  }

  @SuppressWarnings("unchecked") // a key has values of its type only
  private static <T> String textOf(AttributeKey<T> key, Object value) {
    try {
      return String.valueOf(key.text((T) value));
    } catch (RuntimeException broken) {
      return "?"; // a line without it is better than none
    }
  }

  void clear() {
    Arrays.fill(entries, null);
  }
}
