package dev.peregrine.server.http1;

import dev.peregrine.parser.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** What is answered to bytes that are no request, encoded once: refusing one allocates nothing. */
final class RefusalContent {
  static final byte[] HEAD_CUT_SHORT = line("the stream ended within the request head");
  static final byte[] HEAD_TOO_SLOW = line("the request head took too long");
  static final byte[] TOO_MANY_CONNECTIONS = line("too many connections");

  private static final Map<Rejection, byte[]> BY_REJECTION = new EnumMap<>(Rejection.class);

  static {
    for (Rejection rejection : Rejection.values()) {
      BY_REJECTION.put(rejection, line(rejection.text()));
    }
  }

  private RefusalContent() {}

  static byte[] of(Rejection rejection) {
    return Objects.requireNonNull(BY_REJECTION.get(rejection));
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.US_ASCII);
  }
}
