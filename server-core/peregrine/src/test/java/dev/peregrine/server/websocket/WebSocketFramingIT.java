package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CLOSE;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.PING;
import static dev.peregrine.testing.websocket.FrameClient.PONG;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.websocket.FrameFault;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames that violate RFC 6455 section 5, and clients that vanish. After each test, {@link Servers}
 * checks that the connection has ended and that its memory is back.
 */
final class WebSocketFramingIT {
  private static final int RESERVED_1 = 0x40;
  private static final int RESERVED_2 = 0x20;
  private static final int RESERVED_3 = 0x10;

  /** A ping between the fragments of a message, and the first bytes of another one. */
  private static final byte[] MESSAGES =
      Requests.join(
          FrameClient.frame(TEXT, "a".repeat(130)),
          FrameClient.frame(FINAL | PING, "ping"),
          FrameClient.frame(FINAL | CONTINUATION, "b".repeat(20)),
          FrameClient.frame(BINARY, new byte[3]));

  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();

  private void expectViolation(FrameClient client, String reason) throws InterruptedException {
    assertThat(client.expectClose(1002)).isEqualTo(reason);
    client.expectEnd();
    assertThat(listener.next()).isEqualTo("close 1006 " + reason);
  }

  // ---- heads ----

  /** Returns heads up to the byte that shows the fault. */
  static Stream<Arguments> faults() {
    return Stream.of(
            IntStream.of(RESERVED_1, RESERVED_2, RESERVED_3, RESERVED_1 | RESERVED_3)
                .boxed()
                .flatMap(
                    bits ->
                        Stream.of(TEXT, BINARY, CONTINUATION, PING, PONG, CLOSE)
                            .map(opcode -> fault(FrameFault.RESERVED_BITS, FINAL | bits | opcode))),
            IntStream.of(3, 4, 5, 6, 7, 11, 12, 13, 14, 15)
                .mapToObj(opcode -> fault(FrameFault.UNKNOWN_OPCODE, FINAL | opcode)),
            Stream.of(PING, PONG, CLOSE).map(code -> fault(FrameFault.CONTROL_FRAGMENTED, code)),
            Stream.of(TEXT, BINARY, PING, PONG, CLOSE)
                .map(opcode -> fault(FrameFault.NOT_MASKED, FINAL | opcode, 2)),
            Stream.of(PING, PONG, CLOSE)
                .flatMap(
                    opcode ->
                        Stream.of(126, 127)
                            .map(
                                length ->
                                    fault(
                                        FrameFault.CONTROL_TOO_LONG,
                                        FINAL | opcode,
                                        0x80 | length))),
            Stream.of(
                fault(FrameFault.LENGTH_NOT_MINIMAL, FINAL | TEXT, 0xFE, 0, 125),
                fault(FrameFault.LENGTH_NOT_MINIMAL, FINAL | TEXT, 0xFE, 0, 0),
                fault(FrameFault.LENGTH_NOT_MINIMAL, FINAL | BINARY, 0xFF, 0, 0, 0, 0, 0, 0),
                fault(FrameFault.LENGTH_TOO_LARGE, FINAL | BINARY, 0xFF, 0x80),
                fault(FrameFault.LENGTH_TOO_LARGE, BINARY, 0xFF, 0xFF)))
        .flatMap(each -> each);
  }

