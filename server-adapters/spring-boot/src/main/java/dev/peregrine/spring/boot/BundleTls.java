package dev.peregrine.spring.boot;

import dev.peregrine.server.tls.Tls;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.Ssl.ClientAuth;
import org.springframework.boot.web.server.Ssl.ServerNameSslBundle;
import org.springframework.util.StringUtils;

/**
 * TLS by the JDK with the keys and authorities of Spring's bundles. When a bundle is updated, new
 * connections use it, and open ones aren't affected. Thread-safe.
 */
final class BundleTls {
  private static final Log LOG = LogFactory.getLog(BundleTls.class);

  private final Tls layer;
  private final Map<String, SslBundle> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private SslBundle unnamed; // guarded by this, as are the named ones
  private volatile SSLContext context; // of the bundles as they are now

  /**
   * Creates TLS.
   *
   * @param named bundles by the host names that they are for
   * @param registry reports updates; null if none of the bundles has a name in it
   * @throws IllegalArgumentException if an option can't be used; the message says why
   */
  BundleTls(
      Ssl ssl, SslBundle unnamed, Map<String, SslBundle> named, @Nullable SslBundles registry) {
    this.unnamed = unnamed;
    this.named.putAll(named);
    this.named.values().forEach(bundle -> checkFits(bundle, unnamed, ssl));
    this.context = newContext();
    this.layer = newLayer(ssl, unnamed.getOptions());
    if (registry != null) {
      awaitUpdates(ssl, registry);
    }
  }

  /** Returns the layer for endpoints. */
  Tls layer() {
    return layer;
  }

  private Tls newLayer(Ssl ssl, SslOptions options) {
    Tls.Builder builder = Tls.builder().contexts(() -> context);
    String[] protocols = options.getEnabledProtocols();
    if (protocols != null && protocols.length > 0) {
      builder.versions(protocols);
    }
    String[] ciphers = options.getCiphers();
    if (ciphers != null && ciphers.length > 0) {
      builder.suites(ciphers);
    }
    ClientAuth clients = ssl.getClientAuth();
    if (clients == ClientAuth.WANT) {
      builder.requestClientCertificates();
    } else if (clients == ClientAuth.NEED) {
      builder.requireClientCertificates();
    }
    return builder.build();
  }

  /** Throws if a bundle for a name has options that only apply to all names. */
  private static void checkFits(SslBundle bundle, SslBundle unnamed, Ssl ssl) {
    SslOptions own = bundle.getOptions();
    SslOptions common = unnamed.getOptions();
    if (!isSameOrAbsent(own.getEnabledProtocols(), common.getEnabledProtocols())
        || !isSameOrAbsent(own.getCiphers(), common.getCiphers())) {
      throw new IllegalArgumentException(
          "a bundle of server.ssl.server-name-bundles has other protocols or ciphers than that of"
              + " server.ssl: Peregrine has one set of them for all names");
    }
    boolean asksClients = ssl.getClientAuth() != null && ssl.getClientAuth() != ClientAuth.NONE;
    if (asksClients && bundle.getStores().getTrustStore() != null) {
      throw new IllegalArgumentException(
          "a bundle of server.ssl.server-name-bundles has a trust store: with client-auth, Peregrine"
              + " trusts the authorities of the bundle of server.ssl for all names, so that a client"
              + " can't authenticate for one name and send requests to another");
    }
  }

  private static boolean isSameOrAbsent(String @Nullable [] own, String @Nullable [] common) {
    return own == null || own.length == 0 || Arrays.equals(own, common);
  }

  private void awaitUpdates(Ssl ssl, SslBundles registry) {
    String name = ssl.getBundle();
    if (StringUtils.hasText(name)) {
      registry.addBundleUpdateHandler(name, bundle -> update(null, bundle));
    }
    for (ServerNameSslBundle one : ssl.getServerNameBundles()) {
      registry.addBundleUpdateHandler(one.bundle(), bundle -> update(one.serverName(), bundle));
    }
  }

  /** Replaces a bundle. If that can't be used, this throws, and the old one stays. */
  private synchronized void update(@Nullable String serverName, SslBundle next) {
    SslBundle replaced = serverName == null ? unnamed : named.get(serverName);
    put(serverName, next);
    try {
      context = newContext();
    } catch (RuntimeException failure) {
      put(serverName, replaced == null ? next : replaced);
      throw failure;
    }
    LOG.info("SSL bundle was updated: new connections use it");
  }

  private void put(@Nullable String serverName, SslBundle bundle) {
    if (serverName == null) {
      unnamed = bundle;
    } else {
      named.put(serverName, bundle);
    }
  }

  private SSLContext newContext() {
    if (named.isEmpty()) {
      return unnamed.createSslContext();
    }
    try {
      SSLContext created = SSLContext.getInstance(unnamed.getProtocol());
      created.init(new NamedKeys[] {NamedKeys.of(unnamed, named)}, trustManagers(unnamed), null);
      return created;
    } catch (GeneralSecurityException failure) {
      throw new IllegalStateException(
          "Could not load SSL context: " + failure.getMessage(), failure);
    }
  }

  private static TrustManager[] trustManagers(SslBundle bundle) {
    return bundle.getManagers().getTrustManagers();
  }
}
