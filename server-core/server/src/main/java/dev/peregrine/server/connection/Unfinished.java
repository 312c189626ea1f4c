package dev.peregrine.server.connection;

/** Work that the close of a connection cuts short. */
public enum Unfinished {
  /** No work: the connection is idle, or has ended in order. */
  NOTHING("nothing"),
  /** A request of which a part has arrived. */
  REQUEST("requests not received to their end"),
  /** A request whose response hasn't begun. */
  ANSWER("requests without a response"),
  /** A response of which a part has been sent. */
  RESPONSE("responses not sent to their end"),
  /** A connection that has left HTTP. */
  UPGRADED("upgraded connections");

  private final String text;

  Unfinished(String text) {
    this.text = text;
  }

  /** Returns a plural noun phrase, for logs. */
  public String text() {
    return text;
  }
}
