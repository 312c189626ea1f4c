package dev.peregrine.http.files;

import dev.peregrine.base.PercentCoding;
import dev.peregrine.http.Request;
import org.jspecify.annotations.Nullable;

/**
 * The part of paths that stands for the directory.
 *
 * @param prefix as sent, without its last slash; null to derive it from the routes
 */
record Mount(@Nullable String prefix) {
  /**
   * Returns the length of the prefix that stands for the directory, without a slash at its end;
   * negative if the path doesn't have the prefix.
   */
  int prefixLength(String path, Request request) {
    int length = 0;
    if (prefix == null) {
      for (int i = request.routedSegments(); i > 0; i--) {
        int slash = path.indexOf('/', length + 1);
        length = slash < 0 ? path.length() : slash;
      }
    } else if (path.startsWith(prefix)) {
      length = prefix.length();
    } else {
      return -1;
    }
    return length == path.length() || path.charAt(length) == '/' ? length : -1;
  }

  /** Returns the request's path for a path below the directory. */
  String pathOf(String below, Request request) {
    if (prefix != null) {
      return prefix + below;
    }
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < request.routedSegments(); i++) {
      PercentCoding.encodeSegment(request.pathSegments().segment(i), path.append('/'));
    }
    return path.append(below).toString();
  }
}
