package dev.peregrine.server.websocket.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.PlainInflater;
import dev.peregrine.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageDeflaterTest {
  private static final byte[] HELLO = "Hello".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EMPTY = {};
  private static final int TARGET_BYTES = 4096;

  @RegisterExtension final AmplePool ample = new AmplePool();

  private final CompressionPool pool = ample.pool;
  private final PlainInflater plain = new PlainInflater();

  @Test
  void compressesTheExamplesOfTheSpecification() {
    try (MessageDeflater deflater = deflater(true, 15)) {
      assertThat(hex(Steps.deflate(deflater, HELLO))).isEqualTo("f248cdc9c90700"); // 7.2.3.1
      assertThat(hex(Steps.deflate(deflater, HELLO))).isEqualTo("f200110000"); // 7.2.3.2
    }
    try (MessageDeflater deflater = deflater(false, 15)) {
      assertThat(hex(Steps.deflate(deflater, HELLO))).isEqualTo("f248cdc9c90700");
      assertThat(hex(Steps.deflate(deflater, HELLO))).isEqualTo("f248cdc9c90700");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void compressesAnEmptyMessageToOneByte(boolean keepsContext) throws Exception {
    try (MessageDeflater deflater = deflater(keepsContext, 15)) {
      for (Flush between : Flush.values()) {
        if (between != Flush.MESSAGE) {
          assertThat(hex(Steps.deflate(deflater, 64, between, EMPTY))).isEqualTo("00");
          assertThat(hex(Steps.deflate(deflater, 64, between, EMPTY, EMPTY))).isEqualTo("00");
          checkMessage(deflater, keepsContext, 64, between, HELLO, EMPTY);
          checkMessage(deflater, keepsContext, 64, between, EMPTY, HELLO, EMPTY, EMPTY);
        }
      }
    }
  }

  @Test
  void flushesFragmentsSoThatTheClientHasAllBytes() throws Exception {
    try (MessageDeflater deflater = deflater(true, 15)) {
      deflater.begin();
      deflater.input(HELLO, 0, 5, Flush.FRAGMENT);
      byte[] first = Steps.drain(deflater, TARGET_BYTES);
      assertThat(new PlainInflater().message(first)).isEqualTo(HELLO);

      deflater.input(HELLO, 0, 5, Flush.NONE);
      byte[] second = Steps.drain(deflater, TARGET_BYTES);
      deflater.input(EMPTY, 0, 0, Flush.FRAGMENT);
      byte[] third = Steps.drain(deflater, TARGET_BYTES);
      byte[] all = concat(first, second, third);
      assertThat(new PlainInflater().message(all)).isEqualTo(concat(HELLO, HELLO));

      deflater.input(EMPTY, 0, 0, Flush.MESSAGE);
      assertThat(Steps.drain(deflater, TARGET_BYTES)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 10, 11, 12, 13, 14, 15})
  void refersNoFurtherBackThanTheWindow(int windowBits) {
    byte[] unit = random(new SplittableRandom(windowBits), (1 << windowBits) - 7);
    byte[] half = random(new SplittableRandom(windowBits), 1 << (windowBits - 1));

    for (boolean keepsContext : new boolean[] {true, false}) {
      Seeds.each(
          2,
          random -> {
            plain.forget();
            try (MessageDeflater deflater = deflater(keepsContext, windowBits)) {
              for (int i = 0; i < 4; i++) {
                Flush between = random.nextBoolean() ? Flush.NONE : Flush.FRAGMENT;
                int target = random.nextInt(MessageDeflater.TARGET_BYTES_MIN, 10_000);
                checkMessage(deflater, keepsContext, target, between, unit, half, unit, HELLO);
                checkMessage(deflater, keepsContext, target, between, half);
                checkMessage(deflater, keepsContext, target, between, words(random, 10_000));
              }
            }
          });
    }
    assertThat(plain.distanceMax()).isBetween((1 << windowBits) / 3, 1 << windowBits);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 11, 15})
  void fillsTargetsOfEverySize(int windowBits) throws Exception {
    byte[] noise = random(new SplittableRandom(1), 200);
    byte[] words = words(new SplittableRandom(1), 400);
    for (int bytes = MessageDeflater.TARGET_BYTES_MIN; bytes < 300; bytes++) {
      try (MessageDeflater deflater = deflater(true, windowBits)) {
        plain.forget();
        checkMessage(deflater, true, bytes, Flush.FRAGMENT, noise, words);
        checkMessage(deflater, true, bytes, Flush.NONE, noise, words);
        checkMessage(deflater, true, bytes, Flush.NONE, words);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 12, 15})
  void neverGrowsAMessageByMoreThanItDeclares(int windowBits) {
    Seeds.each(
        100,
        random -> {
          byte[] message = random(random, random.nextInt(random.nextInt(1, 100_000)));
          int most = MessageDeflater.outputBytesMax(message.length);
          try (MessageDeflater deflater = deflater(false, windowBits)) {
            deflater.begin();
            deflater.input(message, 0, message.length, Flush.MESSAGE);
            assertThat(deflater.deflate(ByteBuffer.allocate(most))).isFalse();
          }
        });
  }

  @Test
  void takesBuffersOfBothKindsWhosePositionIsChangedBetweenSteps() throws Exception {
    byte[] message = random(new SplittableRandom(3), 5_000);
    for (int windowBits : new int[] {9, 15}) {
      for (boolean direct : new boolean[] {true, false}) {
        try (MessageDeflater deflater = deflater(false, windowBits)) {
          ByteBuffer source =
              direct ? ByteBuffer.allocateDirect(6_000) : ByteBuffer.allocate(6_000);
          source.put(500, message).limit(5_500).position(500);
          deflater.begin();
          deflater.input(source, Flush.MESSAGE);
          ByteBuffer target = ByteBuffer.allocate(6_000);
          boolean more = true;
          while (more) {
            int position = target.position();
            more = deflater.deflate(target.slice(position, 100));
            source.limit(17).position(3);
            target.position(position + 100);
          }
        }
      }
    }
    checkMessage(deflater(false, 15), false, 100, Flush.NONE, message);
  }

  @Test
  void compressesOneMessageForManySessions() throws Exception {
    byte[] message = words(new SplittableRandom(5), 20_000);
    byte[] source = concat(HELLO, message, HELLO);

    for (int windowBits = 8; windowBits <= 15; windowBits++) {
      byte[] once = MessageDeflater.deflateOnce(pool, windowBits, source, 5, source.length - 5);
      PlainInflater inflater = new PlainInflater();
      assertThat(inflater.message(once)).isEqualTo(message);
      assertThat(inflater.distanceMax()).isLessThanOrEqualTo(1 << windowBits);
    }
    assertThat(MessageDeflater.deflateOnce(pool, 8, EMPTY, 0, 0)).containsExactly(0);
    byte[] noise = random(new SplittableRandom(5), 20_000);
    byte[] grown = MessageDeflater.deflateOnce(pool, 8, noise, 0, noise.length);
    assertThat(new PlainInflater().message(grown)).isEqualTo(noise);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 15})
  void refersToNothingBeforeAMessageOfAnotherDeflater(int windowBits) throws Exception {
    byte[] foreign = words(new SplittableRandom(6), 700);
    byte[] compressed = MessageDeflater.deflateOnce(pool, windowBits, foreign, 0, foreign.length);
    try (MessageDeflater deflater = deflater(true, windowBits)) {
      for (int i = 0; i < 5; i++) {
        checkMessage(deflater, true, TARGET_BYTES, Flush.NONE, HELLO);
        checkMessage(deflater, true, TARGET_BYTES, Flush.NONE, words(new SplittableRandom(7), 300));
        assertThat(plain.message(compressed)).isEqualTo(foreign);
        deflater.afterForeignMessage();
      }
      assertThat(pool.alive()).isEqualTo(1);
    }
  }

  @Test
  void allocatesNothingForAMessage() {
    byte[] message = words(new SplittableRandom(9), 2_000);
    ByteBuffer source = Steps.direct(message);
    ByteBuffer target = ByteBuffer.allocateDirect(256);
    for (boolean keepsContext : new boolean[] {true, false}) {
      for (int windowBits : new int[] {9, 15}) {
        try (MessageDeflater deflater = deflater(keepsContext, windowBits)) {
          long before = 0;
          for (int i = 0; i < 300; i++) {
            if (i == 100) {
              before = Allocated.by(Thread.currentThread());
            }
            deflater.begin();
            deflater.input(source.clear(), Flush.MESSAGE);
            while (deflater.deflate(target.clear())) {
              // The session would take the next block.
            }
          }
          assertThat(Allocated.by(Thread.currentThread()) - before).isLessThan(1_000);
        }
      }
    }
  }

  @Test
  void rejectsCallsOutOfOrder() {
    MessageDeflater deflater = deflater(true, 15);
    assertThatThrownBy(() -> deflater.input(HELLO, 0, 5, Flush.MESSAGE))
        .isInstanceOf(IllegalStateException.class);
    deflater.begin();
    assertThatThrownBy(deflater::begin).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(deflater::afterForeignMessage).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> deflater.input(HELLO, 0, 6, Flush.MESSAGE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    deflater.input(HELLO, 0, 5, Flush.MESSAGE);
    assertThatThrownBy(() -> deflater.deflate(ByteBuffer.allocate(15)))
        .hasMessage("a target has room for 15 bytes");
    assertThat(deflater.deflate(ByteBuffer.allocate(16))).isFalse();
    assertThatThrownBy(() -> deflater.deflate(ByteBuffer.allocate(16)))
        .hasMessage("no message is under way");
    deflater.close();
    deflater.close();
    assertThatThrownBy(deflater::begin).isInstanceOf(IllegalStateException.class);
  }

  /** Compresses a message, and checks it with the plain decoder, which has seen all before. */
  private void checkMessage(
      MessageDeflater deflater, boolean keepsContext, int target, Flush between, byte[]... pieces)
      throws Exception {
    if (!keepsContext) {
      plain.forget();
    }
    assertThat(plain.message(Steps.deflate(deflater, target, between, pieces)))
        .isEqualTo(concat(pieces));
  }

  private MessageDeflater deflater(boolean keepsContext, int windowBits) {
    if (keepsContext) {
      assertThat(ample.budget.takeForSession(CompressionBudget.DEFLATER_BYTES)).isTrue();
    }
    return new MessageDeflater(pool, keepsContext, windowBits);
  }

  private static byte[] random(SplittableRandom random, int bytes) {
    byte[] message = new byte[bytes];
    random.nextBytes(message);
    return message;
  }

  private static byte[] words(SplittableRandom random, int bytes) {
    byte[][] words = new byte[50][];
    for (int i = 0; i < words.length; i++) {
      words[i] = random(random, 4 + i % 9);
    }
    ByteBuffer text = ByteBuffer.allocate(bytes);
    while (text.hasRemaining()) {
      byte[] word = words[random.nextInt(words.length)];
      text.put(word, 0, Math.min(word.length, text.remaining()));
    }
    return text.array();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
