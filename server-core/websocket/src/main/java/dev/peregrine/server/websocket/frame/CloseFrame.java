package dev.peregrine.server.websocket.frame;

import dev.peregrine.http.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The code and the reason in a close frame (RFC 6455 sections 5.5.1 and 7.4).
 *
 * @param isValid false if the client's frame was malformed; then the code is the one to answer with
 */
public record CloseFrame(int code, String reason, boolean isValid) {
  static final int NORMAL = 1000;
  public static final int PROTOCOL_ERROR = 1002;
  public static final int NO_CODE = 1005;
  public static final int ABNORMAL = 1006;
  public static final int INVALID_TEXT = 1007;
  public static final int POLICY = 1008;
  public static final int TOO_LARGE = 1009;
  public static final int INTERNAL_ERROR = 1011;
  public static final int TRY_AGAIN_LATER = 1013;

  private static final int CODE_BYTES = 2;
  private static final int REASON_BYTES_MAX = 123;
  private static final int REGISTERED_MAX = 1014;
  private static final int NEVER_SENT = 1004;
  private static final int LIBRARIES = 3000;
  private static final int CODE_MAX = 4999;

  /** Returns true if a code may be in a close frame. */
  private static boolean isValid(int code) {
    boolean registered =
        code >= NORMAL && code <= REGISTERED_MAX && (code < NEVER_SENT || code > ABNORMAL);
    return registered || (code >= LIBRARIES && code <= CODE_MAX);
  }

  /**
   * Returns the content of a close frame that the application sends.
   *
   * @throws IllegalArgumentException if the code or the reason isn't allowed
   */
  public static byte[] encode(int code, String reason) {
    if (!isValid(code)) {
      throw new IllegalArgumentException(
          code + " is not a code for a close frame: 1000 to 1003, 1007 to 1014, 3000 to 4999");
    }
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    if (text.length > REASON_BYTES_MAX) {
      throw new IllegalArgumentException(
          "the reason has " + text.length + " bytes, but may have " + REASON_BYTES_MAX);
    }
    return ByteBuffer.allocate(CODE_BYTES + text.length).putShort((short) code).put(text).array();
  }

  /** Decodes the content of a client's close frame. */
  public static CloseFrame decode(Bytes content) {
    int length = content.length();
    if (length == 0) {
      return new CloseFrame(NO_CODE, "", true);
    }
    ByteBuffer bytes = ByteBuffer.wrap(content.toArray());
    int code = length < CODE_BYTES ? 0 : Short.toUnsignedInt(bytes.getShort());
    if (!isValid(code)) {
      return new CloseFrame(PROTOCOL_ERROR, "", false);
    }
    try {
      String reason = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return new CloseFrame(code, reason, true);
    } catch (CharacterCodingException invalid) {
      return new CloseFrame(INVALID_TEXT, "", false);
    }
  }
}
