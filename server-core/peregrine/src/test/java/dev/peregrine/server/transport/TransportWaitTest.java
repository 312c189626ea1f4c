package dev.peregrine.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.loop.EventLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Waiting and waking up, on every transport. */
class TransportWaitTest extends OnEveryTransport {
  @Test
  void signalsTheEndOfTheWaitOnceBeforeAnyHandler() throws IOException {
    Pair pair = pair();
    List<Integer> seen = new ArrayList<>();
    pair.react = ops -> seen.add(waits);
    pair.client.getOutputStream().write(1);
    while (seen.isEmpty()) {
      int before = waits;
      poll(PATIENCE_NANOS);
      assertThat(waits).isEqualTo(before + 1);
    }
    assertThat(seen).containsExactly(waits);
  }

  @Test
  void waitsAsLongAsItMay() throws IOException {
    long start = System.nanoTime();
    poll(TimeUnit.MICROSECONDS.toNanos(20_500));
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MICROSECONDS.toNanos(20_000));
    poll(0);
    assertThat(waits).isEqualTo(2);
  }

  @Test
  void isWokenFromTheNextWaitToo() throws IOException {
    poller.wakeUp();
    poller.wakeUp();
    poll(Poller.FOREVER);
    assertThat(waits).isEqualTo(1);
  }

  @Test
  void ignoresALateWakeUp() throws IOException {
    Poller late = transport.openPoller();
    late.close();
    late.close();
    late.wakeUp();
  }

  @Test
  void losesNoWakeUpUnderStress() throws Exception {
    int threads = 4;
    int tasks = 50_000;
    EventLoop loop = new EventLoop("test", transport);
    loop.start();
    AtomicInteger ran = new AtomicInteger();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      senders.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int sent = 0; sent < tasks; sent++) {
                      loop.execute(ran::incrementAndGet);
                      if (sent % 64 == 0) {
                        awaitAtLeast(ran, sent); // so that the loop falls asleep in between
                      }
                    }
                  }));
    }
    for (Thread sender : senders) {
      sender.join();
    }
    awaitAtLeast(ran, threads * tasks);
    loop.stop(() -> {});
    loop.join();
    assertThat(ran.get()).isEqualTo(threads * tasks);
  }

  private static void awaitAtLeast(AtomicInteger counter, int value) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (counter.get() < value && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
