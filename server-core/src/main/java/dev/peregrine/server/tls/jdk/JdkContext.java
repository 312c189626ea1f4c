package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.tls.ClientAuthentication;
import dev.peregrine.server.tls.TlsContext;
import dev.peregrine.server.tls.TlsScratch;
import dev.peregrine.server.tls.TlsSession;
import dev.peregrine.server.tls.TlsSettings;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * A context with one {@link SSLContext} for each certificate, so that no session is resumed with
 * another one.
 */
final class JdkContext extends TlsContext {
  /** Algorithms whose signature takes little longer than a change of threads. */
  private static final Set<String> QUICK = Set.of("EC", "EdDSA");

  private final List<SSLContext> contexts;
  private final boolean[] quick; // whether the loop itself may compute a handshake
  private final String[] suites;

  JdkContext(TlsSettings settings, List<SSLContext> contexts, boolean isForeign) {
    super(settings);
    this.contexts = contexts;
    this.quick = new boolean[contexts.size()];
    for (int i = 0; i < quick.length; i++) {
      quick[i] =
          !isForeign // a foreign context may call the application
              && settings.clients() == ClientAuthentication.NONE
              && QUICK.contains(settings.credentials().get(i).key().getAlgorithm());
    }
    Set<String> known = Set.of(contexts.getFirst().getSupportedSSLParameters().getCipherSuites());
    this.suites = settings.suites().stream().filter(known::contains).toArray(String[]::new);
  }

  @Override
  public TlsSession open(int credential, TlsScratch scratch) {
    TlsSettings settings = settings();
    SSLEngine engine = contexts.get(credential).createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = new SSLParameters(suites);
    parameters.setProtocols(settings.versions().toArray(String[]::new));
    parameters.setNamedGroups(settings.groups().toArray(String[]::new));
    parameters.setApplicationProtocols(settings.applicationProtocols().toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    switch (settings.clients()) {
      case NONE -> {}
      case OPTIONAL -> parameters.setWantClientAuth(true);
      case REQUIRED -> parameters.setNeedClientAuth(true);
    }
    engine.setSSLParameters(parameters);
    return new JdkSession(engine, scratch, quick[credential]);
  }

  @Override
  protected void free() {
    // The garbage collector releases all memory.
  }
}
