package dev.peregrine.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Latin1Test {
  private static final int FROM = 3;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void comparesEveryByte(boolean isNative) {
    for (int length = 0; length <= 40; length++) {
      String text = "/abcdefghijklmnopqrstuvwxyz-\u00E9\u00FF0123456789".substring(0, length);
      MemorySegment bytes = segment(isNative, "(((" + text + "))))))))");
      assertThat(Latin1.equals(bytes, FROM, FROM + length, text)).isTrue();
      assertThat(Latin1.equals(bytes, FROM, FROM + length, text + ")")).isFalse();
      assertThat(Latin1.equals(bytes, FROM, FROM + length + 1, text)).isFalse();
      for (int i = 0; i < length; i++) {
        assertThat(Latin1.equals(bytes, FROM, FROM + length, with(text, i, '!'))).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void takesNoCharacterForItsLowByte(boolean isNative) {
    for (String text : new String[] {"/1", "/1234567", "/123456789"}) {
      MemorySegment bytes = segment(isNative, text);
      for (int i = 0; i < text.length(); i++) {
        String other = with(text, i, (char) (text.charAt(i) + 0x100));
        assertThat(Latin1.equals(bytes, 0, text.length(), other)).isFalse();
      }
    }
  }

  @Test
  void readsNothingOutsideOfTheSegment() {
    MemorySegment bytes = segment(true, "/plaintext").asSlice(0, 9);
    assertThatThrownBy(() -> Latin1.equals(bytes, 0, 10, "/plaintext"))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void readsNoMemoryThatWasFreed() {
    MemorySegment freed;
    try (Arena arena = Arena.ofConfined()) {
      freed = arena.allocate(10);
    }
    assertThatThrownBy(() -> Latin1.equals(freed, 0, 10, "/plaintext"))
        .isInstanceOf(IllegalStateException.class);
  }

  private static String with(String text, int at, char c) {
    return text.substring(0, at) + c + text.substring(at + 1);
  }

  private static MemorySegment segment(boolean isNative, String text) {
    MemorySegment array = MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
    return isNative ? Arena.ofAuto().allocate(array.byteSize()).copyFrom(array) : array;
  }
}
