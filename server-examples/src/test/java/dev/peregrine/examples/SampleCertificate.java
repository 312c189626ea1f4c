package dev.peregrine.examples;

import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.pem.SelfSigned;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A certificate for localhost that is valid for a day, and its key, as text of PEM files. */
public final class SampleCertificate {
  /** The key. */
  public static final String KEY;

  /** The certificate. */
  public static final String CHAIN;

  /** A key that doesn't fit the certificate. */
  public static final String OTHER_KEY;

  /** The key, encrypted with the password "secret". */
  public static final String ENCRYPTED_KEY;

  private static final String ENCRYPTION = "PBEWithSHA1AndDESede";

  static {
    try {
      TlsCredential created = create();
      KEY = pem("PRIVATE KEY", created.key().getEncoded());
      OTHER_KEY = pem("PRIVATE KEY", create().key().getEncoded());
      ENCRYPTED_KEY = pem("ENCRYPTED PRIVATE KEY", encrypted(created.key(), "secret"));
      CHAIN = pem("CERTIFICATE", created.chain().getFirst().getEncoded());
    } catch (GeneralSecurityException | IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private SampleCertificate() {}

  private static TlsCredential create() throws GeneralSecurityException {
    return SelfSigned.create(Duration.ofDays(1), List.of("localhost"));
  }

  private static byte[] encrypted(PrivateKey key, String password)
      throws GeneralSecurityException, IOException {
    SecretKey secret =
        SecretKeyFactory.getInstance(ENCRYPTION)
            .generateSecret(new PBEKeySpec(password.toCharArray()));
    Cipher cipher = Cipher.getInstance(ENCRYPTION);
    cipher.init(Cipher.ENCRYPT_MODE, secret);
    byte[] content = cipher.doFinal(key.getEncoded());
    return new EncryptedPrivateKeyInfo(cipher.getParameters(), content).getEncoded();
  }

  private static String pem(String label, byte[] bytes) {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
  }
}
