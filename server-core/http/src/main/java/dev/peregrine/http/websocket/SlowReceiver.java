package dev.peregrine.http.websocket;

/**
 * A topic's policy for a message to a socket that has more unsent bytes than its high-water mark,
 * or whose event loop is behind; see {@link Topic}.
 */
public enum SlowReceiver {
  /** The socket doesn't get the message. */
  SKIP,
  /** The socket is closed with 1013, after the messages that are unsent. */
  CLOSE,
  /** The connection is cut at once. */
  ABORT
}
