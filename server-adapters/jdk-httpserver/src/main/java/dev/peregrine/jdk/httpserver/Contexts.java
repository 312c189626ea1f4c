package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.HttpContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a server. The one with the longest matching prefix serves a path. Thread-safe.
 */
final class Contexts {
  private final boolean bySegments;
  private volatile List<Context> longestFirst = List.of();

  /**
   * Creates an empty set.
   *
   * @param bySegments whether {@code /shop} matches {@code /shop/cart} but not {@code /shopping}
   */
  Contexts(boolean bySegments) {
    this.bySegments = bySegments;
  }

  /** Adds a context, unless its path has one; throws {@link IllegalArgumentException} then. */
  synchronized void add(Context added) {
    if (indexOf(added.getPath()) >= 0) {
      throw new IllegalArgumentException("the path has a context already: " + added.getPath());
    }
    List<Context> next = new ArrayList<>(longestFirst);
    next.add(added);
    next.sort(Comparator.comparingInt(one -> -one.getPath().length()));
    longestFirst = List.copyOf(next);
  }

  /** Removes the context of a path; throws {@link IllegalArgumentException} if it has none. */
  synchronized void remove(String path) {
    Objects.requireNonNull(path, "path");
    int index = indexOf(path);
    if (index < 0) {
      throw new IllegalArgumentException("the path has no context: " + path);
    }
    List<Context> next = new ArrayList<>(longestFirst);
    next.remove(index);
    longestFirst = List.copyOf(next);
  }

  /** Removes a context; throws {@link IllegalArgumentException} if it isn't one of these. */
  synchronized void remove(HttpContext removed) {
    int index = indexOf(removed.getPath());
    if (index < 0 || longestFirst.get(index) != removed) {
      throw new IllegalArgumentException("not a context of this server: " + removed.getPath());
    }
    remove(removed.getPath());
  }

  private int indexOf(String path) {
    List<Context> known = longestFirst;
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).getPath().equals(path)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the context of a request.
   *
   * @param path decoded; null for a target without a path
   */
  @Nullable Context find(@Nullable String path) {
    if (path == null) {
      return null;
    }
    for (Context one : longestFirst) {
      if (matches(one.getPath(), path)) {
        return one;
      }
    }
    return null;
  }

  private boolean matches(String prefix, String path) {
    return path.startsWith(prefix)
        && (!bySegments
            || path.length() == prefix.length()
            || prefix.endsWith("/")
            || path.charAt(prefix.length()) == '/');
  }
}
