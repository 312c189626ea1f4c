package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.tls.layer.TlsContext;
import dev.peregrine.server.tls.layer.TlsScratch;
import dev.peregrine.server.tls.layer.TlsSession;
import dev.peregrine.server.tls.layer.TlsSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** A context whose sessions get their engines from the application. */
final class SuppliedContext extends TlsContext {
  private final Function<? super SocketAddress, ? extends SSLEngine> source;

  SuppliedContext(
      TlsSettings settings, Function<? super SocketAddress, ? extends SSLEngine> source) {
    super(settings);
    this.source = source;
  }

  /** Not called: a session needs its client, and there is no warm-up. */
  @Override
  public TlsSession open(int profile, @Nullable String serverName, TlsScratch scratch) {
    throw new IllegalStateException("no client");
  }

  @Override
  protected TlsSession openFor(
      AddressSource client, int profile, @Nullable String serverName, TlsScratch scratch)
      throws IOException {
    SocketAddress address = client.address();
    return new SuppliedSession(() -> create(address), scratch);
  }

  private SSLEngine create(SocketAddress client) {
    SSLEngine engine = source.apply(client);
    engine.setUseClientMode(false);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setApplicationProtocols(protocols(parameters.getApplicationProtocols()));
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Returns the protocols of the endpoint, or those of them that the engine offers. */
  private String[] protocols(String[] offered) {
    List<String> spoken = settings().applicationProtocols();
    return offered.length == 0
        ? spoken.toArray(String[]::new)
        : Arrays.stream(offered).filter(spoken::contains).toArray(String[]::new);
  }

  @Override
  protected void free() {
    // The garbage collector releases all memory.
  }
}
