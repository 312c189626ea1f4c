package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.memory.lease.Leases;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LeasesTest {
  private static final int LONG = OutboundQueue.COPIED_BYTES_MAX + 1;

  private final BufferPool pool = new BufferPool();
  private final Leases leases = pool.leases();
  private final OutboundQueue queue = new OutboundQueue(pool);
  private final List<ByteBuffer> givenBack = new ArrayList<>();
  private final Consumer<ByteBuffer> owner = givenBack::add;

  @AfterEach
  void close() {
    queue.clear();
    pool.close();
  }

  private List<ByteBuffer> givenBack() {
    leases.run();
    return givenBack;
  }

  private ByteBuffer append(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    leases.pass(buffer, owner, () -> queue.append(buffer));
    return buffer;
  }

  @Test
  void endsALeaseOfBytesThatWereCopied() {
    ByteBuffer few = append(LONG - 1);

    assertThat(givenBack()).containsExactly(few);
  }

  @Test
  void callsBackInRunOnly() {
    ByteBuffer few = append(1);

    assertThat(givenBack).isEmpty();
    assertThat(givenBack()).containsExactly(few);
  }

  @Test
  void keepsTheLeaseOfAReferenceUntilItsLastByte() throws IOException {
    ByteBuffer buffer = append(LONG);
    assertThat(givenBack()).isEmpty();
    int[] next = {LONG - 1};
    ScriptedChannel channel = new ScriptedChannel(() -> next[0]);
    queue.writeTo(channel);
    assertThat(givenBack()).isEmpty();

    queue.writeTo(channel);

    assertThat(givenBack()).containsExactly(buffer);
  }

  @Test
  void endsTheLeasesOfBytesThatAreDropped() {
    ByteBuffer first = append(LONG);
    ByteBuffer second = append(LONG);

    queue.clear();

    assertThat(givenBack()).containsExactly(first, second);
  }

  @Test
  void endsALeaseOnceThoughTheCallThrows() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LONG);
    Runnable step =
        () -> {
          queue.append(buffer);
          throw new IllegalStateException("afterwards");
        };

    assertThatThrownBy(() -> leases.pass(buffer, owner, step)).hasMessage("afterwards");
    assertThat(givenBack()).isEmpty();
    queue.clear();

    assertThat(givenBack()).containsExactly(buffer);
  }

  @Test
  void takesTheLeaseOfTheSameBufferOnly() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LONG);

    leases.pass(buffer, owner, () -> queue.append(buffer.duplicate()));

    assertThat(givenBack()).containsExactly(buffer);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5_000, 3 * LONG, Integer.MAX_VALUE})
  void sendsABufferThatIsLeasedTwiceTwice(int taken) throws IOException {
    byte[] content = Requests.content(LONG);
    ByteBuffer buffer = ByteBuffer.allocateDirect(LONG).put(content).flip();
    int[] next = {taken};
    ScriptedChannel channel = new ScriptedChannel(() -> next[0]);
    leases.pass(buffer, owner, () -> queue.append(buffer));
    queue.writeTo(channel);
    boolean isSent = queue.isEmpty();
    buffer.clear();
    leases.pass(buffer, owner, () -> queue.append(buffer));
    leases.pass(buffer, owner, () -> queue.append(buffer));

    next[0] = Integer.MAX_VALUE;
    for (int writes = 0; writes < 3 && !queue.isEmpty(); writes++) {
      queue.writeTo(channel);
    }

    assertThat(queue.pendingBytes()).isZero();
    assertThat(channel.taken()).isEqualTo(Requests.join(content, content, content));
    assertThat(givenBack()).containsExactly(buffer, buffer, buffer);
    assertThat(isSent).isEqualTo(taken >= LONG);
  }

  @Test
  void failsIfTheOwnerChangesALeasedBufferSoThatMoreIsSent() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(2 * LONG).limit(LONG);
    leases.pass(buffer, owner, () -> queue.append(buffer));
    ScriptedChannel channel =
        new ScriptedChannel(
            () -> {
              buffer.limit(2 * LONG); // as another thread may do at this moment
              return Integer.MAX_VALUE;
            });

    assertThatThrownBy(() -> queue.writeTo(channel))
        .isInstanceOf(ContentFailedException.class)
        .hasMessageContaining("given back");
  }

  @Test
  void endsTheLeaseOfABufferThatIsAppendedTwiceAfterItsFirstReference() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LONG);
    leases.pass(
        buffer,
        owner,
        () -> {
          queue.append(buffer);
          queue.append(buffer);
        });

    queue.clear();

    assertThat(givenBack()).containsExactly(buffer);
  }

  @Test
  void keepsLeasesApartThatAreOfferedWithinOthers() {
    ByteBuffer outer = ByteBuffer.allocateDirect(LONG);
    ByteBuffer inner = ByteBuffer.allocateDirect(1);

    leases.pass(
        outer,
        owner,
        () -> {
          leases.pass(inner, owner, () -> queue.append(inner));
          queue.append(outer);
        });

    assertThat(givenBack()).containsExactly(inner);
    queue.clear();
    assertThat(givenBack()).containsExactly(inner, outer);
  }

  @Test
  void endsLeasesWhoseSettlementWasCutOff() {
    ByteBuffer lost = ByteBuffer.allocateDirect(1);
    leases.offer(lost, owner);

    leases.endLost();

    assertThat(givenBack()).containsExactly(lost);
  }

  /** Then the call that would be made soon is made at once. */
  @Test
  void endsEachLeaseOfALoopThatTakesNoTasksAnyMore() {
    leases.serveBy(
        new Leases.Host() {
          @Override
          public void onDue() {
            leases.run();
          }
        });

    ByteBuffer first = append(1);
    ByteBuffer second = append(1);

    assertThat(givenBack).containsExactly(first, second);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOwnerMaySendAgainAfterTheEndOfTheLoopAnyNumberOfTimes(boolean isCurrent) {
    leases.serveBy(
        new Leases.Host() {
          @Override
          public boolean isCurrent() {
            return isCurrent;
          }

          @Override
          public void onDue() {
            leases.run();
          }
        });
    ByteBuffer buffer = ByteBuffer.allocateDirect(1);
    int times = 100_000;
    int[] calls = {0};
    Consumer<ByteBuffer> sendsAgain =
        new Consumer<>() {
          @Override
          public void accept(ByteBuffer given) {
            if (++calls[0] < times) {
              leases.pass(given, this, () -> {});
            }
          }
        };

    leases.pass(buffer, sendsAgain, () -> {});

    assertThat(calls[0]).isEqualTo(times);
  }

  @Test
  void triesAgainToScheduleTheCallAfterAFailure() {
    List<Error> failures = new ArrayList<>(List.of(new StackOverflowError()));
    leases.serveBy(
        new Leases.Host() {
          @Override
          public void onDue() {
            if (!failures.isEmpty()) {
              throw failures.removeLast();
            }
            leases.run();
          }
        });
    assertThatThrownBy(() -> append(1)).isInstanceOf(StackOverflowError.class);
    assertThat(givenBack).isEmpty();

    ByteBuffer second = append(1);

    assertThat(givenBack).hasSize(2).endsWith(second);
  }

  @Test
  void movesTheLeaseOfContentThatWaits() throws IOException {
    ContentQueue content = new ContentQueue(pool);
    ByteBuffer buffer = ByteBuffer.allocateDirect(LONG);
    leases.pass(buffer, owner, () -> content.add(buffer));
    content.moveTo(queue, new byte[9], LONG - 1);
    assertThat(givenBack()).isEmpty();

    content.moveTo(queue, new byte[9], 1);

    assertThat(givenBack()).containsExactly(buffer);
  }
}
