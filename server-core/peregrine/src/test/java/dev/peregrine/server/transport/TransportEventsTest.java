package dev.peregrine.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Notifications when many sockets are ready, closed or switched, on every transport. */
class TransportEventsTest extends OnEveryTransport {
  @Test
  void notifiesEachSocketOncePerPoll() throws IOException {
    List<Pair> pairs = List.of(pair(), pair(), pair());
    for (Pair pair : pairs) {
      pair.client.getOutputStream().write(1);
    }
    until(() -> pairs.stream().allMatch(pair -> pair.told.times() > 0));
    List<Integer> before = pairs.stream().map(pair -> pair.told.times()).toList();
    for (int i = 1; i <= 5; i++) {
      poll(0);
      int polls = i;
      assertThat(pairs.stream().map(pair -> pair.told.times()).toList())
          .isEqualTo(before.stream().map(times -> times + polls).toList());
    }
  }

  @Test
  void doesNotNotifyASocketThatAnEarlierHandlerHasClosed() throws IOException {
    Pair one = pair();
    Pair other = pair();
    one.react = ops -> other.socket.close();
    other.react = ops -> one.socket.close();
    one.socket.interest(0);
    other.socket.interest(0);
    one.client.getOutputStream().write(1);
    other.client.getOutputStream().write(1);
    poll(0);
    one.socket.interest(Ready.READ);
    other.socket.interest(Ready.READ);
    until(() -> one.told.times() + other.told.times() > 0);
    poll(0);
    assertThat(List.of(one.told.times(), other.told.times())).containsOnlyOnce(0);
  }

  @Test
  void doesNotNotifyANewSocketOfEventsOfAnOldOne() throws IOException {
    Pair old = pair();
    old.client.getOutputStream().write(1);
    Pair closer = pair();
    List<Pair> fresh = new ArrayList<>();
    closer.react =
        ops -> {
          if (fresh.isEmpty()) {
            old.socket.close();
            closer.socket.interest(0);
            fresh.add(pair()); // takes the descriptor that has become free
          }
        };
    closer.client.getOutputStream().write(1);
    until(() -> !fresh.isEmpty());
    poll(0);
    poll(0);
    assertThat(fresh.getFirst().told.times()).isZero();
    fresh.getFirst().client.getOutputStream().write(1);
    until(() -> fresh.getFirst().told.times() > 0);
  }

  @Test
  void doesNotNotifyASocketThatClosesItself() throws IOException {
    Pair pair = pair();
    pair.react = ops -> pair.socket.close();
    pair.client.getOutputStream().write(1);
    until(() -> pair.told.times() > 0);
    poll(0);
    assertThat(pair.told.times()).isEqualTo(1);
    assertThat(pair.told.failures).isEmpty();
  }

  @Test
  void passesAFailureToTheHandlerAndContinues() throws IOException {
    Pair failing = pair();
    failing.react =
        ops -> {
          failing.socket.interest(0);
          throw new IllegalStateException("on purpose");
        };
    Pair fine = pair();
    failing.client.getOutputStream().write(1);
    fine.client.getOutputStream().write(1);
    until(() -> failing.told.times() > 0 && fine.told.times() > 0);
    assertThat(failing.told.failures).singleElement().asString().contains("on purpose");
  }

  @Test
  void losesNothingHoweverInterestIsSwitched() throws Exception {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      byte[] content = new byte[2 * 1024 * 1024];
      random.nextBytes(content);
      Pair pair = pair();
      long chunks = random.nextLong();
      Thread writer =
          Thread.ofPlatform().start(() -> sendInChunks(pair.client, content, new Random(chunks)));
      ByteBuffer target = ByteBuffer.allocateDirect(64 * 1024);
      byte[] received = new byte[content.length];
      int[] count = {0};
      boolean[] ended = {false};
      pair.react =
          ops -> {
            if (random.nextInt(4) > 0) {
              int n = pair.socket.read(target.clear().limit(1 + random.nextInt(64 * 1024)));
              ended[0] = n < 0;
              target.flip().get(received, count[0], Math.max(n, 0));
              count[0] += Math.max(n, 0);
            }
            pair.socket.interest(random.nextInt(3) == 0 ? 0 : Ready.READ);
          };
      until(
          () -> {
            if (random.nextInt(3) == 0) {
              pair.socket.interest(random.nextBoolean() ? Ready.READ : 0);
            } else {
              pair.socket.interest(Ready.READ);
            }
            return ended[0];
          },
          TimeUnit.MICROSECONDS.toNanos(10));
      writer.join();
      assertThat(count[0]).isEqualTo(content.length);
      assertThat(received).isEqualTo(content);
      assertThat(pair.told.failures).isEmpty();
    }
  }

  @Test
  void servesManyConnectionsThatComeAndGo() throws IOException {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      pairs.add(echoing());
    }
    for (int round = 0; round < 3; round++) {
      for (Pair pair : pairs) {
        pair.told.ops.clear();
        pair.client.getOutputStream().write(round);
      }
      until(() -> pairs.stream().allMatch(pair -> pair.told.times() == 1));
      for (Pair pair : pairs) {
        assertThat(pair.client.getInputStream().read()).isEqualTo(round);
      }
      for (int i = 0; i < pairs.size(); i += 7) {
        pairs.get(i).socket.close();
        assertThat(pairs.get(i).client.getInputStream().read()).isEqualTo(-1);
        pairs.set(i, echoing());
      }
    }
  }

  private Pair echoing() throws IOException {
    Pair pair = pair();
    ByteBuffer bytes = ByteBuffer.allocateDirect(8);
    pair.react =
        ops -> {
          pair.socket.read(bytes.clear());
          pair.socket.write(bytes.flip());
        };
    return pair;
  }

  private static void sendInChunks(Socket client, byte[] content, Random random) {
    try {
      for (int sent = 0; sent < content.length; ) {
        int n = Math.min(1 + random.nextInt(40_000), content.length - sent);
        client.getOutputStream().write(content, sent, n);
        sent += n;
      }
      client.shutdownOutput();
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
