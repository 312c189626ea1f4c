package dev.peregrine.server.http2.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.http2.flow.FlowFixture.TestStream;
import dev.peregrine.server.http2.frame.LocalSettings;
import dev.peregrine.server.http2.frame.Setting;
import dev.peregrine.server.http2.frame.Violation;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The windows that a server gives, and the settings of a client that change its own. */
final class InboundWindowsTest {
  private static final int WINDOW = 1000;
  private static final LocalSettings SETTINGS =
      new LocalSettings(100, 100, 8192, 8192, WINDOW, 2 * Setting.WINDOW_DEFAULT, 1 << 20);

  private final FlowFixture flow = new FlowFixture();
  private final InboundWindows windows = new InboundWindows(flow.control, flow, SETTINGS);

  @AfterEach
  void end() {
    flow.close();
  }

  private TestStream open(int id) {
    return flow.open(id, 0, WINDOW, false);
  }

  /** Returns the data of the PING among frames. */
  private static long ping(List<String> frames) {
    return frames.stream()
        .filter(frame -> frame.startsWith("ping "))
        .mapToLong(frame -> Long.parseLong(frame.substring(5)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void givesBytesOfTheConnectionBackOnceTheyAreHalfOfItsWindow() {
    assertThat(windows.begin()).isEqualTo(Setting.WINDOW_DEFAULT);

    windows.receive(Setting.WINDOW_DEFAULT - 1);
    assertThat(flow.sent()).isEmpty();
    windows.receive(1);

    assertThat(flow.sent()).containsExactly("window 0 " + Setting.WINDOW_DEFAULT);
  }

  @Test
  void givesBytesOfAStreamBackOnceTheyAreHalfOfItsWindow() {
    TestStream stream = open(1);

    windows.giveBack(stream, WINDOW / 2 - 1);
    assertThat(flow.sent()).isEmpty();
    windows.giveBack(stream, 1);

    assertThat(flow.sent()).contains("window 1 500");
    assertThat(windows.takenBytes()).isEqualTo(500);
  }

  @Test
  void givesNothingBackToAClientThatHasEndedItsSide() {
    TestStream stream = open(1);
    stream.state().receiveEnd();

    windows.giveBack(stream, WINDOW);

    assertThat(flow.sent()).isEmpty();
    assertThat(windows.takenBytes()).isEqualTo(WINDOW);
  }

  @Test
  void doublesTheWindowsOfAClientThatFillsThemInARoundTrip() {
    TestStream stream = open(1);
    windows.giveBack(stream, WINDOW / 2);
    long ping = ping(flow.sent());
    windows.giveBack(stream, WINDOW / 2);

    assertThat(windows.onPingAcknowledged(ping)).isTrue();
    windows.giveBack(stream, 1);

    assertThat(stream.receiveWindow().size()).isEqualTo(2 * WINDOW);
    assertThat(flow.sent()).contains("window 1 1001");
  }

  @Test
  void keepsTheWindowsOfASlowClient() {
    TestStream stream = open(1);
    windows.giveBack(stream, WINDOW / 2);

    assertThat(windows.onPingAcknowledged(ping(flow.sent()))).isTrue();
    windows.giveBack(stream, 1);

    assertThat(stream.receiveWindow().size()).isEqualTo(WINDOW);
  }

  @Test
  void expectsNoAcknowledgementOfAPingThatItHasNotSent() {
    TestStream stream = open(1);
    assertThat(windows.onPingAcknowledged(0)).isFalse();
    windows.giveBack(stream, WINDOW);
    long ping = ping(flow.sent());

    assertThat(windows.onPingAcknowledged(ping + 1)).isFalse();
    assertThat(windows.onPingAcknowledged(ping)).isTrue();
    assertThat(windows.onPingAcknowledged(ping)).isFalse();
  }

  @Test
  void changesTheWindowsOfOpenStreamsByASetting() {
    PeerSettings peer = new PeerSettings(flow.streams, flow.table());
    OutboundContent stream = flow.open(1, Setting.WINDOW_DEFAULT).outbound();
    assertThat(stream.grow(7)).isTrue();

    assertThat(peer.take(Setting.INITIAL_WINDOW_SIZE, 0)).isNull();

    assertThat(stream.window()).isEqualTo(7);
    assertThat(peer.initialWindow()).isZero();
    assertThat(peer.take(Setting.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE))
        .as("with 7 more, the window is too large")
        .isEqualTo(Violation.SETTING_WINDOW);
    assertThat(peer.take(Setting.INITIAL_WINDOW_SIZE, -1)).isEqualTo(Violation.SETTING_WINDOW);
  }
}
