package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CLOSE;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.PING;
import static dev.peregrine.testing.websocket.FrameClient.PONG;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages, control frames and the closing handshake (RFC 6455 sections 5 to 7). */
final class WebSocketIT {
  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();

  @Test
  void echoesText() throws Exception {
    FrameClient client = listener.open(servers);

    client.sendText("h\u00E9llo");

    assertThat(client.readText()).isEqualTo("h\u00E9llo");
    assertThat(listener.next()).isEqualTo("text h\u00E9llo");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 127, 65_535, 65_536, 300_000, 1_048_576})
  void echoesContentOfEachLength(int length) throws Exception {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    FrameClient client = listener.open(servers);

    client.send(FINAL | BINARY, content);

    Frame frame = client.read();
    assertThat(frame.firstByte()).isEqualTo(FINAL | BINARY);
    assertThat(frame.payload()).isEqualTo(content);
  }

  @Test
  void takesFramesByteByByte() throws Exception {
    FrameClient client = listener.open(servers);

    for (byte each : FrameClient.frame(FINAL | TEXT, "a".repeat(200))) {
      client.send(new byte[] {each});
    }

    assertThat(client.readText()).isEqualTo("a".repeat(200));
  }

  @Test
  void joinsFragmentsAroundControlFrames() throws Exception {
    FrameClient client = listener.open(servers);

    client
        .send(TEXT, "ab")
        .send(FINAL | PING, "x")
        .send(CONTINUATION, "")
        .send(FINAL | CONTINUATION, "cd");

    Frame pong = client.read();
    assertThat(pong.firstByte()).isEqualTo(FINAL | PONG);
    assertThat(pong.text()).isEqualTo("x");
    assertThat(client.readText()).isEqualTo("abcd");
    assertThat(listener.next()).isEqualTo("ping x");
    assertThat(listener.next()).isEqualTo("text abcd");
  }

  @Test
  void passesPongsOn() throws Exception {
    FrameClient client = listener.open(servers);

    client.send(FINAL | PONG, "p");

    assertThat(listener.next()).isEqualTo("pong p");
  }

  @Test
  void answersTheClientsClose() throws Exception {
    FrameClient client = listener.open(servers);

    client.sendClose(4321, "bye");

    assertThat(client.expectClose(4321)).isEmpty();
    client.expectEnd();
    assertThat(listener.next()).isEqualTo("close 4321 bye");
    assertThat(listener.socket().isOpen()).isFalse();
    assertThat(listener.socket().sendText("late")).isFalse();
  }

  @Test
  void answersACloseWithoutACode() throws Exception {
    FrameClient client = listener.open(servers);

    client.send(FINAL | CLOSE, "");

    Frame close = client.read();
    assertThat(close.firstByte()).isEqualTo(FINAL | CLOSE);
    assertThat(close.payload()).isEmpty();
    client.expectEnd();
    assertThat(listener.next()).isEqualTo("close 1005 ");
  }

  @Test
  void closesAfterTheMessagesBefore() throws Exception {
    FrameClient client =
        FrameClient.open(
            servers,
            RecordingListener.onText(
                socket -> {
                  socket.sendText("last");
                  socket.close(3000, "done");
                  socket.sendText("never");
                }));

    client.sendText("go").sendText("ignored");

    assertThat(client.readText()).isEqualTo("last");
    assertThat(client.answerClose(3000)).isEqualTo("done");
  }

  @Test
  void tellsAnEndWithoutACloseFrame() throws Exception {
    FrameClient client = listener.open(servers);

    client.client().halfClose();

    client.expectEnd();
    assertThat(listener.next()).startsWith("close 1006 ");
  }

  @Test
  void closesWith1011AfterAFailureOfTheListener() throws Exception {
    FrameClient client =
        FrameClient.open(
            servers,
            RecordingListener.onText(
                socket -> {
                  throw new IllegalStateException("thrown by the test");
                }));

    client.sendText("go");

    client.answerClose(1011);
    servers.log().expectOne(Level.SEVERE, "the listener of a WebSocket failed");
  }

  @Test
  void closesWith1003IfAKindOfMessageIsNotServed() throws Exception {
    FrameClient client = FrameClient.open(servers, new WebSocketListener() {});

    client.sendText("go");

    client.answerClose(1003);
  }

  @Test
  void sendsFromOtherThreadsInOrder() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    Thread sender =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 1_000; i++) {
                    socket.sendText(Integer.toString(i));
                  }
                  socket.close(1000, "");
                });

    for (int i = 0; i < 1_000; i++) {
      assertThat(client.readText()).isEqualTo(Integer.toString(i));
    }
    client.expectClose(1000);
    sender.join();
  }

  @Test
  void sendsAMessageInPartsAndOthersAfterIt() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    WebSocketStream parts = socket.streamText();
    parts.write("a".getBytes(StandardCharsets.UTF_8));
    socket.sendText("after");
    socket.sendPing(new byte[] {1});
    parts.write("b".getBytes(StandardCharsets.UTF_8));
    parts.end();

    assertThat(client.read()).satisfies(each -> assertThat(each.firstByte()).isEqualTo(TEXT));
    assertThat(client.read().opcode()).isEqualTo(PING);
    Frame second = client.read();
    assertThat(second.firstByte()).isEqualTo(CONTINUATION);
    assertThat(second.text()).isEqualTo("b");
    assertThat(client.read().firstByte()).isEqualTo(FINAL | CONTINUATION);
    assertThat(client.readText()).isEqualTo("after");
  }

  @Test
  void closesWith1001AtTheShutdown() throws Exception {
    HttpServer server = servers.start((request, response) -> response.webSocket(listener));
    FrameClient client = FrameClient.open(servers.connect(server), "/");
    client.sendText("a");
    assertThat(client.readText()).isEqualTo("a");

    Thread shutdown = Thread.ofVirtual().start(() -> server.shutdown(Duration.ofSeconds(20)));

    client.answerClose(1001);
    shutdown.join();
  }
}
