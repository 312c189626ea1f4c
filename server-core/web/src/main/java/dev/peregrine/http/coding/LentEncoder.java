package dev.peregrine.http.coding;

import dev.peregrine.http.Response;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The encoder of content that is sent piece by piece: lent until the response ends in any way. */
final class LentEncoder {
  private final Response response;
  private final @Nullable EncoderPool pool;
  private boolean watched;
  private volatile EncoderPool.@Nullable Lease lease;
  private volatile boolean released; // a later lease is released at once

  LentEncoder(Response response, @Nullable EncoderPool pool) {
    this.response = response;
    this.pool = pool;
  }

  /** Takes an encoder; null if too many are in use. */
  EncoderPool.@Nullable Lease take() {
    if (!watched) {
      watched = true;
      response.onAbort(cause -> release()); // first: once it is taken, nothing may fail
    }
    EncoderPool.Lease taken = Objects.requireNonNull(pool).lease();
    lease = taken;
    if (released && taken != null) {
      taken.close();
    }
    return taken;
  }

  /** Gives the encoder back; on any thread. */
  void release() {
    released = true; // first: a thread that takes a lease meanwhile checks it afterwards
    EncoderPool.Lease current = lease;
    if (current != null) {
      current.close();
    }
  }
}
