package dev.peregrine.bench.codec;

/** The parts of the server that take part in answering; each stage includes the one before. */
public enum Stage {
  /** The event loop's turn, and one copy of the bytes each way. */
  LOOP,
  /** With a connection: buffers, deadline, interest. The answer is prebuilt, nothing is parsed. */
  CONNECTION,
  /** With every request head parsed. */
  PARSER,
  /** HTTP as it is: exchange, handler, encoded response of 13 bytes of text. */
  PLAINTEXT,
  /** The same with a small JSON object, written by the handler for each request. */
  JSON
}
