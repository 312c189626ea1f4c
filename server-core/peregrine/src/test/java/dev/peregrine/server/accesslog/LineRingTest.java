package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The bounds of a ring of lines, and its two threads. */
final class LineRingTest {
  private static byte[] line(int length) {
    return ("x".repeat(length - 1) + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static String taken(LineRing ring, int room) {
    ByteBuffer batch = ByteBuffer.allocate(room);
    boolean ignored = ring.takeInto(batch);
    return new String(batch.array(), 0, batch.position(), StandardCharsets.US_ASCII);
  }

  @Test
  void takesLinesUpToItsCapacity() {
    LineRing ring = new LineRing(100);
    assertThat(ring.add(line(60), 60)).isEqualTo(60);
    assertThat(ring.add(line(41), 41)).isEqualTo(-1);
    assertThat(ring.add(line(39), 39)).isEqualTo(99);
    assertThat(ring.add(line(1), 1)).isEqualTo(100);
    assertThat(ring.add(line(1), 1)).isEqualTo(-1);

    assertThat(taken(ring, 100)).hasSize(100);
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.add(line(101), 101)).isEqualTo(-1);
    assertThat(ring.add(line(100), 100)).isEqualTo(100);
  }

  @Test
  void givesWholeLinesOnly() {
    LineRing ring = new LineRing(100);
    assertThat(ring.add(line(30), 30) + ring.add(line(40), 40)).isEqualTo(100);

    assertThat(taken(ring, 29)).isEmpty();
    assertThat(taken(ring, 69)).hasSize(30).endsWith("\n");
    assertThat(ring.add(line(50), 50)).isEqualTo(90); // around the end of the ring
    assertThat(taken(ring, 89)).hasSize(40);
    assertThat(taken(ring, 50)).isEqualTo(new String(line(50), StandardCharsets.US_ASCII));
  }

  @Test
  void passesEveryLineFromOneThreadToAnother() throws Exception {
    int count = 20_000;
    LineRing ring = new LineRing(1000);
    Thread adding =
        Thread.ofPlatform()
            .start(
                () -> {
                  SplittableRandom random = new SplittableRandom(3);
                  for (int i = 0; i < count; i++) {
                    byte[] line =
                        (i + "-".repeat(random.nextInt(200)) + "\n")
                            .getBytes(StandardCharsets.US_ASCII);
                    while (ring.add(line, line.length) < 0) {
                      Thread.onSpinWait();
                    }
                  }
                });
    int next = 0;
    while (next < count) {
      String text = taken(ring, 300);
      assertThat(text.isEmpty() || text.endsWith("\n")).isTrue();
      for (String line : text.lines().toList()) {
        assertThat(line.replace("-", "")).isEqualTo("" + next++);
      }
    }
    adding.join();
  }
}
