package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OutboundQueueTest {
  private static final int THRESHOLD = OutboundQueue.COPIED_BYTES_MAX;
  private static final int EVERYTHING = Integer.MAX_VALUE;

  @RegisterExtension private final TestedQueue tested = new TestedQueue();
  private final BufferPool pool = tested.pool;
  private final OutboundQueue queue = tested.queue;

  @Test
  void closesAFileOnceWhenItsLastPartIsSent() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> 20_000);
    OpenFile file = tested.file(Requests.content(100_000));
    queue.append(file.retain(), 3, 50_000);
    queue.append(Requests.bytes("between"), 0, 7);
    queue.append(file, 50_003, 50_000);
    assertThat(queue.pendingBytes()).isEqualTo(100_007);

    while (channel.count() < 90_000) {
      assertThat(file.channel().isOpen()).isTrue();
      queue.writeTo(channel);
    }
    tested.drain(channel);

    assertThat(file.channel().isOpen()).isFalse();
    assertThatThrownBy(file::release).isInstanceOf(IllegalStateException.class);
    assertThat(channel.taken()).hasSize(100_007).contains(Requests.bytes("between"));
  }

  @Test
  void failsWhenAFileIsShorterThanItsPart() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    queue.append(tested.file(Requests.content(50_000)), 3, 60_000);

    assertThatThrownBy(() -> tested.drain(channel)).isInstanceOf(ContentFailedException.class);
    assertThat(channel.taken()).hasSize(50_005);
    OpenFile small = tested.file(Requests.content(10));
    assertThatThrownBy(() -> queue.append(small, 3, 20)).isInstanceOf(ContentFailedException.class);
  }

  @Test
  void sendsMemoryOfAnArenaPartByPart() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> 50_000);
    byte[] content = Requests.content(200_000);
    try (Arena arena = Arena.ofShared()) {
      queue.append(Requests.bytes("before"), 0, 6);
      queue.append(arena.allocateFrom(ValueLayout.JAVA_BYTE, content).asByteBuffer());
      queue.append(Requests.bytes("after"), 0, 5);
      tested.drain(channel);
    }

    assertThat(channel.taken())
        .isEqualTo(Requests.join(Requests.bytes("before"), content, Requests.bytes("after")));
  }

  @Test
  void sendsWhatPrecedesMemoryThatIsFreed() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    Arena arena = Arena.ofShared();
    queue.append(Requests.bytes("before"), 0, 6);
    queue.append(arena.allocate(200_000).asByteBuffer());
    arena.close();

    assertThatThrownBy(() -> tested.drain(channel))
        .isInstanceOf(ContentFailedException.class)
        .hasMessageContaining("the arena of a buffer was closed");
    assertThat(channel.taken()).isEqualTo(Requests.bytes("before"));
  }

  @Test
  void reportsAGapWhenFreedMemoryCanNotBeCopied() {
    List<Throwable> gaps = new ArrayList<>();
    OutboundQueue incomplete = new OutboundQueue(pool, gaps::add);
    Arena arena = Arena.ofShared();
    ByteBuffer freed = arena.allocate(3).asByteBuffer();
    arena.close();

    assertThatThrownBy(() -> incomplete.append(freed)).isSameAs(gaps.getFirst());
    incomplete.clear();
  }

  /** Other memory of the application is sent from where it lies. */
  @Test
  void keepsBuffersByReferenceThatCanNotBeFreed() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    for (ByteBuffer lasting :
        List.of(
            ByteBuffer.allocateDirect(2 * THRESHOLD),
            ByteBuffer.allocateDirect(3 * THRESHOLD).slice(THRESHOLD, 2 * THRESHOLD),
            Arena.ofAuto().allocate(2 * THRESHOLD).asByteBuffer().asReadOnlyBuffer(),
            Arena.global().allocate(2 * THRESHOLD).asByteBuffer())) {
      queue.append(lasting);
      assertThat(pool.blocksInUse()).isZero();
      queue.writeTo(channel);
      assertThat(pool.blocksInUse()).isZero();
    }
    try (Arena shared = Arena.ofShared()) {
      queue.append(shared.allocate(2 * THRESHOLD).asByteBuffer());
      queue.writeTo(channel);
      assertThat(pool.blocksInUse()).isEqualTo(1); // the spare one
    }

    assertThat(channel.count()).isEqualTo(10 * THRESHOLD);
  }

  /** Otherwise C2 doesn't compile that, and compiles {@code Http1.onInput} again for it. */
  @Test
  void takesAnotherBlockEveryNowAndThen() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      queue.append(Requests.bytes("run"), 0, 3);
      queue.writeTo(channel);
      kept.add(pool.blocksInUse());
    }

    assertThat(kept).containsOnly(0, 1);
    assertThat(Collections.frequency(kept, 0)).isEqualTo(4);
  }

  @Test
  void writesNothingWhenItIsEmpty() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);

    assertThat(queue.writeTo(channel)).isTrue();

    assertThat(channel.taken()).isEmpty();
    assertThat(pool.blocksInUse()).isZero();
  }

  @Test
  void copiesWhatIsSmallIntoOneRun() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    byte[] own = Requests.bytes("abc");

    queue.append(own, 0, 2);
    queue.append(own, 2, 1);
    queue.append(ByteBuffer.wrap(Requests.bytes("def")));
    queue.append(TestedQueue.direct(Requests.bytes("ghi")));
    queue.append(TestedQueue.direct(Requests.bytes("jkl")).asReadOnlyBuffer());
    queue.append(ByteBuffer.wrap(Requests.bytes("mno")).asReadOnlyBuffer());
    queue.append(MemorySegment.ofBuffer(TestedQueue.direct(Requests.bytes(" pqr "))), 1, 3);
    Arrays.fill(own, (byte) 'x'); // it was copied
    assertThat(queue.pendingBytes()).isEqualTo(18);
    assertThat(queue.writeTo(channel)).isTrue();

    assertThat(channel.taken()).isEqualTo(Requests.bytes("abcdefghijklmnopqr"));
    assertThat(channel.writes()).isEqualTo(1);
    assertThat(channel.mostPieces()).isEqualTo(1);
  }

  @Test
  void writesDirectlyIntoReservedMemory() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    for (int round = 0; round < 3; round++) {
      Block block = queue.reserve(10);
      int at = queue.writeIndex();
      for (int i = 0; i < 10 + BufferPool.SLACK_BYTES; i++) {
        block.segment().set(ValueLayout.JAVA_BYTE, at + i, (byte) (i < 10 ? 'a' + i : '!'));
      }
      queue.advance(10);
    }
    queue.writeTo(channel);

    assertThat(channel.taken()).isEqualTo(Requests.bytes("abcdefghij".repeat(3)));
  }

  @Test
  void rejectsACountAboveTheReservedBytes() {
    Block block = queue.reserve(10);
    assertThatThrownBy(() -> queue.advance(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> queue.advance(block.capacity()))
        .isInstanceOf(IndexOutOfBoundsException.class);
    queue.advance(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4032, 65_472, 65_473, 200_000})
  void reservesRunsOfEverySize(int size) throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    byte[] content = Requests.content(size);
    queue.append(Requests.bytes("head"), 0, 4);
    Block block = queue.reserve(size);
    MemorySegment.copy(
        content, 0, block.segment(), ValueLayout.JAVA_BYTE, queue.writeIndex(), size);
    queue.advance(size);
    queue.writeTo(channel);

    assertThat(channel.taken()).isEqualTo(Requests.join(Requests.bytes("head"), content));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void keepsWhatIsLargeByReference(int over) throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    byte[] heap = Requests.content(THRESHOLD + over);
    ByteBuffer direct = TestedQueue.direct(heap);

    queue.append(heap, 0, heap.length);
    queue.append(direct);
    heap[0] ^= 1;
    direct.put(0, heap[0]);
    tested.drain(channel);

    byte[] twice = Requests.join(heap, heap);
    if (over <= 0) { // was copied before it changed
      twice[0] ^= 1;
      twice[heap.length] ^= 1;
    }
    assertThat(channel.taken()).isEqualTo(twice);
    assertThat(direct.position()).isZero();
    assertThat(direct.limit()).isEqualTo(heap.length);
  }

  @ParameterizedTest
  @CsvSource({"20000, 32768", "32704, 32768", "32705, 65536", "65472, 65536", "1000000, 65536"})
  void copiesAnArrayIntoABlockOfItsSize(int bytes, int blockBytes) throws IOException {
    queue.append(new byte[bytes], 0, bytes);

    assertThat(queue.writeTo(new ScriptedChannel(() -> 1))).isFalse();

    assertThat(pool.bytesInUse()).isEqualTo(blockBytes);
  }

  @Test
  void copiesNoArrayForAChannelThatTakesIt() throws IOException {
    int[] blocks = {0};
    ScriptedChannel channel =
        new ScriptedChannel(
            () -> {
              blocks[0] += pool.blocksInUse();
              return 10_000;
            },
            true);
    byte[] large = Requests.content(100_000);

    queue.append(large, 0, large.length);
    tested.drain(channel);

    assertThat(channel.taken()).isEqualTo(large);
    assertThat(blocks[0]).isZero();
  }

  @Test
  void gathersPiecesIntoOneWrite() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    byte[] content = Requests.content(20_000);
    ByteBuffer direct = TestedQueue.direct(content);
    for (int i = 0; i < 3; i++) {
      queue.append(Requests.bytes("head"), 0, 4);
      queue.append(direct);
    }

    assertThat(queue.writeTo(channel)).isTrue();

    assertThat(queue.isEmpty()).isTrue();
    assertThat(channel.writes()).isEqualTo(1);
    assertThat(channel.mostPieces()).isEqualTo(6);
  }

  @Test
  void gathersABoundedNumberOfPieces() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    ByteBuffer direct = TestedQueue.direct(Requests.content(20_000));
    for (int i = 0; i < 100; i++) {
      queue.append(direct);
    }

    assertThat(queue.writeTo(channel)).isTrue();
    assertThat(queue.isEmpty()).isFalse();
    tested.drain(channel);

    assertThat(channel.mostPieces()).isEqualTo(16);
    assertThat(channel.taken()).hasSize(2_000_000);
  }

  @Test
  void reportsThatTheChannelTookLessThanItWasOffered() throws IOException {
    int[] capacity = {3};
    ScriptedChannel channel = new ScriptedChannel(() -> capacity[0]);
    queue.append(Requests.bytes("abcdef"), 0, 6);

    assertThat(queue.writeTo(channel)).isFalse();
    assertThat(queue.pendingBytes()).isEqualTo(3);
    capacity[0] = 0;
    assertThat(queue.writeTo(channel)).isFalse();
    queue.append(Requests.bytes("ghi"), 0, 3);
    capacity[0] = EVERYTHING;
    assertThat(queue.writeTo(channel)).isTrue();

    assertThat(channel.taken()).isEqualTo(Requests.bytes("abcdefghi"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void continuesAfterAShortWriteAtEveryByte(boolean takesArrays) throws IOException {
    byte[] small = Requests.content(100);
    byte[] large = Requests.content(70_000);
    ByteBuffer direct = TestedQueue.direct(Requests.content(17_000));
    Block lent = pool.acquire(18_000);
    MemorySegment.copy(
        Requests.content(18_000), 0, lent.segment(), ValueLayout.JAVA_BYTE, 0, 18_000);
    byte[] expected =
        Requests.join(
            small, large, small, Requests.content(17_000), Requests.content(18_000), small);
    int[] edges = {0, 100, 100 + 65_472, 70_100, 70_200, 87_200, 105_200, 105_300};
    for (int edge : edges) {
      for (int cut = edge - 70; cut <= edge + 70; cut++) {
        if (cut >= 0 && cut <= expected.length) {
          int first = cut;
          int[] calls = {0};
          ScriptedChannel channel =
              new ScriptedChannel(() -> calls[0]++ == 0 ? first : 9_999, takesArrays);
          queue.append(small, 0, small.length);
          queue.append(large, 0, large.length);
          queue.append(small, 0, small.length);
          queue.append(direct);
          queue.appendLoan(lent, 0, 18_000);
          queue.append(small, 0, small.length);
          queue.writeTo(channel);
          if (cut % 3 == 0) {
            queue.endLoan();
          }
          tested.drain(channel);
          assertThat(channel.taken()).isEqualTo(expected);
        }
      }
    }
    pool.release(lent);
  }

  @Test
  void letsALentBlockBeUsedAgainAfterTheLoan() throws IOException {
    int[] capacity = {10_000};
    ScriptedChannel channel = new ScriptedChannel(() -> capacity[0]);
    byte[] content = Requests.content(20_000);
    Block lent = pool.acquire(20_000);
    MemorySegment.copy(content, 0, lent.segment(), ValueLayout.JAVA_BYTE, 0, content.length);
    queue.append(Requests.bytes("head"), 0, 4);
    queue.appendLoan(lent, 0, content.length);
    queue.append(Requests.bytes("tail"), 0, 4);
    queue.writeTo(channel);

    queue.endLoan();
    lent.segment().fill((byte) '!');
    lent.range(0, 1);
    pool.release(lent);
    capacity[0] = EVERYTHING;
    tested.drain(channel);

    assertThat(channel.taken())
        .isEqualTo(Requests.join(Requests.bytes("head"), content, Requests.bytes("tail")));
  }

  @Test
  void givesItsBlocksBackAfterTheChannelFailed() {
    ScriptedChannel channel = new ScriptedChannel(() -> -1);
    queue.append(Requests.bytes("head"), 0, 4);
    queue.append(Requests.content(70_000), 0, 70_000);
    queue.append(TestedQueue.direct(Requests.content(20_000)));

    assertThatThrownBy(() -> queue.writeTo(channel)).isInstanceOf(IOException.class);
  }

  @Test
  void keepsAtMostOneSpareBlock() throws IOException {
    ScriptedChannel channel = new ScriptedChannel(() -> EVERYTHING);
    for (int i = 0; i < 50; i++) {
      queue.append(Requests.content(10_000), 0, 10_000);
    }
    assertThat(pool.blocksInUse()).isEqualTo(9); // six to a block
    tested.drain(channel);

    assertThat(pool.blocksInUse()).isEqualTo(1);
    queue.releaseSpare();
    queue.releaseSpare();
    assertThat(pool.blocksInUse()).isZero();
  }
}
