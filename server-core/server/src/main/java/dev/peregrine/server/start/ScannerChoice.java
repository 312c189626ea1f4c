package dev.peregrine.server.start;

import dev.peregrine.base.Log;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.server.http1.Http1;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/**
 * The choice between two parsers, by the heads that the loops of a server get while both are
 * compiled. The loop that has compared them first decides for all. Thread-safe.
 */
final class ScannerChoice implements IntConsumer {
  private final HttpProtocols protocols;
  private final RequestParser present;
  private final RequestParser other;
  private final AtomicBoolean made = new AtomicBoolean();

  ScannerChoice(HttpProtocols protocols, RequestParser present, RequestParser other) {
    this.protocols = protocols;
    this.present = present;
    this.other = other;
  }

  /** Decides by the number of comparisons in which the other parser was the faster. */
  @Override
  public void accept(int wins) {
    if (!made.compareAndSet(false, true)) {
      return;
    }
    boolean isFaster = wins > Http1.PARSER_COMPARISONS / 2;
    protocols.parseWith(isFaster ? other : present);
    Log.add(
        isFaster ? Level.DEBUG : Level.INFO,
        "request heads are scanned %s vectors from now on, which were the faster in %d of %d comparisons with heads as they came"
            .formatted(isFaster ? "with" : "without", wins, Http1.PARSER_COMPARISONS));
  }
}
