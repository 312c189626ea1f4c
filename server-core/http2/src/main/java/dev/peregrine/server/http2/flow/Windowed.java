package dev.peregrine.server.http2.flow;

/** A stream as the flow control has it (RFC 9113 section 5.2): two windows, and what waits. */
public interface Windowed {
  /** Returns the identifier. */
  int id();

  StreamState state();

  /** Returns the window of the content that the client sends. */
  ReceiveWindow receiveWindow();

  /** Returns the content that the server sends, with its window. */
  OutboundContent outbound();

  /** Returns true if the client may let that content wait for any time. */
  boolean isUnhurried();
}
