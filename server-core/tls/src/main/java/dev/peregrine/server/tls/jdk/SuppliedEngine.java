package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.tls.layer.TlsContext;
import dev.peregrine.server.tls.layer.TlsEngine;
import dev.peregrine.server.tls.layer.TlsSettings;
import java.net.SocketAddress;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;

/**
 * The engines that the application creates, one for each connection.
 *
 * @param source called on a virtual thread, with the address of the client
 */
public record SuppliedEngine(Function<? super SocketAddress, ? extends SSLEngine> source)
    implements TlsEngine {
  @Override
  public String describe() {
    return "engines that the application creates";
  }

  @Override
  public TlsContext load(TlsSettings settings) {
    return new SuppliedContext(settings, source);
  }
}
