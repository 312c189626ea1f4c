package dev.peregrine.server.websocket.deflate;

/** The amount of compressed bytes that an input of {@link MessageDeflater} must lead to. */
public enum Flush {
  /** The deflater may keep bytes back, to compress them together with the next input. */
  NONE,

  /** The client can decompress all of the input so far: a fragment ends. */
  FRAGMENT,

  /** The message ends. */
  MESSAGE
}
