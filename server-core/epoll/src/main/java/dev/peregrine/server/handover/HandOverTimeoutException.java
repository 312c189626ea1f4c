package dev.peregrine.server.handover;

import java.io.IOException;

/** Thrown if the other process of a hand-over sends nothing within its time. */
final class HandOverTimeoutException extends IOException {
  private static final long serialVersionUID = 1;

  HandOverTimeoutException(String message) {
    super(message);
  }
}
