package dev.peregrine.server.tls.hello;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a client's first message that the server reads before it chooses a certificate.
 *
 * @param serverName the host name that it requests, in lower case; null if it requests none
 * @param versions names of the known versions that it offers
 * @param applicationProtocols the application protocols that it offers; bytes other than visible
 *     ASCII are replaced by question marks
 */
public record ClientHello(
    @Nullable String serverName, List<String> versions, List<String> applicationProtocols) {
  /** TLS 1.3, by the name that the JDK has for it. */
  public static final String TLS_1_3 = "TLSv1.3";

  /** TLS 1.2, likewise. */
  public static final String TLS_1_2 = "TLSv1.2";

  /** A ClientHello that has not been read. */
  public static final ClientHello UNKNOWN = new ClientHello(null, List.of(), List.of());
}
