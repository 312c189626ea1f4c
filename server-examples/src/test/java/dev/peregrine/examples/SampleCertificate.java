package dev.peregrine.examples;

import dev.peregrine.server.tls.TlsCredential;
import dev.peregrine.server.tls.pem.SelfSigned;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/** A certificate for localhost that is valid for a day, and its key, as text of PEM files. */
final class SampleCertificate {
  static final String KEY;
  static final String CHAIN;

  static {
    try {
      TlsCredential created = SelfSigned.create(Duration.ofDays(1), List.of("localhost"));
      KEY = pem("PRIVATE KEY", created.key().getEncoded());
      CHAIN = pem("CERTIFICATE", created.chain().getFirst().getEncoded());
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private SampleCertificate() {}

  private static String pem(String label, byte[] bytes) {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
  }
}
