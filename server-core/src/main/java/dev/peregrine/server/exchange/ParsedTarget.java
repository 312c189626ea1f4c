package dev.peregrine.server.exchange;

import dev.peregrine.http.Parameters;
import dev.peregrine.http.PathSegments;
import org.jspecify.annotations.Nullable;

/** What was found out about a request's target beyond its parts; used again with its exchange. */
final class ParsedTarget {
  final PathSegments path = new PathSegments();
  @Nullable Parameters query;

  void clear() {
    path.clear();
    query = null;
  }
}
