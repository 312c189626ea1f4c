package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Requests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parts of a file with a head before each, as in a response of many ranges. */
final class OutboundRangesTest {
  private static final int PARTS = 32;
  private static final int PART_BYTES = 20_000;

  @RegisterExtension private final TestedQueue tested = new TestedQueue();
  private final OutboundQueue queue = tested.queue;
  private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
  private final ScriptedChannel channel = new ScriptedChannel(() -> 7_000);
  private final byte[] content = Requests.content(PARTS * PART_BYTES);

  /** Appends the parts of a file that begin one after the other, each after its head. */
  private OpenFile append(int parts, IntFunction<byte[]> heads) throws IOException {
    OpenFile file = tested.file(content);
    for (int i = 0; i < parts; i++) {
      byte[] head = heads.apply(i);
      appendHead(head, head.length);
      queue.append(file.retain(), 3 + (long) i * PART_BYTES, PART_BYTES);
      expected.write(content, i * PART_BYTES, PART_BYTES);
    }
    file.release();
    return file;
  }

  private void appendHead(byte[] head, int bytes) {
    queue.append(head, 0, bytes);
    expected.write(head, 0, bytes);
  }

  private void expectAll() throws IOException {
    tested.drain(channel);
    assertThat(channel.taken()).isEqualTo(expected.toByteArray());
  }

  @Test
  void theirHeadsShareABlockWhileTheyWait() throws IOException {
    append(PARTS, i -> Requests.bytes("head of part " + i));

    assertThat(tested.pool.blocksInUse()).isEqualTo(1);
    expectAll();
  }

  @Test
  void theirHeadsTakeAnotherBlockWhenOneIsFull() throws IOException {
    byte[] head = Requests.content(OutboundQueue.COPIED_BYTES_MAX);
    append(9, i -> head);

    assertThat(tested.pool.blocksInUse()).isEqualTo(3); // each holds three heads and some slack
    queue.writeTo(channel);
    appendHead(head, 3); // after the last part
    expectAll();
  }

  @Test
  void theirBlockIsGivenBackThoughTheyAreNotSent() throws IOException {
    OpenFile file = append(PARTS, i -> new byte[] {'h'});

    queue.clear();

    assertThat(tested.pool.blocksInUse()).isZero();
    assertThat(file.channel().isOpen()).isFalse();
  }
}
