package dev.peregrine.openssl;

import java.security.GeneralSecurityException;

/** Thrown when OpenSSL rejects a certificate, a key or an option. */
public final class OpenSslException extends GeneralSecurityException {
  private static final long serialVersionUID = 1L;

  /** Creates a failure with a text for the application's author. */
  public OpenSslException(String message) {
    super(message);
  }
}
