package dev.peregrine.parser.websocket;

/** The faults of a frame's head, each of which fails the connection (RFC 6455 section 5). */
public enum FrameFault {
  /** A reserved bit is set for which no extension was negotiated (section 5.2). */
  RESERVED_BITS("a reserved bit is set without an extension that defines it"),
  /** The opcode is a reserved one (section 5.2). */
  UNKNOWN_OPCODE("the opcode is unknown"),
  /** A control frame is a fragment (section 5.5). */
  CONTROL_FRAGMENTED("a control frame is fragmented"),
  /** A frame from a client isn't masked (section 5.1). */
  NOT_MASKED("the frame is not masked"),
  /** The payload of a control frame has more than 125 bytes (section 5.5). */
  CONTROL_TOO_LONG("the payload of a control frame is longer than 125 bytes"),
  /** The payload length has more bytes than it needs (section 5.2). */
  LENGTH_NOT_MINIMAL("the payload length is not encoded in as few bytes as possible"),
  /** The payload length has its highest bit set (section 5.2). */
  LENGTH_TOO_LARGE("the payload length has more than 63 bits");

  private final String text;

  FrameFault(String text) {
    this.text = text;
  }

  /** Returns at most 123 bytes of ASCII, fit for the reason of a close frame. */
  public String text() {
    return text;
  }
}
