package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.http2.Http2Frame;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Content of streams that could be sent, and that a fault of the server keeps from it. */
final class ForgottenOutputTest {
  private static final String CONTENT = "content";

  @RegisterExtension
  final ScriptedHttp2 client =
      new ScriptedHttp2(ServerLimits.DEFAULT, (request, response) -> response.text(CONTENT));

  /** Requests content that waits for the window of its stream. */
  private Http2Connection openWithWaitingContent() {
    Http2Connection opened =
        client.open(null, Http2Frame.settings(Http2Frame.INITIAL_WINDOW_SIZE, 0));
    client.request(1, "/");
    assertThat(client.loop().call(() -> opened.streams().isEmpty())).isFalse();
    return opened;
  }

  private void sweep() {
    client.pass(Duration.ofSeconds(2)); // each connection is checked once a second
  }

  @Test
  void isSentByTheSweepAndReportedOnce() {
    Http2Connection connection = openWithWaitingContent();
    assertThat(client.text()).doesNotContain(CONTENT);

    client
        .loop()
        .run(() -> connection.streams().get(0).outbound().grow(100)); // without a request to send
    sweep();

    assertThat(client.text()).contains(CONTENT);
    client.log().expectOne(Level.SEVERE, "would not have been sent");
  }

  @Test
  void isNotWhatWaitsForAWindow() {
    Http2Connection ignored = openWithWaitingContent();

    sweep();

    assertThat(client.text()).doesNotContain(CONTENT);
  }
}
