package dev.peregrine.bench.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class NumbersTest {
  @Test
  void readsNumbersAsProtocolBuffersHasThem() {
    assertThat(read("08011002")).isEqualTo(new Numbers(1, 2, 0));
    assertThat(read("08ac0218882710ffffffffffffffffff01")).isEqualTo(new Numbers(300, -1, 5000));
    assertThat(read("")).isEqualTo(new Numbers(0, 0, 0));
  }

  @Test
  void rejectsWhatIsNoNumber() {
    for (String wrong : new String[] {"0a00", "2001", "08", "0880", "08ffffffffffffffffffff01"}) {
      assertThatThrownBy(() -> read(wrong)).isInstanceOf(StatusRuntimeException.class);
    }
  }

  @Test
  void writesNumbersAsProtocolBuffersHasThem() throws IOException {
    assertThat(written(3)).isEqualTo("0803");
    assertThat(written(300)).isEqualTo("08ac02");
    assertThat(written(-1)).isEqualTo("08ffffffffffffffffff01");
    assertThat(written(0)).isEmpty();
  }

  private static Numbers read(String hex) {
    return Numbers.REQUEST.parse(new ByteArrayInputStream(HexFormat.of().parseHex(hex)));
  }

  private static String written(int number) throws IOException {
    return HexFormat.of().formatHex(Numbers.REPLY.stream(number).readAllBytes());
  }
}
