package dev.peregrine.server.exchange.view;

import dev.peregrine.http.Parameters;
import dev.peregrine.http.path.DecodedPath;
import dev.peregrine.server.exchange.run.ExchangeTurns;
import org.jspecify.annotations.Nullable;

/**
 * The decoded path and query of a request; reused with its exchange. It owns the path in place of
 * the request, so that a program without routes doesn't load the package of paths.
 */
final class ParsedTarget implements DecodedPath.Owner {
  private final ExchangeTurns turns;
  final DecodedPath path;
  @Nullable Parameters query;

  @SuppressWarnings("this-escape") // the path calls its owner when it is read
  ParsedTarget(ExchangeTurns turns) {
    this.turns = turns;
    path = new DecodedPath(this);
  }

  @Override
  public void checkReadable() {
    turns.checkReadable();
  }

  void clear() {
    path.clear();
    query = null;
  }
}
