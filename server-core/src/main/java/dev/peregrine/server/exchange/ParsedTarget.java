package dev.peregrine.server.exchange;

import dev.peregrine.http.Parameters;
import dev.peregrine.http.path.DecodedPath;
import org.jspecify.annotations.Nullable;

/** The decoded path and query of a request; reused with its exchange. */
final class ParsedTarget {
  final DecodedPath path;
  @Nullable Parameters query;

  ParsedTarget(DecodedPath.Owner owner) {
    path = new DecodedPath(owner);
  }

  void clear() {
    path.clear();
    query = null;
  }
}
