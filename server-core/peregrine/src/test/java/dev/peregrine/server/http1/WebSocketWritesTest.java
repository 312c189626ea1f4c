package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.websocket.SlowReceiver;
import dev.peregrine.http.websocket.Topic;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many writes the messages of a WebSocket leave in. */
final class WebSocketWritesTest {
  private static final WebSocketMessage MESSAGE = WebSocketMessage.text("abc");
  private static final String FRAME = "\u0081\u0003abc";
  private static final int MESSAGES = 20;

  private final RecordingListener listener = new RecordingListener();
  private final ScriptedServer server =
      new ScriptedServer((request, response) -> response.webSocket(listener));
  private ScriptedSocket client;
  private WebSocket socket;

  @BeforeEach
  void open() {
    client = server.connect();
    client.receive(FrameClient.handshake("/"));
    server.serve(client);
    socket = listener.socket();
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Runs work between the turns of connections, and returns the number of writes that it makes. */
  private int writesOf(Runnable work) {
    int before = client.writes();
    server.loop.run(work::run);
    server.serve(client);
    return client.writes() - before;
  }

  private void sendAll() {
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(socket.send(MESSAGE)).isTrue();
    }
  }

  private void expectAll() {
    assertThat(client.text()).endsWith("\r\n\r\n" + FRAME.repeat(MESSAGES));
  }

  @Test
  void writesEachMessageOfTheLoopsWork() {
    assertThat(writesOf(this::sendAll)).isEqualTo(MESSAGES);
    expectAll();
  }

  @Test
  void writesGatheredMessagesOnce() {
    assertThat(writesOf(() -> socket.gather(this::sendAll))).isEqualTo(1);
    expectAll();
  }

  @Test
  void gathersWithinATurnAndWithinItself() {
    assertThat(writesOf(() -> socket.gather(() -> socket.gather(this::sendAll)))).isEqualTo(1);
    assertThat(writesOf(() -> socket.onLoop(() -> socket.gather(() -> {})))).isZero();
    expectAll();
  }

  @Test
  void gathersOnAnotherThread() {
    socket.gather(this::sendAll);

    Await.until(
        "all messages are sent",
        () -> {
          server.serve(client);
          return client.text().endsWith(FRAME.repeat(MESSAGES));
        });
    expectAll();
  }

  @Test
  void passesTheFailureOfGatheredWorkOn() {
    for (Throwable failure : List.of(new IllegalStateException(), new IOException(), new Error())) {
      server.loop.run(
          () ->
              assertThatThrownBy(() -> socket.gather(() -> sendAndThrow(failure)))
                  .isSameAs(failure));
      server.serve(client);
    }
    assertThat(client.text()).endsWith("\r\n\r\n" + FRAME.repeat(3));
    assertThat(socket.isOpen()).isTrue();
    assertThat(writesOf(() -> socket.gather(() -> socket.send(MESSAGE)))).isEqualTo(1);
  }

  private void sendAndThrow(Throwable failure) {
    socket.send(MESSAGE);
    WebSocketWritesTest.<RuntimeException>rethrow(failure);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as other languages may do
  private static <T extends Throwable> void rethrow(Throwable failure) throws T {
    throw (T) failure;
  }

  @Test
  void runsGatheredWorkAfterTheEnd() {
    server.loop.run(socket::abort);
    server.serve(client);

    boolean[] sent = {true};
    server.loop.run(() -> socket.gather(() -> sent[0] = socket.send(MESSAGE)));

    assertThat(sent[0]).isFalse();
  }

  @Test
  void writesTheMessagesOfATopicThatWaitedTogetherOnce() {
    Topic topic = new Topic(SlowReceiver.CLOSE);
    topic.subscribe(socket);
    int writes =
        writesOf(
            () -> {
              for (int i = 0; i < MESSAGES; i++) {
                topic.publish(MESSAGE);
              }
            });

    assertThat(writes).isEqualTo(1);
    expectAll();
  }
}
