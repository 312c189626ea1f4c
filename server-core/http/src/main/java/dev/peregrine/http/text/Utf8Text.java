package dev.peregrine.http.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text to UTF-8, without replacing what can't be encoded. */
public final class Utf8Text {
  private Utf8Text() {}

  /**
   * Encodes text.
   *
   * @throws IllegalArgumentException if it has a surrogate without its other half
   */
  public static byte[] encode(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] exact = new byte[encoded.remaining()];
      encoded.get(exact);
      return exact;
    } catch (CharacterCodingException lone) {
      throw new IllegalArgumentException("the text has a surrogate without its other half", lone);
    }
  }
}
