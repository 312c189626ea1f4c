package dev.peregrine.bench.compare.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuPinsTest {
  @ParameterizedTest
  @CsvSource({"0, {0}", "'0-2', '{0, 1, 2}'", "'\t1,4-5\n', '{1, 4, 5}'"})
  void readsListsAsLinuxWritesThem(String list, String cpus) {
    assertThat(CpuPins.cpus(list)).hasToString(cpus);
  }
}
