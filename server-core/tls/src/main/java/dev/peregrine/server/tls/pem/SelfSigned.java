package dev.peregrine.server.tls.pem;

import dev.peregrine.server.tls.layer.TlsCredential;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * Certificates that their own keys have signed (RFC 5280), for development and tests: on the curve
 * P-256, valid from an hour ago.
 */
public final class SelfSigned {
  private static final int SERIAL_BYTES = 16;
  private static final int BIT_STRING = 0x03;
  private static final int OBJECT_ID = 0x06;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int CONTEXT_3 = 0xA3;
  private static final int DNS_NAME = 0x82;
  private static final int IP_ADDRESS = 0x87;
  private static final byte[] VERSION_3 = {(byte) Der.CONTEXT_0, 3, Der.INTEGER, 1, 2};

  /** AlgorithmIdentifier of ecdsa-with-SHA256. */
  private static final byte[] ECDSA_SHA256 = {
    Der.SEQUENCE, 10, OBJECT_ID, 8, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 4, 3, 2
  };

  /** Object identifier of subjectAltName. */
  private static final byte[] ALTERNATIVE_NAMES = {OBJECT_ID, 3, 0x55, 0x1D, 0x11};

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private SelfSigned() {}

  /**
   * Creates a certificate and its key.
   *
   * @param valid how long it is valid from now on; may be negative
   * @param names host names, at least one; localhost stands for its addresses, too
   */
  public static TlsCredential create(Duration valid, List<String> names)
      throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    byte[] name = new X500Principal("CN=" + names.getFirst()).getEncoded();
    Instant end = Instant.now().plus(valid);
    Instant begin = Instant.now().minus(Duration.ofHours(1));
    byte[] signed =
        Der.value(
            Der.SEQUENCE,
            VERSION_3,
            serialNumber(),
            ECDSA_SHA256,
            name,
            Der.value(Der.SEQUENCE, time(begin.isBefore(end) ? begin : end), time(end)),
            name,
            pair.getPublic().getEncoded(),
            Der.value(CONTEXT_3, Der.value(Der.SEQUENCE, alternativeNames(names))));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(signed);
    byte[] certificate =
        Der.value(
            Der.SEQUENCE,
            signed,
            ECDSA_SHA256,
            Der.value(BIT_STRING, new byte[] {0}, signature.sign()));
    return new TlsCredential(
        pair.getPrivate(),
        List.of(
            (X509Certificate)
                CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(certificate))));
  }

  private static byte[] serialNumber() {
    byte[] number = new byte[SERIAL_BYTES];
    new SecureRandom().nextBytes(number);
    number[0] = (byte) ((number[0] & 0x3F) | 0x40); // positive, and as short as it can be
    return Der.value(Der.INTEGER, number);
  }

  private static byte[] time(Instant instant) {
    return Der.value(GENERALIZED_TIME, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] alternativeNames(List<String> names) {
    List<byte[]> encoded = new ArrayList<>();
    for (String name : names) {
      encoded.add(Der.value(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII)));
    }
    if (names.contains("localhost")) {
      encoded.add(Der.value(IP_ADDRESS, InetAddress.ofLiteral("127.0.0.1").getAddress()));
      encoded.add(Der.value(IP_ADDRESS, InetAddress.ofLiteral("::1").getAddress()));
    }
    byte[] list = Der.value(Der.SEQUENCE, encoded.toArray(byte[][]::new));
    return Der.value(Der.SEQUENCE, ALTERNATIVE_NAMES, Der.value(Der.OCTETS, list));
  }
}
