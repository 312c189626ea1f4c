package dev.peregrine.server.observe;

import dev.peregrine.protocol.Rejection;
import org.jspecify.annotations.Nullable;

/** The facts of bytes that did not become a request, valid during the call of a listener. */
public interface RejectedRequest {
  /** Returns the connection. */
  ConnectionInfo connection();

  /** Returns the status of the response: 400, 408, 414, 431, 501, 503 or 505. */
  int status();

  /**
   * Returns the rule that the bytes broke; null for a head that was late or cut short, HTTP without
   * TLS or of the wrong version, and 503.
   */
  @Nullable Rejection rejection();

  /**
   * Returns the reason in words. The client was sent it, unless an {@code ErrorRenderer} wrote
   * another text.
   */
  String reason();

  /** Returns the number of bytes of the response's content; 0 if it has none or wasn't sent. */
  int responseContentBytes();

  /** Returns the {@link System#nanoTime} of the rejection. */
  long nanos();
}
