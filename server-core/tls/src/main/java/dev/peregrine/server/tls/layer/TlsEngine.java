package dev.peregrine.server.tls.layer;

import java.security.GeneralSecurityException;

/** An implementation of TLS. Thread-safe. */
public interface TlsEngine {
  /** Returns its name and version for the log, such as {@code OpenSSL 3.0.13}. */
  String describe();

  /**
   * Creates the context of new connections.
   *
   * @throws GeneralSecurityException if the engine doesn't support the settings; the message names
   *     the setting, for the application's author
   */
  TlsContext load(TlsSettings settings) throws GeneralSecurityException;
}
