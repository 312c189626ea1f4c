package dev.peregrine.server.http2.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http2.flow.FlowFixture.TestStream;
import dev.peregrine.server.http2.frame.Setting;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows and the order of frames, without a connection (RFC 9113 section 5.2, RFC 9218). */
final class SendQueueTest {
  private static final int LARGE = 1_000_000;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final FlowFixture flow = new FlowFixture();
  private final SendQueue queue = new SendQueue(flow.streams, flow, flow.rate, FlowFixture.NOW);

  @AfterEach
  void end() {
    flow.close();
  }

  private void sendAll() {
    queue.request();
    while (queue.isWanted()) {
      OutboundContent ignored = queue.sendNext(FlowFixture.NOW);
    }
  }

  private static void end(TestStream stream) {
    stream.outbound().end(FieldLines.NONE);
  }

  @Test
  void sendsTheMostUrgentFirst() {
    end(flow.open(1, LARGE).add("later").priority("u=5"));
    end(flow.open(3, LARGE).add("first").priority("u=0"));
    end(flow.open(5, LARGE).add("second").priority("u=1"));

    sendAll();

    assertThat(flow.sent()).containsExactly("3 first ends", "5 second ends", "1 later ends");
  }

  @Test
  void sendsOneAfterTheOtherUnlessTheyAreIncremental() {
    end(flow.open(1, LARGE).add(new byte[20_000]).priority("u=3"));
    end(flow.open(3, LARGE).add(new byte[20_000]).priority("u=3"));

    sendAll();

    assertThat(flow.sent()).containsExactly("1 16359", "1 3641 ends", "3 16359", "3 3641 ends");
  }

  @Test
  void sendsIncrementalOnesInTurns() {
    end(flow.open(1, LARGE).add(new byte[20_000]));
    end(flow.open(3, LARGE).add(new byte[20_000]));

    sendAll();

    assertThat(flow.sent()).containsExactly("1 16359", "3 16359", "1 3641 ends", "3 3641 ends");
  }

  @Test
  void waitsForTheWindowOfAStreamAndLetsOthersPass() {
    TestStream waiting = flow.open(1, 3).add("content");
    end(waiting);
    end(flow.open(3, LARGE).add("other"));

    sendAll();
    assertThat(flow.sent()).containsExactly("1 con", "3 other ends");
    assertThat(waiting.outbound().isHeldBack()).isTrue();
    assertThat(queue.canSend()).isFalse();

    assertThat(waiting.outbound().grow(100)).isTrue();
    sendAll();
    assertThat(flow.sent()).containsExactly("1 tent ends");
  }

  @Test
  void waitsForTheWindowOfTheConnection() {
    end(flow.open(1, LARGE).add(new byte[Setting.WINDOW_DEFAULT + 1]));
    end(flow.open(3, LARGE));

    sendAll();

    assertThat(queue.isStalled()).isTrue();
    assertThat(flow.sent()).as("an end needs no window").contains("3  ends").doesNotContain("1 1");
    assertThat(queue.grow(1)).isTrue();
    sendAll();
    assertThat(flow.sent()).hasSize(1).first().asString().endsWith(" ends");
    assertThat(queue.passedBytes()).isEqualTo(Setting.WINDOW_DEFAULT + 1L);
  }

  @Test
  void sendsNothingWhileASettingHasMadeAWindowNegative() {
    TestStream stream = flow.open(1, 10).add("content");
    assertThat(stream.outbound().grow(-20)).isTrue();

    sendAll();
    assertThat(flow.sent()).isEmpty();

    assertThat(stream.outbound().grow(12)).isTrue();
    sendAll();
    assertThat(flow.sent()).containsExactly("1 co");
  }

  @Test
  void takesWindowsUpToTheLargestInt() {
    TestStream stream = flow.open(1, 1);

    assertThat(stream.outbound().grow(Integer.MAX_VALUE - 1)).isTrue();
    assertThat(stream.outbound().grow(1)).isFalse();
    assertThat(queue.grow(Integer.MAX_VALUE - Setting.WINDOW_DEFAULT)).isTrue();
    assertThat(queue.grow(1)).isFalse();
  }

