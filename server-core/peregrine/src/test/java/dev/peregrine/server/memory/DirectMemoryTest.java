package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DirectMemoryTest {
  private static final long DEFAULT = 77;

  @ParameterizedTest
  @CsvSource({
    "4096, 4096",
    "4k, 4096",
    "4K, 4096",
    "8m, 8388608",
    "3G, 3221225472",
    "1t, 1099511627776",
    "0x10000, 65536",
    "0, 77",
  })
  void readsTheLimitAsTheJvmDoes(String size, long bytes) {
    List<String> options = List.of("-Xmx64m", "-XX:MaxDirectMemorySize=" + size, "-Da=b");

    assertThat(DirectMemory.limit(options, DEFAULT)).isEqualTo(bytes);
  }

  @Test
  void takesTheLastOfSeveral() {
    List<String> options = List.of("-XX:MaxDirectMemorySize=1m", "-XX:MaxDirectMemorySize=2k");

    assertThat(DirectMemory.limit(options, DEFAULT)).isEqualTo(2048);
  }

  @Test
  void hasTheDefaultWithoutTheOption() {
    assertThat(DirectMemory.limit(List.of("-Xmx64m"), DEFAULT)).isEqualTo(DEFAULT);
  }
}
