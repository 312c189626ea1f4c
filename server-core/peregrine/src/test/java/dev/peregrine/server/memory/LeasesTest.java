package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.memory.lease.Leases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
