package dev.peregrine.parser.websocket;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The decoder of the JDK as reference. */
final class ReferenceUtf8 {
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  private final CharBuffer out = CharBuffer.allocate(1 << 16);

  /** Whether a begun character can be continued, by its bytes. */
  private final Map<Integer, Boolean> continued = new HashMap<>();

  /** Returns true if the bytes are valid text. */
  boolean isValid(byte[] bytes) {
    return decodes(ByteBuffer.wrap(bytes), true);
  }

  /** Returns true if some bytes after the first {@code length} could make valid text of them. */
  boolean isValidStart(byte[] bytes, int length) {
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
    if (!decodes(in, false)) {
      return false;
    }
    int begun = 0;
    for (int i = in.position(); i < length; i++) {
      begun = (begun << Byte.SIZE) | (bytes[i] & 0xFF);
    }
    return begun == 0 || continued.computeIfAbsent(begun, this::canBeContinued);
  }

  private boolean decodes(ByteBuffer in, boolean whole) {
    decoder.reset();
    return decoder.decode(in, out.clear(), whole).isUnderflow();
  }

  /** Tries all second bytes, which alone decide, and one for each of the others. */
  private boolean canBeContinued(int begun) {
    byte[] character = new byte[4];
    int given = (Integer.SIZE - Integer.numberOfLeadingZeros(begun) + 7) / Byte.SIZE;
    for (int i = 0; i < given; i++) {
      character[i] = (byte) (begun >> ((given - 1 - i) * Byte.SIZE));
    }
    for (int second = 0x80; second <= 0xBF; second++) {
      for (int length = given + 1; length <= 4; length++) {
        for (int i = given; i < length; i++) {
          character[i] = (byte) (i == 1 ? second : 0x80);
        }
        if (decodes(ByteBuffer.wrap(character, 0, length), true)) {
          return true;
        }
      }
    }
    return false;
  }
}
