package dev.peregrine.server.tls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first message of a client, as far as the server looks at it before it chooses a certificate.
 *
 * @param serverName the host name that it asks for, in lower case; null if none or no valid one
 * @param versions names of the versions that it offers, those that are known
 * @param applicationProtocols the application protocols that it offers; what isn't visible ASCII is
 *     replaced by question marks
 */
record ClientHello(
    @Nullable String serverName, List<String> versions, List<String> applicationProtocols) {
  /** Before anything is known. */
  static final ClientHello UNKNOWN = new ClientHello(null, List.of(), List.of());
}
