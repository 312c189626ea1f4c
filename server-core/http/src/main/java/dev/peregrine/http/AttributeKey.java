package dev.peregrine.http;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A typed name for a value that is attached to a request. Two keys are always different, even if
 * they have the same name, so keep a key in a constant.
 *
 * <pre>{@code
 * static final AttributeKey<User> USER = AttributeKey.of("user");
 * …
 * request.attribute(USER, authenticated);
 * User user = request.attribute(USER); // null if none was attached
 * }</pre>
 *
 * <p>The value of a {@linkplain #logged logged} key stands in the log line of a handler that fails.
 *
 * @param <T> the type of the values
 */
public final class AttributeKey<T> {
  private final String name;
  private final @Nullable Function<? super T, String> text; // null if the values aren't logged

  private AttributeKey(String name, @Nullable Function<? super T, String> text) {
    this.name = Objects.requireNonNull(name);
    this.text = text;
  }

  /**
   * Creates a key.
   *
   * @param name for people who read a log or a heap dump
   */
  public static <T> AttributeKey<T> of(String name) {
    return new AttributeKey<>(name, null);
  }

  /**
   * Creates a key whose values the server writes into the log line of a handler that fails: {@code
   * handler failed: GET /orders (user: alice)}. Controls are replaced, and long texts are cut.
   *
   * @param name for people who read the log
   * @param text the text of a value; called on an event loop, when a line is written
   */
  public static <T> AttributeKey<T> logged(String name, Function<? super T, String> text) {
    return new AttributeKey<>(name, Objects.requireNonNull(text));
  }

  /** Returns true if the values are written into the log line of a handler that fails. */
  public boolean isLogged() {
    return text != null;
  }

  /** Returns the text of a value for a log: what {@link #logged} was given, or its toString. */
  public String text(T value) {
    return text == null ? String.valueOf(value) : text.apply(value);
  }

  /** Returns the name. */
  @Override
  public String toString() {
    return name;
  }
}
