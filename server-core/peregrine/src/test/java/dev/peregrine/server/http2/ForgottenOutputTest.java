package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.connection.GroupTime;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeReuse;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.PlainHpack;
import java.util.Objects;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Content of streams that could be sent, and that a fault of the server keeps from it. */
final class ForgottenOutputTest {
  private static final byte[] PREFACE = Requests.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  private static final String REQUEST = ":method=GET|:scheme=http|:path=/|:authority=a";
  private static final String CONTENT = "content";

  private final ServerLog log = new ServerLog();
  private final ScriptedLoop loop = new ScriptedLoop();
  private final ConnectionGroup group = new ConnectionGroup(loop.loop(), ServerLimits.DEFAULT);
  private final ScriptedSocket socket = new ScriptedSocket();
  private final Http2Protocol http2 =
      new Http2Protocol(
          new ExchangeContext(
              loop.loop(),
              (request, response) -> response.text(CONTENT),
              ServerLimits.DEFAULT,
              null,
              ErrorRenderer.PLAIN,
              new ExchangeReuse(0)),
          new Http2HeadReader(ParserLimits.DEFAULT, Set.of(), true),
          "Test",
          false);

  ForgottenOutputTest() {
    loop.atEnd(() -> group.close(CloseReason.SHUTDOWN));
    loop.start();
  }

  @AfterEach
  void end() {
    loop.close();
    log.close();
  }

  /** Requests content that waits for the window of its stream. */
  private Http2Connection openWithWaitingContent() {
    Connection connection = loop.call(() -> group.open(socket, http2));
    Http2Connection opened =
        loop.call(() -> (Http2Connection) Objects.requireNonNull(connection.attachment()));
    loop.run(
        () ->
            socket
                .receive(PREFACE)
                .receive(Http2Frame.settings(Http2Frame.INITIAL_WINDOW_SIZE, 0).bytes())
                .receive(Http2Frame.headers(1, PlainHpack.block(REQUEST), true).bytes()));
    Await.until("content waits", () -> loop.call(() -> isServed(opened)));
    return opened;
  }

  private boolean isServed(Http2Connection opened) {
    socket.serve(); // a turn may end before all is read
    return !opened.streams().isEmpty();
  }

  private void sweep() {
    loop.run(() -> GroupTime.skipTicks(group, 8));
  }

  @Test
  void isSentByTheSweepAndReportedOnce() {
    Http2Connection connection = openWithWaitingContent();
    assertThat(socket.text()).doesNotContain(CONTENT);

    loop.run(() -> connection.streams().get(0).outbound().grow(100)); // without a request to send
    sweep();

    assertThat(socket.text()).contains(CONTENT);
    log.expectOne(Level.SEVERE, "would not have been sent");
  }

  @Test
  void isNotWhatWaitsForAWindow() {
    Http2Connection ignored = openWithWaitingContent();

    sweep();

    assertThat(socket.text()).doesNotContain(CONTENT);
  }
}
