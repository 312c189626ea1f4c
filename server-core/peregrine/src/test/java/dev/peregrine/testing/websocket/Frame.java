package dev.peregrine.testing.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A frame that a server has sent. */
public final class Frame {
  private static final int OPCODE = 0x0F;
  private static final int FINAL = 0x80;

  private final int firstByte;
  private final byte[] payload;

  Frame(int firstByte, byte[] payload) {
    this.firstByte = firstByte;
    this.payload = payload;
  }

  public int firstByte() {
    return firstByte;
  }

  public byte[] payload() {
    return payload.clone();
  }

  public int opcode() {
    return firstByte & OPCODE;
  }

  public boolean isFinal() {
    return (firstByte & FINAL) != 0;
  }

  public String text() {
    return new String(payload, StandardCharsets.UTF_8);
  }

  /** Returns the code of a close frame. */
  public int code() {
    return Short.toUnsignedInt(ByteBuffer.wrap(payload).getShort());
  }

  /** Returns the reason in a close frame. */
  public String reason() {
    return new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
  }
}
