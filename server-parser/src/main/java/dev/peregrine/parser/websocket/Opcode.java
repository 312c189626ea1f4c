package dev.peregrine.parser.websocket;

/** The opcodes of frames (RFC 6455 section 5.2). Those from 8 on are control frames. */
public final class Opcode {
  public static final int CONTINUATION = 0x0;
  public static final int TEXT = 0x1;
  public static final int BINARY = 0x2;
  public static final int CLOSE = 0x8;
  public static final int PING = 0x9;
  public static final int PONG = 0xA;

  private static final int CONTROL = 0x8;
  private static final int KNOWN =
      1 << CONTINUATION | 1 << TEXT | 1 << BINARY | 1 << CLOSE | 1 << PING | 1 << PONG;

  private Opcode() {}

  /** Returns true for control frames, also for those that no RFC defines. */
  public static boolean isControl(int opcode) {
    return (opcode & CONTROL) != 0;
  }

  /** Returns true if the opcode, 0 to 15, is one of the constants of this class. */
  static boolean isKnown(int opcode) {
    return (KNOWN >>> opcode & 1) != 0;
  }
}
