package dev.peregrine.server.http2.frame;

import static dev.peregrine.testing.http2.Http2Frame.bytes;
import static dev.peregrine.testing.http2.Http2Frame.continuation;
import static dev.peregrine.testing.http2.Http2Frame.data;
import static dev.peregrine.testing.http2.Http2Frame.headers;
import static dev.peregrine.testing.http2.Http2Frame.headersBegin;
import static dev.peregrine.testing.http2.Http2Frame.ping;
import static dev.peregrine.testing.http2.Http2Frame.priority;
import static dev.peregrine.testing.http2.Http2Frame.priorityUpdate;
import static dev.peregrine.testing.http2.Http2Frame.settings;
import static dev.peregrine.testing.http2.Http2Frame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames without a connection or a stream, in pieces of any length. */
final class FrameReaderTest {
  private static final byte[] PREFACE = Requests.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  private static final int BLOCK_BYTES_MAX = 20_000;

  private final BufferPool pool = new BufferPool();
  private final NotedFrames noted = new NotedFrames();
  private final FrameReader reader = new FrameReader(noted, pool, BLOCK_BYTES_MAX);
  private final List<Violation> faults = new ArrayList<>();
  private final Block received = pool.acquire(256 * 1024);
  private int from;
  private int to;

  @AfterEach
  void releasesAllMemory() {
    reader.close();
    pool.release(received);
    assertThat(pool.blocksInUse()).isZero();
    pool.close();
  }

  private void receive(byte[] bytes) {
    MemorySegment.copy(bytes, 0, received.segment(), ValueLayout.JAVA_BYTE, to, bytes.length);
    to += bytes.length;
    while (faults.isEmpty() && step()) {
      // reads on
    }
  }

  /** Reads one frame, or a part of one. Returns false if more bytes are needed. */
  private boolean step() {
    int next = reader.find(received.segment(), from, to);
    if (next == FrameReader.INCOMPLETE) {
      return false;
    }
    assertThat(next).isBetween(from, to);
    from = next;
    Violation fault = reader.deliver(received);
    if (fault != null) {
      faults.add(fault);
    }
    return true;
  }

  private void receive(Http2Frame... frames) {
    receive(bytes(frames));
  }

  private void open() {
    receive(PREFACE);
    receive(settings());
    noted.lines().clear();
  }

  private static byte[] sampleBytes() {
    return Requests.join(
        PREFACE,
        bytes(
            settings(4, 100, 3, 7),
            Http2Frame.settingsAck(),
            headersBegin(1, Requests.bytes("begin,"), false),
            continuation(1, Requests.bytes("middle,"), false),
            continuation(1, Requests.bytes("end"), true),
            data(1, Requests.bytes("some"), false),
            data(1, Requests.bytes("padded"), false).padded(3),
            data(1, new byte[0], false),
            data(1, Requests.bytes("last"), true).padded(0),
            headers(3, Requests.bytes("whole"), true).padded(2),
            windowUpdate(3, 5),
            windowUpdate(0, Integer.MAX_VALUE),
            ping(1234),
            ping(5).withFlags(Http2Frame.ACK),
            priority(5, 3, 1),
            priorityUpdate(7, "u=1"),
            Http2Frame.rst(3, Http2Code.CANCEL),
            new Http2Frame(0x77, 0xFF, 9, new byte[100]),
            Http2Frame.goaway(0, Http2Code.NO_ERROR)));
  }

  private static final List<String> SAMPLE =
      List.of(
          "preface",
          "settings 2 first",
          "setting 4=100",
          "setting 3=7",
          "settings end",
          "settings acknowledged",
          "block begins",
          "continuation",
          "continuation",
          "block 1 begin,middle,end",
          "data 1 length 4 content 4",
          "content some",
          "data 1 length 10 content 6",
          "content padded",
          "data 1 length 0 content 0",
          "data 1 length 5 content 4 ends",
          "content last",
          "data end",
          "block 3 whole ends",
          "window 3 5",
          "window 0 2147483647",
          "ping 1234",
          "ping acknowledged 5",
          "priority 5 length 5 on 3",
          "priority update 7 u=1",
          "reset 3",
          "unknown",
          "goaway");

