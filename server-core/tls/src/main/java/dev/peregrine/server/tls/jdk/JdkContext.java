package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.tls.layer.ClientAuthentication;
import dev.peregrine.server.tls.layer.TlsContext;
import dev.peregrine.server.tls.layer.TlsProfile;
import dev.peregrine.server.tls.layer.TlsScratch;
import dev.peregrine.server.tls.layer.TlsSession;
import dev.peregrine.server.tls.layer.TlsSettings;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.StandardConstants;
import org.jspecify.annotations.Nullable;

/**
 * A context with one {@link SSLContext} for each profile, so that no session is resumed under
 * another one, and one for clients that request no name. With a matcher for names, the JDK doesn't
 * resume a session under another name.
 */
final class JdkContext extends TlsContext {
  /** Algorithms whose signature takes little longer than a change of threads. */
  private static final Set<String> QUICK = Set.of("EC", "EdDSA");

  /** Accepts all names, because the profile is chosen before. */
  private static final class AnyName extends SNIMatcher {
    AnyName() {
      super(StandardConstants.SNI_HOST_NAME);
    }

    @Override
    public boolean matches(SNIServerName name) {
      return true;
    }
  }

  private static final List<SNIMatcher> ANY_NAME = List.of(new AnyName());

  private final List<SSLContext> contexts; // empty if the application has them
  private final Supplier<? extends SSLContext> unnamed; // for clients that request no name
  private final boolean isForeign; // it may call the application
  private final boolean[] quick; // whether the loop itself may compute a handshake
  private final String[] suites;

  /** Creates a context for the application's contexts, which all names share. */
  JdkContext(TlsSettings settings, Supplier<? extends SSLContext> own) {
    this(settings, List.of(), own, own.get());
  }

  /**
   * Creates a context.
   *
   * @param unnamed of the first profile, for clients that request no name
   */
  JdkContext(TlsSettings settings, List<SSLContext> contexts, SSLContext unnamed) {
    this(settings, contexts, () -> unnamed, unnamed);
  }

  private JdkContext(
      TlsSettings settings,
      List<SSLContext> contexts,
      Supplier<? extends SSLContext> unnamed,
      SSLContext sample) {
    super(settings);
    this.contexts = contexts;
    this.unnamed = unnamed;
    this.isForeign = contexts.isEmpty();
    this.quick = new boolean[settings.profiles().list().size()];
    for (int i = 0; i < quick.length; i++) {
      TlsProfile profile = settings.profiles().list().get(i);
      quick[i] =
          !isForeign
              && profile.clients().authentication() == ClientAuthentication.NONE
              && QUICK.contains(profile.requireCredential().key().getAlgorithm());
    }
    Set<String> known = Set.of(sample.getSupportedSSLParameters().getCipherSuites());
    this.suites = settings.suites().stream().filter(known::contains).toArray(String[]::new);
  }

  @Override
  public TlsSession open(int profile, @Nullable String serverName, TlsScratch scratch) {
    TlsSettings settings = settings();
    SSLContext context = isForeign || serverName == null ? unnamed.get() : contexts.get(profile);
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = new SSLParameters(suites);
    parameters.setProtocols(settings.versions().toArray(String[]::new));
    parameters.setNamedGroups(settings.groups().toArray(String[]::new));
    parameters.setApplicationProtocols(settings.applicationProtocols().toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    parameters.setSNIMatchers(ANY_NAME);
    switch (settings.profiles().list().get(profile).clients().authentication()) {
      case NONE -> {}
      case OPTIONAL -> parameters.setWantClientAuth(true);
      case REQUIRED -> parameters.setNeedClientAuth(true);
    }
    engine.setSSLParameters(parameters);
    return new JdkSession(engine, scratch, quick[profile]);
  }

  @Override
  protected boolean needsWarmUp() {
    return !isForeign;
  }

  @Override
  protected void free() {
    // The garbage collector releases all memory.
  }
}
