package dev.peregrine.spring.boot;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * The keys of several bundles, of which a connection uses that of the host name that its client
 * requests (SNI). An alias is the number of the bundle, a colon and the alias there.
 */
final class NamedKeys extends X509ExtendedKeyManager {
  private final List<X509ExtendedKeyManager> keys;
  private final Map<String, Integer> places; // of the names; 0 is that of all others

  private NamedKeys(List<X509ExtendedKeyManager> keys, Map<String, Integer> places) {
    this.keys = keys;
    this.places = places;
  }

  static NamedKeys of(SslBundle unnamed, Map<String, SslBundle> named) {
    List<X509ExtendedKeyManager> keys = new ArrayList<>();
    keys.add(keysOf(unnamed));
    Map<String, Integer> places = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    named.forEach(
        (name, bundle) -> {
          places.put(name, keys.size());
          keys.add(keysOf(bundle));
        });
    return new NamedKeys(List.copyOf(keys), places);
  }

  private static X509ExtendedKeyManager keysOf(SslBundle bundle) {
    for (KeyManager one : bundle.getManagers().getKeyManagers()) {
      if (one instanceof X509ExtendedKeyManager found) {
        return found;
      }
    }
    throw new IllegalStateException("an SSL bundle has no X.509 key manager");
  }

  private int placeOf(SSLEngine engine) {
    if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (SNIServerName name : session.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          return places.getOrDefault(host.getAsciiName(), 0);
        }
      }
    }
    return 0;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    int place = placeOf(engine);
    String alias = keys.get(place).chooseEngineServerAlias(keyType, issuers, engine);
    return alias == null ? null : place + ":" + alias;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return keysOf(alias).getCertificateChain(aliasIn(alias));
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return keysOf(alias).getPrivateKey(aliasIn(alias));
  }

  private X509ExtendedKeyManager keysOf(String alias) {
    return keys.get(Integer.parseInt(alias, 0, alias.indexOf(':'), 10));
  }

  private static String aliasIn(String alias) {
    return alias.substring(alias.indexOf(':') + 1);
  }

  /** Not called: a server of Peregrine has engines. */
  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
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
