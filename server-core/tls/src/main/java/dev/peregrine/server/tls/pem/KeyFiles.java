package dev.peregrine.server.tls.pem;

import dev.peregrine.server.tls.layer.TlsCredential;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and keys: PEM, and the key stores of the JDK. All failures are {@link
 * GeneralSecurityException}s whose message names the file and its fault.
 */
public final class KeyFiles {
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

  private KeyFiles() {}

  /** Returns all certificates of a PEM file, at least one. */
  public static List<X509Certificate> certificates(Path file) throws GeneralSecurityException {
    List<X509Certificate> found = new ArrayList<>();
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    for (PemBlock block : blocks(file)) {
      if (block.label().equals("CERTIFICATE")) {
        try {
          found.add(
              (X509Certificate)
                  factory.generateCertificate(new ByteArrayInputStream(block.bytes())));
        } catch (GeneralSecurityException failure) {
          throw failed(file, "has a certificate that can't be read", failure);
        }
      }
    }
    if (found.isEmpty()) {
      throw failed(file, "has no certificate", null);
    }
    return found;
  }

  /**
   * Returns the private key of a PEM file: PKCS#8, also encrypted, PKCS#1 or SEC 1.
   *
   * @param password null if it isn't encrypted
   */
  public static PrivateKey key(Path file, char @Nullable [] password)
      throws GeneralSecurityException {
    for (PemBlock block : blocks(file)) {
      try {
        switch (block.label()) {
          case "PRIVATE KEY" -> {
            return key(new PKCS8EncodedKeySpec(block.bytes()));
          }
          case "RSA PRIVATE KEY" -> {
            return key(new PKCS8EncodedKeySpec(Der.rsaKey(block.bytes())));
          }
          case "EC PRIVATE KEY" -> {
            return key(new PKCS8EncodedKeySpec(Der.ecKey(block.bytes())));
          }
          case "ENCRYPTED PRIVATE KEY" -> {
            if (password == null) {
              throw failed(file, "has an encrypted key, and no password was given", null);
            }
            return key(decrypt(file, block.bytes(), password));
          }
          default -> {}
        }
      } catch (InvalidKeySpecException | IllegalArgumentException failure) {
        throw failed(file, "has a key that can't be read", failure);
      }
    }
    throw failed(file, "has no private key", null);
  }

  private static KeySpec decrypt(Path file, byte[] bytes, char[] password)
      throws GeneralSecurityException {
    try {
      EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(bytes);
      // For PBES2, only the parameters have the JDK's name of the algorithm.
      String algorithm =
          info.getAlgParameters() == null
              ? info.getAlgName()
              : info.getAlgName().startsWith("PBES2") || info.getAlgName().startsWith("1.")
                  ? info.getAlgParameters().toString()
                  : info.getAlgName();
      Cipher cipher = Cipher.getInstance(algorithm);
      cipher.init(
          Cipher.DECRYPT_MODE,
          SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password)),
          info.getAlgParameters());
      return info.getKeySpec(cipher);
    } catch (NoSuchAlgorithmException | NoSuchPaddingException unknown) {
      throw failed(file, "has a key whose encryption isn't supported", unknown);
    } catch (IOException | GeneralSecurityException failure) {
      throw undecrypted(file, failure);
    }
  }

  private static PrivateKey key(KeySpec spec) throws GeneralSecurityException {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException another) {
        // The encoding names its algorithm, so only one factory accepts it.
      }
    }
    throw new InvalidKeySpecException("its algorithm isn't known");
  }

  /** Returns the first private key of a PKCS#12 or JKS file, with its chain. */
  public static TlsCredential keyStore(Path file, char[] password) throws GeneralSecurityException {
    KeyStore store;
    try {
      store = KeyStore.getInstance(file.toFile(), password);
    } catch (IOException failure) {
      boolean wrong = failure.getCause() instanceof GeneralSecurityException;
      throw failed(
          file, wrong ? "can't be opened with the password" : unreadable(failure), failure);
    } catch (IllegalArgumentException | GeneralSecurityException failure) {
      throw failed(
          file, Files.isRegularFile(file) ? "isn't a key store" : "doesn't exist", failure);
    }
    try {
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias) && store.getKey(alias, password) instanceof PrivateKey key) {
          List<X509Certificate> chain = new ArrayList<>();
          for (Certificate one : store.getCertificateChain(alias)) {
            chain.add((X509Certificate) one);
          }
          return new TlsCredential(key, chain);
        }
      }
    } catch (UnrecoverableKeyException failure) {
      throw undecrypted(file, failure);
    }
    throw failed(file, "has no private key", null);
  }

  private static List<PemBlock> blocks(Path file) throws GeneralSecurityException {
    try {
      return PemBlock.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (IOException failure) {
      throw failed(file, unreadable(failure), failure);
    } catch (IllegalArgumentException failure) {
      throw failed(file, "isn't PEM", failure);
    }
  }

  private static String unreadable(IOException failure) {
    return failure instanceof NoSuchFileException ? "doesn't exist" : "can't be read";
  }

  /** Returns the failure without the words of the JDK, which don't mention the password. */
  private static GeneralSecurityException undecrypted(Path file, Exception cause) {
    return new GeneralSecurityException(
        file + " has a key that the password doesn't decrypt", cause);
  }

  private static GeneralSecurityException failed(
      Path file, String problem, @Nullable Throwable cause) {
    String detail =
        cause == null || cause instanceof IOException || cause.getMessage() == null
            ? ""
            : " (" + cause.getMessage() + ")";
    return new GeneralSecurityException(file + " " + problem + detail, cause);
  }
}
