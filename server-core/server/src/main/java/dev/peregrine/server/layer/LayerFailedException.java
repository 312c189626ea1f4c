package dev.peregrine.server.layer;

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
  private final int contentBytes;

  /** A failure that isn't one of a handshake. */
  public LayerFailedException(CloseReason reason, String message) {
    super(message);
    this.reason = reason;
    this.handshake = null;
    this.contentBytes = 0;
  }

  /**
   * A handshake that has failed.
   *
   * @param contentBytes the size of the content of the response that the layer sends, if any
   */
  public LayerFailedException(FailedHandshake handshake, int contentBytes) {
    super(handshake.reason().text());
    this.reason = CloseReason.HANDSHAKE_FAILED;
    this.handshake = handshake;
    this.contentBytes = contentBytes;
  }

  /** Returns why the connection is closed. */
  public CloseReason reason() {
    return reason;
  }

  /** Returns the facts of a handshake that has failed, or null. */
  public @Nullable FailedHandshake handshake() {
    return handshake;
  }

  /** Returns the bytes of content of the response that the layer has sent; 0 without one. */
  public int contentBytes() {
    return contentBytes;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