  private static Arguments fault(FrameFault fault, int... bytes) {
    byte[] head = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      head[i] = (byte) bytes[i];
    }
    return Arguments.of(fault, HexFormat.of().formatHex(head));
  }

  /** No byte after the one that shows the fault is needed. */
  @ParameterizedTest
  @MethodSource("faults")
  void closesAtAFaultyHead(FrameFault fault, String head) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(HexFormat.of().parseHex(head));

    expectViolation(client, fault.text());
  }

  @ParameterizedTest
  @MethodSource("faults")
  void closesAtAFaultyHeadAmongOtherFrames(FrameFault fault, String head) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(
        Requests.join(
            FrameClient.frame(FINAL | TEXT, "first"),
            HexFormat.of().parseHex(head),
            FrameClient.frame(FINAL | TEXT, "never")));

    assertThat(client.readText()).isEqualTo("first");
    assertThat(listener.next()).isEqualTo("text first");
    expectViolation(client, fault.text());
  }

  @ParameterizedTest
  @EnumSource
  void hasACaseForEachFault(FrameFault fault) {
    assertThat(faults()).anyMatch(each -> each.get()[0] == fault);
  }

  /** The largest length of RFC 6455 section 5.2 is only too large for a message. */
  @ParameterizedTest
  @CsvSource({"7fffffffffffffff", "0000000100000000", "0000000080000000", "000000007fffffff"})
  void closesAtALengthThatNoMessageMayHave(String length) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(HexFormat.of().parseHex("82ff" + length + "00000000"));

    client.expectClose(1009);
    client.expectEnd();
    assertThat(listener.next()).startsWith("close 1006 ");
  }

  /** The sum of both lengths has more than 63 bits. */
  @Test
  void closesAtFragmentsWhoseLengthsOverflow() throws Exception {
    FrameClient client = listener.open(servers);

    client.send(BINARY, "abc").send(HexFormat.of().parseHex("80ff7fffffffffffffff00000000"));

    client.expectClose(1009);
    client.expectEnd();
  }

  // ---- the order of frames ----

  @ParameterizedTest
  @CsvSource({"0", "128"})
  void closesAtAContinuationWithoutAMessage(int flags) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(flags | CONTINUATION, "a");

    expectViolation(client, "a continuation frame without a message");
  }

  @Test
  void closesAtAContinuationAfterTheEndOfAMessage() throws Exception {
    FrameClient client = listener.open(servers);

    client.send(TEXT, "a").send(FINAL | CONTINUATION, "b").send(FINAL | CONTINUATION, "c");

    assertThat(client.readText()).isEqualTo("ab");
    assertThat(listener.next()).isEqualTo("text ab");
    expectViolation(client, "a continuation frame without a message");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "2, 1", "2, 129", "1, 130"})
  void closesAtAMessageWithinAnother(int first, int second) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(first, "a").send(second, "b");

    expectViolation(client, "a message within another message");
  }

  @Test
  void ignoresFramesAfterACloseFrame() throws Exception {
    FrameClient client = listener.open(servers);

    client.send(
        Requests.join(
            FrameClient.frame(FINAL | CLOSE, FrameClient.closePayload(1000, "")),
            FrameClient.frame(FINAL | TEXT, "late"),
            FrameClient.frame(FINAL | PING, "late"),
            new byte[] {(byte) 0xFF, 0, 1}));

    client.expectClose(1000);
    client.expectEnd();
    assertThat(listener.next()).isEqualTo("close 1000 ");
    listener.expectSilence();
  }

  // ---- divisions ----

  @Test
  void readsControlFramesOfEachLength() throws Exception {
    FrameClient client = listener.open(servers);

    for (int length = 0; length <= 125; length++) {
      client.send(FINAL | PING, "p".repeat(length));

      Frame pong = client.read();
      assertThat(pong.firstByte()).isEqualTo(FINAL | PONG);
      assertThat(pong.text()).isEqualTo("p".repeat(length));
    }
  }

  static final int[] CUTS = IntStream.range(1, MESSAGES.length).toArray();

  @ParameterizedTest
  @FieldSource("CUTS")
  void readsMessagesInTwoPieces(int cut) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(Arrays.copyOf(MESSAGES, cut));
    client.send(Arrays.copyOfRange(MESSAGES, cut, MESSAGES.length));

    assertThat(client.read().text()).isEqualTo("ping");
    assertThat(client.readText()).isEqualTo("a".repeat(130) + "b".repeat(20));
  }

  // ---- clients that vanish ----

  @ParameterizedTest
  @FieldSource("CUTS")
  void freesEverythingIfTheClientEndsWithinAMessage(int cut) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(Arrays.copyOf(MESSAGES, cut)).client().halfClose();

    client.client().readToEnd();
    expectLost();
  }

  @ParameterizedTest
  @FieldSource("CUTS")
  void freesEverythingIfTheClientResetsWithinAMessage(int cut) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(Arrays.copyOf(MESSAGES, cut)).client().reset();

    expectLost();
  }

  private void expectLost() throws InterruptedException {
    String call = listener.next();
    while (!call.startsWith("close")) {
      call = listener.next();
    }
    assertThat(call).startsWith("close 1006 ");
    listener.expectSilence();
  }
}
