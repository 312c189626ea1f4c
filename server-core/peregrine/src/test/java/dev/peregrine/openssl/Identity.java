package dev.peregrine.openssl;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate for tests with its key. */
public record Identity(X509Certificate certificate, KeyPair keys) {
  private static final byte[] DER_TRUE = {1, 1, (byte) 0xFF};

  /** Returns a self-signed identity of {@code localhost}. */
  static Identity selfSigned(String algorithm) {
    return create("localhost", generator(algorithm), null);
  }

  /** Returns a self-signed identity of {@code localhost} with an RSA key of that length. */
  public static Identity ofRsa(int bits) {
    KeyPairGenerator generator = generator("RSA");
    generator.initialize(bits);
    return create("localhost", generator, null);
  }

  /** Returns an identity that this one has issued. */
  Identity issue(String name) {
    return create(name, generator("EC"), this);
  }

  private static KeyPairGenerator generator(String algorithm) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (algorithm.equals("EC")) {
        generator.initialize(new ECGenParameterSpec("secp256r1"));
      } else {
        generator.initialize(2048);
      }
      return generator;
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static Identity create(
      String name, KeyPairGenerator generator, @Nullable Identity issuer) {
    try {
      KeyPair keys = generator.generateKeyPair();
      byte[] subject = name(name);
      byte[] issuedBy =
          issuer == null ? subject : issuer.certificate.getSubjectX500Principal().getEncoded();
      KeyPair signer = issuer == null ? keys : issuer.keys;
      return new Identity(sign(name, subject, keys, issuedBy, signer), keys);
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static X509Certificate sign(
      String name, byte[] subject, KeyPair keys, byte[] issuer, KeyPair signer)
      throws GeneralSecurityException {
    boolean ec = signer.getPrivate().getAlgorithm().equals("EC");
    byte[] algorithm =
        Der.of(Der.SEQUENCE, Der.oid(ec ? "1.2.840.10045.4.3.2" : "1.2.840.113549.1.1.11"));
    byte[] validity =
        Der.of(
            Der.SEQUENCE,
            Der.text(Der.GENERALIZED_TIME, "20200101000000Z"),
            Der.text(Der.GENERALIZED_TIME, "21200101000000Z"));
    byte[] hosts = Der.of(Der.SEQUENCE, Der.text(0x82, name));
    byte[] authority = Der.of(Der.SEQUENCE, DER_TRUE);
    byte[] extensions =
        Der.of(Der.SEQUENCE, extension("2.5.29.17", hosts), extension("2.5.29.19", authority));
    byte[] content =
        Der.of(
            Der.SEQUENCE,
            Der.of(0xA0, Der.of(Der.INTEGER, new byte[] {2})),
            Der.of(Der.INTEGER, BigInteger.valueOf(System.nanoTime()).toByteArray()),
            algorithm,
            issuer,
            validity,
            subject,
            keys.getPublic().getEncoded(),
            Der.of(0xA3, extensions));
    Signature signature = Signature.getInstance(ec ? "SHA256withECDSA" : "SHA256withRSA");
    signature.initSign(signer.getPrivate());
    signature.update(content);
    byte[] bits = Der.of(Der.BIT_STRING, new byte[1], signature.sign());
    byte[] der = Der.of(Der.SEQUENCE, content, algorithm, bits);
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  private static byte[] name(String common) {
    byte[] attribute = Der.of(Der.SEQUENCE, Der.oid("2.5.4.3"), Der.text(Der.UTF8_STRING, common));
    return Der.of(Der.SEQUENCE, Der.of(Der.SET, attribute));
  }

  private static byte[] extension(String oid, byte[] value) {
    return Der.of(Der.SEQUENCE, Der.oid(oid), Der.of(Der.OCTET_STRING, value));
  }

  /** Returns the certificate in DER. */
  byte[] der() {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Returns the key in PKCS #8. */
  byte[] key() {
    return keys.getPrivate().getEncoded();
  }

  /** Returns trust managers of the JDK that trust this certificate. */
  TrustManager[] trust() throws GeneralSecurityException {
    KeyStore store = store();
    store.setCertificateEntry("trusted", certificate);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  /** Returns key managers of the JDK that present this certificate. */
  KeyManager[] present() throws GeneralSecurityException {
    KeyStore store = store();
    List<X509Certificate> chain = List.of(certificate);
    store.setKeyEntry("own", keys.getPrivate(), new char[0], chain.toArray(new X509Certificate[0]));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static KeyStore store() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (java.io.IOException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
