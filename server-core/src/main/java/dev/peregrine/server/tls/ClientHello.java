package dev.peregrine.server.tls;

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
record ClientHello(
    @Nullable String serverName, List<String> versions, List<String> applicationProtocols) {
  /** A ClientHello that has not been read. */
  static final ClientHello UNKNOWN = new ClientHello(null, List.of(), List.of());
}
