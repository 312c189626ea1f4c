package dev.peregrine.server.tls.pem;

import dev.peregrine.server.tls.layer.Staple;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Reads the statement of an authority that a certificate isn't revoked (RFC 6960), to staple to it.
 * Its signature isn't checked, because clients do that.
 */
public final class OcspFile {
  private static final long BYTES_MAX = 64 * 1024; // some thousand are usual

  private static final int OID = 0x06;
  private static final int ENUMERATED = 0x0A;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int STATUS_GOOD = 0x80;
  private static final int STATUS_REVOKED = 0xA1;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private OcspFile() {}

  /**
   * Reads a response in DER.
   *
   * @param certificate the one that it must be about
   * @throws GeneralSecurityException if it must not be stapled now; the message names the file
   */
  public static Staple read(Path file, X509Certificate certificate, Instant now)
      throws GeneralSecurityException {
    byte[] bytes;
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new GeneralSecurityException(file + " is too large for an OCSP response");
      }
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException missing) {
      throw new GeneralSecurityException(file + " doesn't exist", missing);
    } catch (IOException failure) {
      throw new GeneralSecurityException(file + " can't be read", failure);
    }
    try {
      return parse(bytes, file, certificate.getSerialNumber(), now);
    } catch (BufferUnderflowException | IllegalArgumentException | DateTimeException malformed) {
      throw new GeneralSecurityException(file + " isn't an OCSP response in DER", malformed);
    }
  }

  private static Staple parse(byte[] bytes, Path file, BigInteger serial, Instant now)
      throws GeneralSecurityException {
    ByteBuffer whole = ByteBuffer.wrap(bytes);
    ByteBuffer response = Der.content(whole, Der.SEQUENCE);
    if (whole.hasRemaining()) {
      throw new IllegalArgumentException("further bytes");
    }
    int status = Der.content(response, ENUMERATED).get();
    if (status != 0) {
      throw new GeneralSecurityException(
          file + " has an OCSP response that reports the error " + status);
    }
    ByteBuffer typed = Der.content(Der.content(response, Der.CONTEXT_0), Der.SEQUENCE);
    Der.content(typed, OID);
    ByteBuffer data =
        Der.content(Der.content(Der.content(typed, Der.OCTETS), Der.SEQUENCE), Der.SEQUENCE);
    if (Der.tag(data) == Der.CONTEXT_0) { // a version
      Der.skip(data);
    }
    Der.skip(data); // the responder
    Der.content(data, GENERALIZED_TIME);
    ByteBuffer statements = Der.content(data, Der.SEQUENCE);
    while (statements.hasRemaining()) {
      ByteBuffer statement = Der.content(statements, Der.SEQUENCE);
      if (serialOf(Der.content(statement, Der.SEQUENCE)).equals(serial)) {
        return new Staple(bytes, check(statement, file, now));
      }
    }
    throw new GeneralSecurityException(file + " has an OCSP response for another certificate");
  }

  private static BigInteger serialOf(ByteBuffer id) {
    Der.skip(id); // the algorithm
    Der.skip(id); // the hash of the issuer's name
    Der.skip(id); // the hash of the issuer's key
    return new BigInteger(Der.bytes(Der.content(id, Der.INTEGER)));
  }

  /** Returns the time until which the statement is valid. */
  private static Instant check(ByteBuffer statement, Path file, Instant now)
      throws GeneralSecurityException {
    int status = Der.tag(statement);
    if (status != STATUS_GOOD) {
      throw new GeneralSecurityException(
          file
              + (status == STATUS_REVOKED
                  ? " says that the certificate is revoked"
                  : " says that the authority doesn't know the certificate"));
    }
    Der.skip(statement);
    Instant begin = time(statement);
    if (begin.isAfter(now)) {
      throw new GeneralSecurityException(
          file + " has an OCSP response that isn't valid before " + begin);
    }
    if (!statement.hasRemaining() || Der.tag(statement) != Der.CONTEXT_0) {
      return Instant.MAX; // the authority has newer information at any time
    }
    Instant end = time(Der.content(statement, Der.CONTEXT_0));
    if (!end.isAfter(now)) {
      throw new GeneralSecurityException(file + " has an OCSP response that expired at " + end);
    }
    return end;
  }

  private static Instant time(ByteBuffer source) {
    byte[] text = Der.bytes(Der.content(source, GENERALIZED_TIME));
    return Instant.from(TIME.parse(new String(text, StandardCharsets.US_ASCII)));
  }
}