  static IntStream lengths() {
    return IntStream.of(1, 2, 3, 5, 8, 9, 10, 23, 24, 25, 64, 10_000);
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void readsFramesThatArriveInPiecesOfAnyLength(int length) {
    byte[] bytes = sampleBytes();
    for (int at = 0; at < bytes.length; at += length) {
      receive(Arrays.copyOfRange(bytes, at, Math.min(at + length, bytes.length)));
    }

    assertThat(faults).isEmpty();
    assertThat(noted.lines()).isEqualTo(SAMPLE);
    assertThat(from).as("the index of what is left").isEqualTo(to);
  }

  private static Arguments fault(Violation fault, Http2Frame... frames) {
    return Arguments.of(fault, bytes(frames));
  }

  private static Http2Frame frame(int type, int flags, int stream, int length) {
    return new Http2Frame(type, flags, stream, new byte[length]);
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault(Violation.FRAME_TOO_LARGE, frame(Http2Frame.DATA, 0, 1, 16_385)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.DATA, Http2Frame.PADDED, 1, 0)),
        fault(
            Violation.FRAME_PADDING,
            new Http2Frame(Http2Frame.DATA, Http2Frame.PADDED, 1, new byte[] {1})),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.HEADERS, Http2Frame.PADDED, 1, 0)),
        fault(
            Violation.FRAME_PADDING,
            new Http2Frame(Http2Frame.HEADERS, Http2Frame.PADDED, 1, new byte[] {1})),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.HEADERS, Http2Frame.WITH_PRIORITY, 1, 4)),
        fault(Violation.STREAM_ID, frame(Http2Frame.HEADERS, 0, 0, 0)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.RST_STREAM, 0, 1, 3)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.RST_STREAM, 0, 1, 5)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.WINDOW_UPDATE, 0, 1, 3)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.WINDOW_UPDATE, 0, 1, 5)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.PING, 0, 0, 7)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.PING, 0, 0, 9)),
        fault(Violation.STREAM_ID, frame(Http2Frame.PING, 0, 1, 8)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.SETTINGS, 0, 0, 5)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.SETTINGS, 0, 0, 7)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.SETTINGS, Http2Frame.ACK, 0, 6)),
        fault(Violation.STREAM_ID, frame(Http2Frame.SETTINGS, 0, 1, 0)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.GOAWAY, 0, 0, 7)),
        fault(Violation.STREAM_ID, frame(Http2Frame.GOAWAY, 0, 1, 8)),
        fault(Violation.FRAME_LENGTH, frame(Http2Frame.PRIORITY_UPDATE, 0, 0, 3)),
        fault(Violation.STREAM_ID, frame(Http2Frame.PRIORITY_UPDATE, 0, 1, 4)),
        fault(Violation.STREAM_ID, priorityUpdate(2, "u=1")),
        fault(Violation.FRAME_UNEXPECTED, frame(Http2Frame.PUSH_PROMISE, 0, 1, 4)),
        fault(Violation.FRAME_UNEXPECTED, continuation(1, new byte[1], true)),
        fault(
            Violation.BLOCK_INTERRUPTED,
            headersBegin(1, new byte[1], true),
            continuation(3, new byte[1], true)),
        fault(Violation.BLOCK_INTERRUPTED, headersBegin(1, new byte[1], true), ping(1)),
        fault(
            Violation.BLOCK_TOO_LARGE,
            headersBegin(1, new byte[10_000], true),
            continuation(1, new byte[10_000], false),
            continuation(1, new byte[1], true)));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void reportsAFrameOfAWrongForm(Violation fault, byte[] bytes) {
    open();

    receive(bytes);

    assertThat(faults).containsExactly(fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void reportsAFrameOfAWrongFormThatArrivesByteByByte(Violation fault, byte[] bytes) {
    open();

    for (byte next : bytes) {
      if (faults.isEmpty()) {
        receive(new byte[] {next});
      }
    }

    assertThat(faults).containsExactly(fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X", "PRI * HTTP/1.1", "PRI * HTTP/2.0\r\n\r\nSN"})
  void reportsAWrongPrefaceAtItsFirstWrongByte(String text) {
    byte[] bytes = Requests.bytes(text);
    receive(Arrays.copyOf(bytes, text.equals("X") ? 0 : 4));
    assertThat(faults).isEmpty();

    receive(Arrays.copyOfRange(bytes, text.equals("X") ? 0 : 4, bytes.length));

    assertThat(faults).containsExactly(Violation.PREFACE_WRONG);
  }

  @Test
  void wantsSettingsBeforeAllOtherFrames() {
    receive(PREFACE);
    receive(ping(1));

    assertThat(faults).containsExactly(Violation.SETTINGS_FIRST);
  }

  @Test
  void takesNoAcknowledgementForTheFirstSettings() {
    receive(PREFACE);
    receive(Http2Frame.settingsAck());

    assertThat(faults).containsExactly(Violation.SETTINGS_FIRST);
  }

  @Test
  void takesTheLargestFrameAndTheLargestBlock() {
    open();

    receive(
        data(1, new byte[16_384], false),
        headersBegin(3, new byte[10_000], false),
        continuation(3, new byte[10_000], true));

    assertThat(faults).isEmpty();
    assertThat(noted.lines()).hasSize(5);
  }

  @Test
  void takesABlockOfEmptyFrames() {
    open();

    receive(headersBegin(1, new byte[0], true), continuation(1, new byte[0], true));

    assertThat(noted.lines()).containsExactly("block begins", "continuation", "block 1  ends");
  }

  @Test
  void ignoresTheReservedBitOfIdentifiers() {
    open();

    receive(headers(0x8000_0005, Requests.bytes("h"), false), windowUpdate(1, 0x8000_0001));

    assertThat(noted.lines()).containsExactly("block 5 h", "window 1 1");
  }

  @Test
  void reportsADependencyOnItself() {
    open();
    byte[] payload = {0, 0, 0, 5, 16, 'h'};

    receive(
        new Http2Frame(
            Http2Frame.HEADERS, Http2Frame.END_HEADERS | Http2Frame.WITH_PRIORITY, 5, payload));

    assertThat(noted.lines()).containsExactly("block 5 h on itself");
  }

  private static void fail() {
    throw new ArithmeticException("of a handler");
  }

  @Test
  void hasConsumedTheFrameWhoseHandlerThrows() {
    noted.run(FrameReaderTest::fail);
    assertThatThrownBy(() -> receive(PREFACE)).isInstanceOf(ArithmeticException.class);
    noted.run(() -> {});

    receive(settings());

    assertThat(noted.lines()).containsExactly("preface", "settings 0 first", "settings end");
  }

  @Test
  void releasesABlockWhoseHandlerThrowsWithTheNextFrameBecauseItMayBeLeftAndReadOn() {
    open();
    int before = pool.blocksInUse();
    noted.run(FrameReaderTest::fail);
    receive(headersBegin(1, new byte[1], true));
    assertThatThrownBy(() -> receive(continuation(1, new byte[1], true)))
        .isInstanceOf(ArithmeticException.class);
    assertThat(pool.blocksInUse()).isEqualTo(before + 1);

    receive(ping(1));

    assertThat(pool.blocksInUse()).isEqualTo(before);
  }
}
