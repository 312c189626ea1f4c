package dev.peregrine.server.metrics;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a request: the template of its route, and the others packed into an int by
 * {@link RequestAttributes}. Mutable, so that a loop can look one up without creating it.
 */
final class SeriesKey {
  @Nullable String route;
  int attributes;

  SeriesKey(@Nullable String route, int attributes) {
    this.route = route;
    this.attributes = attributes;
  }

  SeriesKey copy() {
    return new SeriesKey(route, attributes);
  }

  /** Returns true if the attributes are these. A route's template is mostly the same object. */
  boolean is(@Nullable String otherRoute, int otherAttributes) {
    return attributes == otherAttributes && Objects.equals(route, otherRoute);
  }

  static int hash(@Nullable String route, int attributes) {
    int mixed = (Objects.hashCode(route) ^ attributes) * 0x9E3779B9; // 2^32 / golden ratio
    return mixed ^ mixed >>> 16;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SeriesKey key && is(key.route, key.attributes);
  }

  @Override
  public int hashCode() {
    return hash(route, attributes);
  }
}
