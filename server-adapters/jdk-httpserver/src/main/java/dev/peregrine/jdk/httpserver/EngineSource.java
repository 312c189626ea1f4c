package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Creates the TLS engine of each connection as the program's configurator wants it. Thread-safe.
 */
final class EngineSource implements Function<SocketAddress, SSLEngine> {
  private volatile @Nullable HttpsConfigurator configurator;

  /** The parameters of one connection, which the configurator sets. */
  private static final class Parameters extends HttpsParameters {
    private final HttpsConfigurator configurator;
    private final InetSocketAddress client;
    private @Nullable SSLParameters chosen;

    Parameters(HttpsConfigurator configurator, InetSocketAddress client) {
      this.configurator = configurator;
      this.client = client;
    }

    @Override
    public HttpsConfigurator getHttpsConfigurator() {
      return configurator;
    }

    @Override
    public InetSocketAddress getClientAddress() {
      return client;
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
      chosen = parameters;
    }

    /** Applies what was set: all parameters, or some that are set one by one. */
    @SuppressWarnings("deprecation") // programs still use it
    void applyTo(SSLEngine engine) {
      if (chosen != null) {
        engine.setSSLParameters(chosen);
        return;
      }
      @Nullable String @Nullable [] suites = getCipherSuites();
      if (suites != null) {
        engine.setEnabledCipherSuites(suites);
      }
      @Nullable String @Nullable [] protocols = getProtocols();
      if (protocols != null) {
        engine.setEnabledProtocols(protocols);
      }
      if (getNeedClientAuth()) {
        engine.setNeedClientAuth(true);
      } else if (getWantClientAuth()) {
        engine.setWantClientAuth(true);
      }
    }
  }

  void configure(HttpsConfigurator next) {
    configurator = Objects.requireNonNull(next, "configurator");
  }

  @Nullable HttpsConfigurator configurator() {
    return configurator;
  }

  @Override
  public SSLEngine apply(SocketAddress address) {
    HttpsConfigurator known = configurator;
    if (known == null) {
      throw new IllegalStateException("no HttpsConfigurator is set");
    }
    InetSocketAddress client = (InetSocketAddress) address;
    SSLEngine engine =
        known.getSSLContext().createSSLEngine(client.getHostString(), client.getPort());
    engine.setUseClientMode(false);
    Parameters parameters = new Parameters(known, client);
    known.configure(parameters);
    parameters.applyTo(engine);
    return engine;
  }
}
