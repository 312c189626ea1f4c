package dev.peregrine.server.http1;

import dev.peregrine.http.PathSegments;

/** What was found out about a request's target beyond its parts; used again with its exchange. */
final class ParsedTarget {
  final PathSegments path = new PathSegments();

  void clear() {
    path.clear();
  }
}
