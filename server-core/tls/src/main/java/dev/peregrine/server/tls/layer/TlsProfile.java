package dev.peregrine.server.tls.layer;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The certificate and the requirements on clients that belong together for some host names. A
 * session of one profile is never resumed under another.
 *
 * @param credential null if the application's context has the key
 */
public record TlsProfile(@Nullable TlsCredential credential, ClientPolicy clients) {
  /** Returns the certificate of a profile that has one. */
  public TlsCredential requireCredential() {
    return Objects.requireNonNull(credential);
  }
}
