package dev.peregrine.bench.codec;

import dev.peregrine.server.accesslog.AccessLog.Format;
import org.jspecify.annotations.Nullable;

/** Listeners that requests are measured with. */
public enum LoggedRequests {
  /** No listener. */
  UNOBSERVED(null),

  /** A listener that does nothing. */
  OBSERVED(null),

  COMMON(Format.COMMON),
  COMBINED(Format.COMBINED),
  JSON(Format.JSON);

  /** The format of the access log; null without one. */
  final @Nullable Format format;

  LoggedRequests(@Nullable Format format) {
    this.format = format;
  }
}
