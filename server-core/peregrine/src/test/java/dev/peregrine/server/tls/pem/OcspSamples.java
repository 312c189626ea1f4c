package dev.peregrine.server.tls.pem;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** OCSP responses for tests (RFC 6960), whose signature isn't valid. */
public final class OcspSamples {
  /** The status of a certificate. */
  public enum Status {
    GOOD,
    REVOKED,
    UNKNOWN;

    private byte[] encode() {
      return switch (this) {
        case GOOD -> new byte[] {(byte) 0x80, 0};
        case REVOKED -> Der.value(0xA1, time(Instant.parse("2026-01-01T00:00:00Z")));
        case UNKNOWN -> new byte[] {(byte) 0x82, 0};
      };
    }
  }

  private static final int ENUMERATED = 0x0A;
  private static final int GENERALIZED_TIME = 0x18;
  private static final byte[] SHA_1 = {0x30, 7, 6, 5, 0x2B, 0x0E, 3, 2, 0x1A};
  private static final byte[] BASIC = {6, 9, 0x2B, 6, 1, 5, 5, 7, 0x30, 1, 1};
  private static final byte[] VERSION_1 = {(byte) 0xA0, 3, 2, 1, 0};

  private OcspSamples() {}

  /**
   * Returns a response.
   *
   * @param end null for a response that has none
   */
  public static byte[] response(
      X509Certificate certificate, Status status, Instant begin, @Nullable Instant end) {
    byte[] hash = Der.value(Der.OCTETS, new byte[20]);
    byte[] serial = Der.value(Der.INTEGER, certificate.getSerialNumber().toByteArray());
    byte[] statement =
        Der.value(
            Der.SEQUENCE,
            Der.value(Der.SEQUENCE, SHA_1, hash, hash, serial),
            status.encode(),
            time(begin),
            end == null ? new byte[0] : Der.value(Der.CONTEXT_0, time(end)));
    byte[] data =
        Der.value(
            Der.SEQUENCE,
            VERSION_1,
            Der.value(0xA2, hash), // the responder
            time(begin),
            Der.value(Der.SEQUENCE, statement));
    byte[] signed = Der.value(Der.SEQUENCE, data, SHA_1, Der.value(0x03, new byte[33]));
    return Der.value(
        Der.SEQUENCE,
        Der.value(ENUMERATED, new byte[1]),
        Der.value(Der.CONTEXT_0, Der.value(Der.SEQUENCE, BASIC, Der.value(Der.OCTETS, signed))));
  }

  /** Returns a response that reports an error in place of a status. */
  public static byte[] error(int code) {
    return Der.value(Der.SEQUENCE, Der.value(ENUMERATED, new byte[] {(byte) code}));
  }

  private static byte[] time(Instant instant) {
    String text =
        DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC).format(instant);
    return Der.value(GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
  }
}
