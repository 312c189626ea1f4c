package dev.peregrine.server.tls;

import java.security.GeneralSecurityException;

/** An implementation of TLS. Thread-safe. */
public interface TlsEngine {
  /** Returns its name and version for the log, such as {@code OpenSSL 3.0.13}. */
  String describe();

  /**
   * Makes the context of new connections.
   *
   * @throws GeneralSecurityException if the engine can't do what the settings say; the message says
   *     what, as a sentence for the one who set it up
   */
  TlsContext load(TlsSettings settings) throws GeneralSecurityException;
}
