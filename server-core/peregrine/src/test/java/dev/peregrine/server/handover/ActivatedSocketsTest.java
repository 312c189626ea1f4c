package dev.peregrine.server.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActivatedSocketsTest {
  private static ActivatedSockets sockets(String count, String names) throws IOException {
    return ActivatedSockets.of(
        Map.of("LISTEN_FDS", count, "LISTEN_PID", "7", "LISTEN_FDNAMES", names), 7);
  }

  @Test
  void findsSocketsByNameInOrder() throws Exception {
    ActivatedSockets sockets = sockets("4", "web:admin:web:");

    assertThat(sockets.descriptors(null)).containsExactly(3, 4, 5, 6);
    assertThat(sockets.descriptors("web")).containsExactly(3, 5);
    assertThat(sockets.descriptors("")).containsExactly(6);
    assertThatThrownBy(() -> sockets.descriptors("other"))
        .isInstanceOf(IOException.class)
        .hasMessage("no socket has the name other, but [web, admin, web, ]");
  }

  @Test
  void namesSocketsWithoutNameAsSystemdDoes() throws Exception {
    ActivatedSockets sockets = ActivatedSockets.of(Map.of("LISTEN_FDS", "2", "LISTEN_PID", "7"), 7);

    assertThat(sockets.descriptors("unknown")).containsExactly(3, 4);
    assertThat(sockets("2", "web").names()).containsExactly("web", "unknown");
  }

  @Test
  void rejectsMoreNamesThanSockets() {
    assertThatThrownBy(() -> sockets("1", "a:b"))
        .hasMessage("LISTEN_FDNAMES has 2 names for 1 sockets");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "4097", "x", "''", "99999999999999999999"})
  void rejectsACountOutOfRange(String count) {
    assertThatThrownBy(() -> sockets(count, ""))
        .isInstanceOf(IOException.class)
        .hasMessage("LISTEN_FDS is " + count + ", not 1 to 4096");
  }

  @Test
  void acceptsTheLargestCount() throws Exception {
    assertThat(sockets("4096", "").descriptors(null)).hasSize(4096).endsWith(4098);
  }

  @Test
  void rejectsSocketsOfAnotherProcess() {
    assertThatThrownBy(() -> ActivatedSockets.of(Map.of("LISTEN_FDS", "1", "LISTEN_PID", "6"), 7))
        .hasMessageContaining("belong to process 6 (LISTEN_PID), and this is process 7");
    assertThatThrownBy(() -> ActivatedSockets.of(Map.of("LISTEN_FDS", "1"), 7))
        .hasMessageStartingWith("LISTEN_PID is null, not 1 to ");
  }

  @Test
  void reportsAProcessWithoutSockets() {
    assertThatThrownBy(() -> ActivatedSockets.of(Map.of(), 7))
        .hasMessage("this process was started without sockets: LISTEN_FDS is not set");
  }
}
