package dev.peregrine.server.accesslog;

import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.RejectedRequest;

/** A format of lines. An instance belongs to one loop, because it keeps the last time. */
sealed interface LineFormat permits NcsaFormat, JsonFormat {
  /** Writes the line of an exchange that has ended, with its line feed. */
  void write(ExchangeInfo exchange, Line line);

  /** Writes the line of bytes that did not become a request, with its line feed. */
  void write(RejectedRequest rejected, Line line);
}
