package dev.peregrine.http.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.HttpException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class DecodedPathTest {
  private static final int LENGTH_MAX = 40;

  private final DecodedPath path = new DecodedPath(() -> {});

  @Test
  void takesEveryAsciiOctetButNulAtEveryPosition() {
    for (int length = 2; length <= LENGTH_MAX; length++) {
      for (int at = 0; at < length; at++) {
        for (int octet = 0; octet <= 0xFF; octet++) {
          String before = "a".repeat(at);
          String behind = "b".repeat(length - at - 1);
          String encoded = "/" + before + String.format("%%%02x", octet) + behind + "/c";
          if (octet == 0 || octet > 0x7F) {
            expectRefused(encoded);
          } else {
            expectSegments(encoded, before + (char) octet + behind, "c");
          }
        }
      }
    }
  }

  @Test
  void checksEachSegmentForUtf8() {
    expectSegments("/caf%C3%A9/a/%e2%82%ac", "caf\u00e9", "a", "\u20ac");
    expectRefused("/caf%C3/%A9");
    expectRefused("/a/%C3%A9/%00");
    expectRefused("/%C0%80/a");
    expectRefused("/a/%ED%A0%80");
  }

  private void expectSegments(String text, String... segments) {
    read(text);
    assertThat(path.count()).isEqualTo(segments.length);
    for (int i = 0; i < segments.length; i++) {
      byte[] expected = segments[i].getBytes(StandardCharsets.UTF_8);
      assertThat(path.segment(i)).isEqualTo(segments[i]);
      assertThat(path.is(i, expected)).isTrue();
      assertThat(path.hash(i)).isEqualTo(DecodedPath.hash(expected));
    }
  }

  private void expectRefused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(HttpException.class);
    assertThat(path.isRead()).isFalse();
  }

  private void read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    path.read(MemorySegment.ofArray(bytes), 0, bytes.length);
  }
}
