package dev.peregrine.server.websocket.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class CompressionPoolTest {
  private static final int BOTH_BYTES =
      CompressionBudget.DEFLATER_BYTES + CompressionBudget.INFLATER_BYTES;
  private static final DeflateParameters KEEPING =
      new DeflateParameters(false, false, 15, 15, false);
  private static final DeflateParameters FORGETTING =
      new DeflateParameters(true, true, 15, 15, false);
  private static final byte[] MESSAGE = "Hello".getBytes(StandardCharsets.US_ASCII);

  @Test
  void keepsContextsAsLongAsTheBudgetHasRoom() {
    CompressionBudget budget = new CompressionBudget((2L * BOTH_BYTES) * 4 / 3);
    try (CompressionPool pool = new CompressionPool(6, budget)) {
      SessionCompression first = Steps.open(pool, KEEPING);
      SessionCompression second = Steps.open(pool, KEEPING);
      SessionCompression third = Steps.open(pool, KEEPING);

      assertThat(first.parameters()).isEqualTo(KEEPING);
      assertThat(second.parameters()).isEqualTo(KEEPING);
      assertThat(third.parameters()).isEqualTo(FORGETTING);
      assertThat(budget.bytesInUse()).isEqualTo(2 * BOTH_BYTES);

      third.close();
      assertThat(budget.bytesInUse()).isEqualTo(2 * BOTH_BYTES);
      first.close();
      first.close();
      assertThat(budget.bytesInUse()).isEqualTo(BOTH_BYTES);
      SessionCompression fourth = Steps.open(pool, KEEPING);
      assertThat(fourth.parameters()).isEqualTo(KEEPING);

      fourth.close();
      second.close();
      assertThat(budget.bytesInUse()).isZero();
    }
  }

  @Test
  void keepsTheContextThatFits() {
    CompressionBudget budget = new CompressionBudget(CompressionBudget.INFLATER_BYTES * 4L);
    try (CompressionPool pool = new CompressionPool(6, budget);
        SessionCompression session = Steps.open(pool, KEEPING)) {
      assertThat(session.parameters())
          .hasToString("permessage-deflate; server_no_context_takeover");
    }
    assertThat(budget.bytesInUse()).isZero();
  }

  @Test
  void chargesTheBudgetOnlyForMessagesThatOutliveTheirTurn() throws Exception {
    CompressionBudget budget = new CompressionBudget(2 * BOTH_BYTES);
    try (CompressionPool pool = new CompressionPool(6, budget)) {
      SessionCompression session = Steps.open(pool, FORGETTING);
      for (int i = 0; i < 3; i++) {
        byte[] compressed = Steps.deflate(session.deflater(), MESSAGE);
        session.inflater().begin(100);
        assertThat(budget.bytesInUse()).isZero();
        session.inflater().input(Steps.direct(Arrays.copyOf(compressed, 3)));
        assertThat(session.inflater().inflate(ByteBuffer.allocate(10)))
            .isEqualTo(InflateResult.NEEDS_INPUT);
        assertThat(session.inflater().suspend()).isTrue();
        assertThat(session.inflater().suspend()).isTrue();
        assertThat(budget.bytesInUse()).isEqualTo(CompressionBudget.INFLATER_BYTES);
        session.inflater().input(Steps.direct(Arrays.copyOfRange(compressed, 3, 7)));
        session.inflater().endInput();
        assertThat(session.inflater().inflate(ByteBuffer.allocate(10)))
            .isEqualTo(InflateResult.END);
        assertThat(session.inflater().suspend()).isTrue();
        assertThat(budget.bytesInUse()).isZero();

        assertThat(session.deflater().beginParts()).isTrue();
        assertThat(budget.bytesInUse()).isEqualTo(CompressionBudget.DEFLATER_BYTES);
        session.deflater().input(MESSAGE, 0, MESSAGE.length, Flush.MESSAGE);
        Steps.drain(session.deflater(), 100);
        assertThat(budget.bytesInUse()).isZero();
      }

      assertThat(session.deflater().beginParts()).isTrue();
      session.inflater().begin(100);
      assertThat(session.inflater().suspend()).isTrue();
      assertThat(budget.bytesInUse()).isEqualTo(BOTH_BYTES);
      session.close();
      assertThat(budget.bytesInUse()).isZero();
    }
  }

  @Test
  void suspendsNoMessageWhenTheBudgetIsSpent() {
    CompressionBudget budget = new CompressionBudget(BOTH_BYTES);
    try (CompressionPool pool = new CompressionPool(6, budget);
        SessionCompression one = Steps.open(pool, FORGETTING);
        SessionCompression other = Steps.open(pool, FORGETTING)) {
      assertThat(one.deflater().beginParts()).isTrue();
      one.inflater().begin(100);
      assertThat(one.inflater().suspend()).isTrue();

      assertThat(other.deflater().beginParts()).isFalse();
      assertThat(Steps.deflate(other.deflater(), MESSAGE)).as("within a turn").hasSize(7);
      other.inflater().begin(100);
      assertThat(other.inflater().suspend()).isFalse();

      one.deflater().close();
      assertThat(other.inflater().suspend()).isTrue();
    }
    assertThat(budget.bytesInUse()).isZero();
  }

  @Test
  void chargesMessagesOfSessionsWithContextsOnce() {
    CompressionBudget budget = new CompressionBudget(2 * BOTH_BYTES);
    try (CompressionPool pool = new CompressionPool(6, budget);
        SessionCompression session = Steps.open(pool, KEEPING)) {
      assertThat(session.deflater().beginParts()).isTrue();
      session.inflater().begin(100);
      assertThat(session.inflater().suspend()).isTrue();
      assertThat(budget.bytesInUse()).isEqualTo(BOTH_BYTES);
    }
    assertThat(budget.bytesInUse()).isZero();
  }

  @Test
  void compressesNothingIfTheBudgetHasNoRoomForAMessage() {
    int least = 4 * CompressionBudget.INFLATER_BYTES;
    for (long bytes : new long[] {0, least - 1}) {
      try (CompressionPool pool = new CompressionPool(6, new CompressionBudget(bytes))) {
        assertThat(SessionCompression.open(pool, FORGETTING)).isNull();
      }
    }
    try (CompressionPool pool = new CompressionPool(6, new CompressionBudget(least))) {
      assertThat(SessionCompression.open(pool, KEEPING))
          .isNotNull()
          .satisfies(SessionCompression::close);
    }
  }

  @Test
  void takesNoMemoryBeforeTheFirstMessage() {
    try (CompressionPool pool = pool();
        SessionCompression session = Steps.open(pool, KEEPING)) {
      assertThat(session.parameters()).isEqualTo(KEEPING);
      assertThat(pool.alive()).isZero();
    }
  }

  @Test
  void endsEverythingWhenThePoolAndItsSessionsAreClosed() {
    CompressionPool pool = pool();
    SessionCompression idle = Steps.open(pool, KEEPING);
    Steps.deflate(idle.deflater(), MESSAGE);
    SessionCompression busy = Steps.open(pool, FORGETTING);
    busy.deflater().begin();
    busy.inflater().begin(100);
    SessionCompression other = Steps.open(pool, FORGETTING);
    Steps.deflate(other.deflater(), MESSAGE);
    assertThat(pool.alive()).isEqualTo(4);

    other.close();
    idle.close();
    assertThat(pool.alive()).as("kept for other sessions").isEqualTo(4);
    pool.close();
    assertThat(pool.alive()).as("in use").isEqualTo(2);
    busy.close();
    assertThat(pool.alive()).isZero();
  }

  @Test
  void endsThoseBeyondTheNumberThatItKeeps() {
    try (CompressionPool pool = pool()) {
      List<SessionCompression> sessions = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        SessionCompression session = Steps.open(pool, KEEPING);
        session.inflater().begin(100);
        sessions.add(session);
      }
      assertThat(pool.alive()).isEqualTo(40);

      sessions.forEach(SessionCompression::close);
      assertThat(pool.alive()).isEqualTo(16);
    }
  }

  @Test
  void threadsShareAPool() throws Exception {
    CompressionBudget budget = new CompressionBudget(1L << 30);
    CompressionPool pool = new CompressionPool(6, budget);
    CountDownLatch halfway = new CountDownLatch(3);
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int j = 0; j < 1_000; j++) {
                    compressAndDecompress(pool);
                    if (j == 500) {
                      halfway.countDown();
                    }
                  }
                } catch (Throwable failure) {
                  synchronized (failures) {
                    failures.add(failure);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    halfway.await();
    pool.close();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(failures).isEmpty();
    assertThat(pool.alive()).isZero();
    assertThat(budget.bytesInUse()).isZero();
  }

  private static void compressAndDecompress(CompressionPool pool) throws Exception {
    byte[] compressed = MessageDeflater.deflateOnce(pool, 15, MESSAGE, 0, MESSAGE.length);
    try (SessionCompression session = Steps.open(pool, KEEPING)) {
      assertThat(Steps.inflate(session.inflater(), compressed)).isEqualTo(MESSAGE);
    }
  }

  private static CompressionPool pool() {
    return new CompressionPool(6, new CompressionBudget(1L << 30));
  }
}
