package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The queue against a model that collects the bytes in an array. */
final class OutboundQueueModelTest {
  private static final int THRESHOLD = OutboundQueue.COPIED_BYTES_MAX;
  private static final int EVERYTHING = Integer.MAX_VALUE;

  @RegisterExtension private final TestedQueue tested = new TestedQueue();
  private final BufferPool pool = tested.pool;
  private final OutboundQueue queue = tested.queue;

  @Test
  void sendsTheSameBytesAsAModelUnderRandomOperations() {
    Seeds.each(60, this::runRandomly);
  }

  private void runRandomly(SplittableRandom random) throws IOException {
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    ScriptedChannel channel =
        new ScriptedChannel(
            () -> random.nextInt(3) == 0 ? EVERYTHING : random.nextInt(40_000),
            random.nextBoolean());
    Block lendable = pool.acquire(64 * 1024);
    boolean lent = false;
    for (int i = 0; i < 300; i++) {
      byte[] content = new byte[size(random)];
      random.nextBytes(content);
      switch (random.nextInt(10)) {
        case 0 -> {
          int from = content.length / 3;
          queue.append(content, from, content.length - from);
          content = Arrays.copyOfRange(content, from, content.length);
        }
        case 1 -> queue.append(TestedQueue.direct(content));
        case 2 -> queue.append(TestedQueue.direct(content).asReadOnlyBuffer());
        case 3 ->
            queue.append(
                ByteBuffer.wrap(Arrays.copyOf(content, content.length + 9), 0, content.length));
        case 4 -> queue.append(ByteBuffer.wrap(content).asReadOnlyBuffer());
        case 5 ->
            queue.append(MemorySegment.ofBuffer(TestedQueue.direct(content)), 0, content.length);
        case 6 -> {
          Block block = queue.reserve(content.length);
          MemorySegment.copy(
              content,
              0,
              block.segment(),
              ValueLayout.JAVA_BYTE,
              queue.writeIndex(),
              content.length);
          queue.advance(content.length);
        }
        case 8 -> queue.append(tested.file(content), 3, content.length);
        case 7 -> {
          if (lent) {
            content = new byte[0];
          } else {
            MemorySegment.copy(
                content, 0, lendable.segment(), ValueLayout.JAVA_BYTE, 5, content.length);
            queue.appendLoan(lendable, 5, 5 + content.length);
            lent = true;
          }
        }
        default -> {
          content = new byte[0];
          while (!queue.isEmpty() && queue.writeTo(channel)) {
            // Until it is short.
          }
          if (lent) {
            queue.endLoan();
            lendable.segment().fill((byte) '!');
            lendable.range(7, 11);
            lent = false;
          }
        }
      }
      model.writeBytes(content);
      assertThat(queue.pendingBytes()).isEqualTo(model.size() - channel.count());
    }
    tested.drain(channel);
    assertThat(channel.taken()).isEqualTo(model.toByteArray());
    queue.clear();
    pool.release(lendable);
    assertThat(pool.blocksInUse()).isZero();
  }

  private static int size(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> THRESHOLD - 1 + random.nextInt(3);
      case 2 -> random.nextInt(60_000);
      default -> random.nextInt(500);
    };
  }
}
