package dev.peregrine.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.luben.zstd.ZstdInputStream;
import dev.peregrine.http.coding.ContentEncoder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdTest {
  private static final int SEED = 5;

  @AutoClose private final ContentEncoder encoder = new Zstd(Zstd.LEVEL_DEFAULT).newEncoder();

  /** Returns bytes of which half can't be compressed. */
  private static byte[] content(int length) {
    byte[] bytes = new byte[length];
    new Random(SEED).nextBytes(bytes);
    for (int i = 0; i < length; i += 2) {
      bytes[i] = 'a';
    }
    return bytes;
  }

  private static byte[] decoded(byte[] encoded) throws IOException {
    try (ZstdInputStream in = new ZstdInputStream(new ByteArrayInputStream(encoded))) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 1_000_000})
  void isDecodedToWhatWasEncoded(int length) throws IOException {
    byte[] content = content(length);

    encoder.begin();
    encoder.write(content, 0, length);
    encoder.finish();

    assertThat(encoder.available()).isPositive();
    assertThat(decoded(encoder.take())).isEqualTo(content);
    assertThat(encoder.available()).isZero();
    assertThat(encoder.take()).isEmpty();
  }

  @Test
  void canBeDecodedAsFarAsItWasFlushed() throws IOException {
    byte[] content = content(50_000);
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    encoder.begin();

    for (int from = 0; from < content.length; from += 10_000) {
      encoder.write(content, from, 10_000);
      encoder.flush();
      encoded.writeBytes(encoder.take());
      byte[] flushed = new byte[from + 10_000];
      try (ZstdInputStream in =
          new ZstdInputStream(new ByteArrayInputStream(encoded.toByteArray()))) {
        assertThat(in.readNBytes(flushed, 0, flushed.length)).isEqualTo(flushed.length);
      }
      assertThat(flushed).isEqualTo(Arrays.copyOf(content, flushed.length));
    }

    encoder.finish();
    encoded.writeBytes(encoder.take());
    assertThat(decoded(encoded.toByteArray())).isEqualTo(content);
  }

  @Test
  void leavesNothingOfAResponseThatWasGivenUp() throws IOException {
    encoder.begin();
    encoder.write(content(100_000), 0, 100_000);
    encoder.begin();
    encoder.write(content(10), 0, 10);
    encoder.finish();

    assertThat(decoded(encoder.take())).isEqualTo(content(10));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 19})
  void takesLevelsUpToTheLimits(int level) throws IOException {
    try (ContentEncoder limit = new Zstd(level).newEncoder()) {
      limit.begin();
      limit.write(content(1000), 0, 1000);
      limit.finish();
      assertThat(decoded(limit.take())).isEqualTo(content(1000));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void rejectsOtherLevels(int level) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Zstd(level))
        .withMessageContaining("level is " + level);
  }
}
