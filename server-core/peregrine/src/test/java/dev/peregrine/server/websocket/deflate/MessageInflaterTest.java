package dev.peregrine.server.websocket.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.Allocated;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageInflaterTest {
  private static final String HELLO = "f248cdc9c90700";
  private static final int MIB = 1024 * 1024;

  @RegisterExtension final AmplePool ample = new AmplePool();

  private final CompressionPool pool = ample.pool;

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          7.2.3.1 one block, f248cdc9c90700, Hello
          7.2.3.3 without compression, 000500faff48656c6c6f00, Hello
          7.2.3.4 a last block, f348cdc9c9070000, Hello
          7.2.3.5 two blocks, f248050000 00ffffcac9c90700, Hello
          7.2.3.6 nothing, 00, ''
          a last block at the end, f348cdc9c90700, Hello
          two last blocks, f348cdc9c90700f348cdc9c9070000, HelloHello
          many last blocks, 030003000300030000, ''
          an empty last block at the end, f248cdc9c907000000ffff01, Hello
          """)
  void decompressesEverySplitOfTheExamples(String name, String payload, String message)
      throws Exception {
    byte[] bytes = HexFormat.of().parseHex(payload.replace(" ", ""));
    for (boolean keepsContext : new boolean[] {true, false}) {
      for (int first = 0; first <= bytes.length; first++) {
        for (int second = first; second <= bytes.length; second++) {
          try (MessageInflater inflater = inflater(keepsContext)) {
            List<byte[]> parts =
                List.of(
                    Arrays.copyOf(bytes, first),
                    Arrays.copyOfRange(bytes, first, second),
                    Arrays.copyOfRange(bytes, second, bytes.length));
            for (int target = 1; target < 3; target++) {
              assertThat(text(Steps.inflate(inflater, 1_000, target, parts))).isEqualTo(message);
              assertThat(text(Steps.inflate(inflater, hex(HELLO)))).isEqualTo("Hello");
            }
          }
        }
      }
    }
  }

  @Test
  void refersToEarlierMessagesIfTheContextIsKept() throws Exception {
    byte[] reference = hex("f200110000"); // RFC 7692 section 7.2.3.2
    try (MessageInflater inflater = inflater(true)) {
      assertThat(text(Steps.inflate(inflater, hex(HELLO)))).isEqualTo("Hello");
      assertThat(text(Steps.inflate(inflater, reference))).isEqualTo("Hello");
    }
    try (MessageInflater inflater = inflater(false)) {
      assertThat(text(Steps.inflate(inflater, hex(HELLO)))).isEqualTo("Hello");
      checkFailure(inflater, InflateResult.CORRUPT, reference);
    }
  }

  @Test
  void startsWithAnEmptyWindowAfterALastBlock() throws Exception {
    try (MessageInflater inflater = inflater(true)) {
      Steps.inflate(inflater, hex("f348cdc9c9070000"));
      checkFailure(inflater, InflateResult.CORRUPT, hex("f200110000"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ff", // a type of block that doesn't exist
        "f2ff", // a code that doesn't exist
        "000500fafe48656c6c6f00", // a length that doesn't match
        "f2480007", // a distance before the begin
        "f248cdc9c90700ff"
      })
  void reportsCorruptMessages(String payload) {
    for (boolean keepsContext : new boolean[] {true, false}) {
      try (MessageInflater inflater = inflater(keepsContext)) {
        checkFailure(inflater, InflateResult.CORRUPT, hex(payload));
      }
      byte[][] single = new byte[payload.length() / 2][];
      for (int i = 0; i < single.length; i++) {
        single[i] = hex(payload.substring(2 * i, 2 * i + 2));
      }
      try (MessageInflater inflater = inflater(keepsContext)) {
        checkFailure(inflater, InflateResult.CORRUPT, single);
      }
    }
  }

  @Test
  void reportsEveryPrefixOfAMessageAsCorrupt() {
    for (String payload : List.of(HELLO, "000500faff48656c6c6f00", dynamic())) {
      byte[] bytes = hex(payload);
      for (int length = 0; length < bytes.length; length++) {
        for (boolean keepsContext : new boolean[] {true, false}) {
          byte[] prefix = Arrays.copyOf(bytes, length);
          if (!Arrays.equals(prefix, new byte[1])) { // which is an empty message
            try (MessageInflater inflater = inflater(keepsContext)) {
              checkFailure(inflater, InflateResult.CORRUPT, prefix);
            }
          }
        }
      }
    }
  }

  @Test
  void reportsAMessageThatIsLongerThanItsLimit() throws Exception {
    byte[] bytes = hex(HELLO);
    for (int target = 1; target < 8; target++) {
      try (MessageInflater inflater = inflater(true)) {
        assertThat(text(Steps.inflate(inflater, 6, target, List.of(bytes)))).isEqualTo("Hello");
        assertThat(text(Steps.inflate(inflater, 5, target, List.of(bytes)))).isEqualTo("Hello");
        int targetBytes = target;
        assertThatThrownBy(() -> Steps.inflate(inflater, 4, targetBytes, List.of(bytes)))
            .hasMessage("TOO_LARGE");
      }
      try (MessageInflater inflater = inflater(true)) {
        assertThat(Steps.inflate(inflater, 0, target, List.of(hex("00")))).isEmpty();
        int targetBytes = target;
        assertThatThrownBy(() -> Steps.inflate(inflater, 0, targetBytes, List.of(bytes)))
            .hasMessage("TOO_LARGE");
      }
    }
  }

  @Test
  void stopsBombsByTheirSize() {
    byte[] bomb = zeros(1_000 * MIB);
    assertThat(bomb.length).isLessThan(2 * MIB);
    try (MessageInflater inflater = inflater(false)) {
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      inflater.begin(10 * MIB);
      inflater.input(Steps.direct(bomb));
      assertThat(Steps.drain(inflater, ByteBuffer.allocateDirect(64 * 1024), output))
          .isEqualTo(InflateResult.TOO_LARGE);
      assertThat(output.size()).isEqualTo(10 * MIB + 1);
      assertThat(inflater.inflate(ByteBuffer.allocate(10))).isEqualTo(InflateResult.TOO_LARGE);
    }
  }

  @Test
  void deliversTheBytesOfAFragmentBeforeTheMessageEnds() {
    try (MessageInflater inflater = inflater(true)) {
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      ByteBuffer target = ByteBuffer.allocateDirect(100);
      inflater.begin(100);
      inflater.input(Steps.direct(hex(HELLO)));
      assertThat(Steps.drain(inflater, target, output)).isEqualTo(InflateResult.NEEDS_INPUT);
      assertThat(text(output.toByteArray())).isEqualTo("Hello");
    }
  }

  @Test
  void takesBuffersOfBothKindsWhosePositionIsChangedBetweenSteps() {
    byte[] bytes = hex(HELLO);
    for (boolean direct : new boolean[] {true, false}) {
      try (MessageInflater inflater = inflater(true)) {
        ByteBuffer source = direct ? ByteBuffer.allocateDirect(20) : ByteBuffer.allocate(20);
        source.put(5, bytes).limit(5 + bytes.length).position(5);
        inflater.begin(100);
        inflater.input(source);
        ByteBuffer target = ByteBuffer.allocate(10);
        for (int i = 0; i < 5; i++) {
          target.limit(i + 1);
          assertThat(inflater.inflate(target)).isEqualTo(InflateResult.MORE_OUTPUT);
          source.limit(17).position(1);
        }
        target.limit(10);
        assertThat(inflater.inflate(target)).isEqualTo(InflateResult.NEEDS_INPUT);
        inflater.endInput();
        assertThat(inflater.inflate(target)).isEqualTo(InflateResult.END);
        assertThat(text(Arrays.copyOf(target.array(), target.position()))).isEqualTo("Hello");
        assertThat(target.limit()).isEqualTo(10);
      }
    }
  }

  @Test
  void allocatesNothingForAMessage() {
    ByteBuffer source = Steps.direct(zeros(10_000));
    ByteBuffer target = ByteBuffer.allocateDirect(1024);
    for (boolean keepsContext : new boolean[] {true, false}) {
      try (MessageInflater inflater = inflater(keepsContext)) {
        long before = 0;
        for (int i = 0; i < 1_100; i++) {
          if (i == 100) {
            before = Allocated.by(Thread.currentThread());
          }
          inflater.begin(100_000);
          inflater.input(source.clear());
          inflater.endInput();
          while (inflater.inflate(target.clear()) == InflateResult.MORE_OUTPUT) {
            // The session would take the next block.
          }
        }
        inflater.begin(1);
        assertThat(Allocated.by(Thread.currentThread()) - before).isLessThan(1_000);
      }
    }
  }

  @Test
  void rejectsCallsOutOfOrder() {
    MessageInflater inflater = inflater(true);
    assertThatThrownBy(() -> inflater.input(ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> inflater.inflate(ByteBuffer.allocate(1)))
        .hasMessage("no message is under way: IDLE");
    inflater.begin(10);
    assertThatThrownBy(() -> inflater.begin(10)).isInstanceOf(IllegalStateException.class);
    inflater.endInput();
    assertThatThrownBy(inflater::endInput).isInstanceOf(IllegalStateException.class);
    inflater.close();
    inflater.close();
    assertThatThrownBy(() -> inflater.begin(10)).isInstanceOf(IllegalStateException.class);
  }

  private static void checkFailure(
      MessageInflater inflater, InflateResult expected, byte[]... payload) {
    assertThatThrownBy(() -> Steps.inflate(inflater, payload))
        .as(() -> Arrays.deepToString(payload))
        .hasMessage(expected.toString());
    assertThat(inflater.inflate(ByteBuffer.allocate(1))).isEqualTo(expected);
  }

  private MessageInflater inflater(boolean keepsContext) {
    if (keepsContext) {
      assertThat(ample.budget.takeForSession(CompressionBudget.INFLATER_BYTES)).isTrue();
    }
    return new MessageInflater(pool, keepsContext);
  }

  /** Returns a message with a block of dynamic codes. */
  private static String dynamic() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      text.append("a text with words ").append(i * i);
    }
    byte[] bytes = compressed(text.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(bytes, 0, bytes.length - 4);
  }

  /** Returns a compressed message of zeros. */
  private static byte[] zeros(int bytes) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    byte[] whole = compressed(new byte[MIB]);
    for (int i = 0; i < bytes / MIB; i++) {
      output.writeBytes(whole);
    }
    output.writeBytes(compressed(new byte[bytes % MIB]));
    return Arrays.copyOf(output.toByteArray(), output.size() - 4);
  }

  private static byte[] compressed(byte[] bytes) {
    try (Deflater deflater = new Deflater(9, true)) {
      deflater.setInput(bytes);
      byte[] output = new byte[bytes.length + 100];
      return Arrays.copyOf(output, deflater.deflate(output, 0, output.length, Deflater.FULL_FLUSH));
    }
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
