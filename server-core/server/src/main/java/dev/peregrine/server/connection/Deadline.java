package dev.peregrine.server.connection;

/** The event that a connection's deadline waits for. */
public enum Deadline {
  /** The first byte of a request. */
  KEEP_ALIVE,
  /** The end of a request head. */
  REQUEST_HEAD,
  /** The begin of a response that the application makes. */
  RESPONSE,
  /** The time that the user of a tunnel has set. */
  TUNNEL,
  /** The client's end of a connection that the server has ended. */
  LINGER
}