  @Test
  void takesRoomForContentWithItsHeadFromBothWindows() {
    OutboundContent stream = flow.open(1, 10).outbound();

    assertThat(queue.take(stream, 11, FlowFixture.NOW)).isFalse();
    assertThat(queue.take(stream, 10, FlowFixture.NOW)).isTrue();
    assertThat(queue.take(stream, 1, FlowFixture.NOW)).isFalse();
    assertThat(queue.passedBytes()).isEqualTo(10);
    assertThat(queue.take(Setting.WINDOW_DEFAULT - 9, FlowFixture.NOW)).isFalse();
    assertThat(queue.take(Setting.WINDOW_DEFAULT - 10, FlowFixture.NOW)).isTrue();
  }

  private boolean sendNow(TestStream stream, String text) {
    byte[] bytes = Requests.bytes(text);
    return queue.sendNow(
        stream.outbound(), MemorySegment.ofArray(bytes), 0, bytes.length, FlowFixture.NOW);
  }

  @Test
  void sendsACopyAtOnceUnlessSomethingWaits() {
    TestStream stream = flow.open(1, 10);
    TestStream other = flow.open(3, 10);

    assertThat(sendNow(stream, "at once")).isTrue();
    assertThat(sendNow(stream, "more")).as("than its window").isFalse();
    other.add("waits");
    assertThat(sendNow(stream, "x")).isFalse();

    assertThat(flow.sent()).containsExactly("1 at once");
  }

  @Test
  void endsATurnAfterHalfAMebibyte() {
    assertThat(queue.grow(LARGE)).isTrue();
    TestStream stream = flow.open(1, LARGE).add(new byte[600_000]);

    queue.request();
    while (!queue.isTurnUsed()) {
      assertThat(queue.sendNext(FlowFixture.NOW)).isSameAs(stream.outbound());
    }

    assertThat(queue.sentBytes()).isBetween(512L * 1024, 512L * 1024 + 16_359);
    assertThat(queue.canSend()).isTrue();
    queue.beginTurn();
    assertThat(queue.isTurnUsed()).isFalse();
  }

  @Test
  void expectsUpdatesForContentThatItHasSent() {
    assertThat(queue.countUpdate()).isFalse();

    assertThat(sendNow(flow.open(1, LARGE), "content")).isTrue();

    assertThat(queue.countUpdate()).as("of the stream").isTrue();
    assertThat(queue.countUpdate()).as("of the connection").isTrue();
    assertThat(queue.countUpdate()).isFalse();
  }

  @Test
  void sendsTrailersAfterTheContent() {
    FieldLines trailers = new FieldLines();
    trailers.add("Name", "value");
    TestStream stream = flow.open(1, LARGE).add("content");
    stream.outbound().end(trailers);

    sendAll();

    assertThat(flow.sent()).containsExactly("1 content", "1 trailers ends");
    assertThat(stream.outbound().isOver()).isTrue();
    assertThat(stream.state().isSending()).isFalse();
  }

  @Test
  void stopsAStreamWhoseFileIsTruncated(@TempDir Path dir) throws IOException {
    Path path = Files.write(dir.resolve("file"), new byte[10]);
    TestStream stream = flow.open(1, LARGE);
    stream.outbound().queue().add(new OpenFile(FileChannel.open(path)), 0, 20);
    end(stream);
    end(flow.open(3, LARGE).add("other"));

    sendAll();

    assertThat(flow.sent()).containsExactly("3 other ends");
    assertThat(stream.outbound().failure()).isNotNull();
    assertThat(stream.outbound().isOver()).isTrue();
  }

  @Test
  void judgesTheWindowOfTheConnectionByTheContentOfAllStreams() {
    assertThat(queue.take(Setting.WINDOW_DEFAULT, FlowFixture.NOW)).isTrue();
    long later = FlowFixture.NOW + 1000 * SECOND;
    assertThat(queue.judge(later)).as("nothing waits").isFalse();

    TestStream stream = flow.open(1, LARGE).add("content");
    assertThat(queue.judge(later)).as("begins to wait").isFalse();
    assertThat(queue.judge(later + SECOND / 2)).isFalse();
    assertThat(queue.judge(later + 2 * SECOND)).isTrue();
    assertThat(stream.outbound().judge(later + 2 * SECOND)).as("its own window is open").isFalse();
  }

  @Test
  void judgesTheWindowOfAStream() {
    OutboundContent stream = flow.open(1, 0).add("content").outbound();

    assertThat(stream.judge(FlowFixture.NOW)).isFalse();
    assertThat(stream.judge(FlowFixture.NOW + 2 * SECOND)).isTrue();
  }
}
