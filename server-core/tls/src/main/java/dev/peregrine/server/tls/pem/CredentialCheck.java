package dev.peregrine.server.tls.pem;

import dev.peregrine.server.tls.layer.TlsCredential;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/** Checks of a certificate and its key before a server begins to use them. */
public final class CredentialCheck {
  private static final byte[] PROBE = new byte[32];

  /** The parameters of TLS for keys that have none. */
  private static final AlgorithmParameterSpec PSS =
      new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);

  private CredentialCheck() {}

  /** Returns true if the key belongs to the certificate, which must verify its signature. */
  public static boolean fits(TlsCredential credential) throws GeneralSecurityException {
    PrivateKey key = credential.key();
    PublicKey verifying = credential.chain().getFirst().getPublicKey();
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    if (!key.getAlgorithm().equals(verifying.getAlgorithm())) {
      return false;
    }
    Signature signature = Signature.getInstance(algorithm);
    if (algorithm.equals("RSASSA-PSS")) {
      AlgorithmParameterSpec own = key instanceof RSAKey pss ? pss.getParams() : null;
      signature.setParameter(own == null ? PSS : own);
    }
    signature.initSign(key);
    signature.update(PROBE);
    byte[] signed = signature.sign();
    signature.initVerify(verifying);
    signature.update(PROBE);
    try {
      return signature.verify(signed);
    } catch (GeneralSecurityException another) {
      return false; // of another length, for example
    }
  }

  /**
   * Checks that the certificate is valid now.
   *
   * @param source the file, for the message
   */
  public static void checkTime(TlsCredential credential, Object source)
      throws GeneralSecurityException {
    X509Certificate certificate = credential.chain().getFirst();
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException expired) {
      throw new GeneralSecurityException(
          source + " has a certificate that expired at " + certificate.getNotAfter(), expired);
    } catch (CertificateNotYetValidException early) {
      throw new GeneralSecurityException(
          source + " has a certificate that isn't valid before " + certificate.getNotBefore(),
          early);
    }
  }
}
