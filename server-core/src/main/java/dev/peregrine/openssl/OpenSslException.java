package dev.peregrine.openssl;

import java.security.GeneralSecurityException;

/** Thrown when OpenSSL rejects a certificate, a key or an option. */
public final class OpenSslException extends GeneralSecurityException {
  private static final long serialVersionUID = 1L;

  /** A failure with a sentence for the one who set it up. */
  public OpenSslException(String message) {
    super(message);
  }
}
