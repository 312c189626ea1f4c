package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.tls.layer.TlsCredential;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** The key manager of a server with one key. */
final class OneKey extends X509ExtendedKeyManager {
  private static final String ALIAS = "server";

  private final PrivateKey key;
  private final X509Certificate[] chain;
  private final String algorithm;

  OneKey(TlsCredential credential) {
    this.key = credential.key();
    this.chain = credential.chain().toArray(X509Certificate[]::new);
    this.algorithm = credential.chain().getFirst().getPublicKey().getAlgorithm();
  }

  /** Returns the alias if the key has that type; some types name a signature after it. */
  private @Nullable String alias(String keyType) {
    int end = keyType.indexOf('_');
    String plain = end < 0 ? keyType : keyType.substring(0, end);
    return plain.equals(algorithm) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return alias(keyType) == null ? null : new String[] {ALIAS};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chain.clone();
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
