package dev.peregrine.http;

import java.util.Objects;

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
 * @param <T> the type of the values
 */
@SuppressWarnings("UnusedTypeParameter") // by methods that take a key
public final class AttributeKey<T> {
  private final String name;

  private AttributeKey(String name) {
    this.name = Objects.requireNonNull(name);
  }

  /**
   * Creates a key.
   *
   * @param name for people who read a log or a heap dump
   */
  public static <T> AttributeKey<T> of(String name) {
    return new AttributeKey<>(name);
  }

  /** Returns the name. */
  @Override
  public String toString() {
    return name;
  }
}
