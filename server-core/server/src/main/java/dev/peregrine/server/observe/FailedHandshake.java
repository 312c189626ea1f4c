package dev.peregrine.server.observe;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A TLS handshake that failed, see {@link ConnectionListener#onHandshakeFailed}. What the client
 * has sent is empty if the handshake failed before its first message was complete.
 *
 * @param reason what kind of failure it is
 * @param detail what happened, in words for a log; with an alert, it has its name
 * @param serverName the host name that the client asked for (SNI), or null
 * @param versions the versions that the client offered: {@code TLSv1.3} and so on
 * @param applicationProtocols the application protocols that the client offered (ALPN)
 * @param time from the accept to the failure
 */
public record FailedHandshake(
    HandshakeFailure reason,
    String detail,
    @Nullable String serverName,
    List<String> versions,
    List<String> applicationProtocols,
    Duration time) {
  /** Keeps copies of the lists. */
  public FailedHandshake {
    versions = List.copyOf(versions);
    applicationProtocols = List.copyOf(applicationProtocols);
  }
}
