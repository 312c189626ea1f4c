package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rejecting a request costs no more than answering one, and logs few lines. */
final class RejectionCostIT {
  private static final String GOOD = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  private static final String BAD = "GET / HTTP/1.1\r\nHost: a\r\nnocolon\r\n\r\n";
  private static final int WARM_UP = 2000;
  private static final int CONNECTIONS = 2000;

  /** Lines are for people: this many per ten seconds, and one with the number of the others. */
  private static final int LINES_MAX = 10 * (120 / 10 + 1);

  private final Victim victim = Victim.start(Servers.LIMITS, new App());

  @AfterEach
  void isUnharmed() {
    victim.assertUnharmed();
    victim.close();
  }

  @Test
  void allocatesNoMoreForBadRequestsThanForGoodOnes() {
    flood(GOOD, WARM_UP);
    flood(BAD, WARM_UP); // also uses up the lines that may be logged
    long good = allocatedBy(() -> flood(GOOD, CONNECTIONS));
    long bad = allocatedBy(() -> flood(BAD, CONNECTIONS));
    // A line of the log every few seconds; no other cost may grow with the number of requests.
    assertThat(bad - good).isLessThan(CONNECTIONS * 16L + 100_000);
  }

  @Test
  void logsFewLinesThatSayWhatWasWrongAndWithWhom() {
    flood(BAD, CONNECTIONS);
    List<String> lines = victim.takeLines();
    assertThat(lines).hasSizeLessThan(LINES_MAX);
    assertThat(lines.stream().filter(line -> line.startsWith("rejected")).findFirst())
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .contains("/127.0.0.1:")
                    .contains(" with 400: field line without a colon (RFC 9112 5)")
                    .contains("within " + BAD.length() + " bytes"));
  }

  private void flood(String request, int connections) {
    for (int i = 0; i < connections; i++) {
      try (RawClient peer = victim.connect()) {
        peer.send(request).expectClosed();
      }
    }
  }

  /** Bytes that the loop's thread allocates meanwhile. */
  private long allocatedBy(Runnable work) {
    Thread loop =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals(victim.server.name() + "-loop-0"))
            .findFirst()
            .orElseThrow();
    long before = Allocated.by(loop);
    work.run();
    return Allocated.by(loop) - before;
  }
}
