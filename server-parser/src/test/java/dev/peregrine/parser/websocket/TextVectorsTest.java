package dev.peregrine.parser.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.parser.Segments;
import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TextVectorsTest {
  @Test
  void stopsWhenItIsNotNeededAnyMore() {
    boolean before = TextVectors.isWarm();
    assertThat(TextVectors.warmUp(() -> true)).isEqualTo(before);
  }

  @Test
  void usesVectorsOnceTheyAreCompiled() {
    boolean available = ScannerKind.vectorProblem() == null && Memory.ALL.byteSize() != 0;
    assertThat(TextVectors.isAvailable()).isEqualTo(available);
    assertThat(TextVectors.warmUp(() -> false)).isEqualTo(available);
    assertThat(TextVectors.isWarm()).isEqualTo(available);
    assertThat(TextVectors.warmUp(() -> true)).isEqualTo(available);

    var validator = new Utf8Validator();
    MemorySegment text = Segments.exact("\u00e4".repeat(5000).getBytes(StandardCharsets.UTF_8));
    assertThat(validator.accept(text, 0, 9999)).isTrue();
    assertThat(validator.isComplete()).isFalse();
    assertThat(validator.accept(text, 9999, text.byteSize())).isTrue();
    assertThat(validator.isComplete()).isTrue();
    assertThat(validator.wantsVectors()).isFalse();
  }
}
