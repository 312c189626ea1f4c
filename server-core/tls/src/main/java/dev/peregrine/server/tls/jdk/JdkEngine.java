package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.tls.layer.ClientAuthentication;
import dev.peregrine.server.tls.layer.TlsContext;
import dev.peregrine.server.tls.layer.TlsEngine;
import dev.peregrine.server.tls.layer.TlsProfile;
import dev.peregrine.server.tls.layer.TlsSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The TLS of the JDK, or of another provider in its place. */
public final class JdkEngine implements TlsEngine {
  private static final int SESSION_SECONDS = 2 * 60 * 60;

  private final @Nullable Supplier<? extends SSLContext> own;

  /** Creates an engine whose contexts follow the settings. */
  public JdkEngine() {
    this(null);
  }

  /**
   * Creates an engine with the application's contexts.
   *
   * @param own returns the present one, which has the keys and the trusted authorities in place of
   *     the settings; null if the settings have them
   */
  public JdkEngine(@Nullable Supplier<? extends SSLContext> own) {
    this.own = own;
  }

  @Override
  public String describe() {
    String provider = own == null ? "SunJSSE" : own.get().getProvider().getName();
    return "the JDK, version " + Runtime.version() + " (" + provider + ")";
  }

  @Override
  public TlsContext load(TlsSettings settings) throws GeneralSecurityException {
    if (own != null) {
      check(settings, own.get());
      return new JdkContext(settings, own);
    }
    List<TlsProfile> profiles = settings.profiles().list();
    List<SSLContext> contexts = new ArrayList<>();
    for (TlsProfile profile : profiles) {
      contexts.add(create(profile));
    }
    check(settings, contexts.getFirst());
    return new JdkContext(settings, contexts, create(profiles.getFirst()));
  }

  /** Throws for a suite or group that the provider doesn't support, as it would ignore it. */
  private static void check(TlsSettings settings, SSLContext context)
      throws GeneralSecurityException {
    SSLParameters supported = context.getSupportedSSLParameters();
    if (!settings.hasDefaultSuites()) {
      requireAll("cipher suite", settings.suites(), supported.getCipherSuites());
    }
    String[] groups = supported.getNamedGroups();
    if (groups != null && !settings.hasDefaultGroups()) { // null if a provider doesn't tell
      requireAll("group", settings.groups(), groups);
    }
  }

  private static void requireAll(String what, List<String> wanted, String[] supported)
      throws GeneralSecurityException {
    List<String> known = List.of(supported);
    for (String one : wanted) {
      if (!known.contains(one)) {
        throw new GeneralSecurityException("the JDK doesn't support the " + what + " " + one);
      }
    }
  }

  private static SSLContext create(TlsProfile profile) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        new KeyManager[] {new OneKey(profile.requireCredential())},
        profile.clients().authentication() == ClientAuthentication.NONE
            ? new TrustManager[0]
            : trust(profile.clients().trusted()),
        null);
    context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
    return context;
  }

  private static TrustManager[] trust(List<X509Certificate> authorities)
      throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException impossible) {
      throw new GeneralSecurityException(impossible);
    }
    for (int i = 0; i < authorities.size(); i++) {
      store.setCertificateEntry("authority-" + i, authorities.get(i));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return factory.getTrustManagers();
  }
}
