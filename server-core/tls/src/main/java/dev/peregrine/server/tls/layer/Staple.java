package dev.peregrine.server.tls.layer;

import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An OCSP response that clients get with a certificate. Immutable. */
public final class Staple {
  private final byte[] der;
  private final Instant end;

  /**
   * Creates a response.
   *
   * @param der its encoding; not changed any more
   * @param end the time from which on it isn't valid; {@link Instant#MAX} if it has none
   */
  public Staple(byte[] der, Instant end) {
    this.der = der;
    this.end = end;
  }

  /** Returns a copy of its encoding. */
  public byte[] der() {
    return der.clone();
  }

  /** Returns the time from which on it isn't valid; {@link Instant#MAX} if it has none. */
  public Instant end() {
    return end;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Staple staple && Arrays.equals(der, staple.der);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(der);
  }
}
