package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonBufferTest {
  private final JsonBuffer buffer = new JsonBuffer();

  @Test
  void startsAnewAfterReset() {
    write("first");
    assertThat(content()).isEqualTo("first");

    buffer.reset();
    write("second");
    assertThat(content()).isEqualTo("second");
  }

  @Test
  void growsToWhatIsWritten() {
    String large = "0123456789".repeat(1000);

    write("small");
    write(large);
    assertThat(content()).isEqualTo("small" + large);
  }

  private void write(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    buffer.write(bytes, 0, bytes.length);
  }

  private String content() {
    ByteBuffer content = buffer.content();
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
