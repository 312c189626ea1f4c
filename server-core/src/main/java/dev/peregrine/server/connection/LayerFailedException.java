package dev.peregrine.server.connection;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.FailedHandshake;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection because a layer in front of its protocol has failed: a {@link
 * SocketLayer}'s socket throws it at each read and write. Has no stack, because clients can cause
 * it.
 */
public final class LayerFailedException extends IOException {
  private static final long serialVersionUID = 1;

  private final CloseReason reason;
  private final transient @Nullable FailedHandshake handshake;

  /**
   * A failure.
   *
   * @param handshake the facts for listeners if the layer's handshake has failed, otherwise null
   */
  public LayerFailedException(
      CloseReason reason, String message, @Nullable FailedHandshake handshake) {
    super(message);
    this.reason = reason;
    this.handshake = handshake;
  }

  /** Returns why the connection is closed. */
  public CloseReason reason() {
    return reason;
  }

  /** Returns the facts of a handshake that has failed, or null. */
  public @Nullable FailedHandshake handshake() {
    return handshake;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
