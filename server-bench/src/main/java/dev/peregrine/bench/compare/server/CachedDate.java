package dev.peregrine.bench.compare.server;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The Date field (RFC 9110 section 5.6.7) for servers that leave it to the application. */
public final class CachedDate {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

  private CachedDate() {}

  /** Formats the present second; takes a microsecond, so servers call it once a second. */
  public static String now() {
    return FORMAT.format(ZonedDateTime.now(ZoneOffset.UTC));
  }
}
