package dev.peregrine.server.tls.layer;

import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.hello.HelloException;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The session of one connection, the context that it uses, and the name that was requested. */
final class OpenedSession {
  final TlsSession session;
  private final TlsContext context;
  private final @Nullable String serverName;

  private OpenedSession(TlsContext context, TlsSession session, @Nullable String serverName) {
    this.context = context;
    this.session = session;
    this.serverName = serverName;
  }

  /**
   * Opens the session of a client.
   *
   * @param serverName as the client requests it; null for none
   * @param client returns its address
   * @throws HelloException if no certificate is configured for the name
   * @throws IOException if the client has gone, or the engine fails
   */
  static OpenedSession open(
      TlsLoop shared, @Nullable String serverName, TlsContext.AddressSource client)
      throws IOException {
    TlsContext context = shared.current.acquire();
    try {
      int profile = context.settings().profiles().choose(serverName);
      if (profile == TlsProfiles.NONE) {
        throw new HelloException(
            HandshakeFailure.NAME_UNKNOWN,
            HelloException.UNRECOGNIZED_NAME,
            "no certificate is configured for the requested server name");
      }
      TlsSession session = context.openFor(client, profile, serverName, shared.scratch);
      return new OpenedSession(context, session, serverName);
    } catch (Throwable failure) {
      context.release();
      throw failure;
    }
  }

  /** Compares the requirements on clients, unless the client requested that name. */
  boolean servesHost(@Nullable String host) {
    if (Objects.equals(host, serverName)) {
      return true;
    }
    TlsProfiles profiles = context.settings().profiles();
    return profiles.clients(host).equals(profiles.clients(serverName));
  }

  TlsInfo info() {
    return session.info(serverName);
  }

  /** Releases the session and its context; once. */
  void free() {
    try {
      session.free();
    } finally {
      context.release();
    }
  }
}
