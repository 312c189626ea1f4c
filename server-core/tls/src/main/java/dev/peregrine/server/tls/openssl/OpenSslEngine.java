package dev.peregrine.server.tls.openssl;

import dev.peregrine.openssl.OpenSsl;
import dev.peregrine.openssl.TicketKeys;
import dev.peregrine.server.tls.layer.TlsContext;
import dev.peregrine.server.tls.layer.TlsEngine;
import dev.peregrine.server.tls.layer.TlsSettings;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/** The OpenSSL of the system. */
public final class OpenSslEngine implements TlsEngine {
  /**
   * The keys of session tickets. They live as long as the engine, so that a client can resume its
   * session after a reload.
   */
  private final TicketKeys tickets;

  /**
   * Creates an engine.
   *
   * @throws UnsupportedOperationException if {@link #problem} isn't null
   */
  public OpenSslEngine() {
    tickets = new TicketKeys();
  }

  /**
   * Returns the reason why OpenSSL can't be used in this VM, as one line that names what to change;
   * null if it can. The libraries are loaded by the first call.
   */
  public static @Nullable String problem() {
    return OpenSsl.problem();
  }

  @Override
  public String describe() {
    return OpenSsl.version();
  }

  @Override
  public TlsContext load(TlsSettings settings) throws GeneralSecurityException {
    return OpenSslTlsContext.load(settings, tickets);
  }
}
