package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.CLOSE;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.PONG;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ends without a closing handshake, and failures of the application. */
final class WebSocketEndIT {
  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();

  // ---- other ends ----

  @Test
  void endsAtOnceByAnAbort() throws Exception {
    FrameClient client = listener.open(servers);

    listener.socket().abort();

    client.client().expectClosed();
    assertThat(listener.next()).startsWith("close 1006 ");
    listener.socket().abort();
    listener.socket().close();
    assertThat(listener.socket().sendText("late")).isFalse();
    listener.expectSilence();
  }

  @Test
  void endsByAnAbortWithinACallback() throws Exception {
    RecordingListener aborting =
        new RecordingListener() {
          @Override
          public void onText(WebSocket socket, Bytes text) throws Exception {
            socket.abort();
            super.onText(socket, text);
          }
        };
    FrameClient client = FrameClient.open(servers, aborting);

    client.send(
        Requests.join(FrameClient.frame(FINAL | TEXT, "a"), FrameClient.frame(FINAL | TEXT, "b")));

    client.client().expectClosed();
    assertThat(aborting.next()).isEqualTo("open");
    assertThat(List.of(aborting.next(), aborting.next()))
        .contains("text a")
        .anyMatch(call -> call.startsWith("close 1006 "));
    aborting.expectSilence();
  }

  @Test
  void abortsAfterAClose() throws Exception {
    FrameClient client = listener.open(servers);

    listener.socket().close();
    client.expectClose(1000);
    listener.socket().abort();

    client.client().expectClosed();
    assertThat(listener.next()).startsWith("close 1006 ");
  }

  @Test
  void notifiesTheListenerOfALostClient() throws Exception {
    FrameClient client = listener.open(servers);

    client.client().reset();

    assertThat(listener.next()).startsWith("close 1006 ");
    listener.expectSilence();
  }

  @Test
  void notifiesTheListenerOfAnEndWhileItsCloseFrameIsUnanswered() throws Exception {
    FrameClient client = listener.open(servers);

    listener.socket().close();
    client.expectClose(1000);
    client.client().halfClose();

    listener.expectClosed(client, "close 1006 ");
  }

  /** A shutdown without patience cuts the socket. */
  @Test
  void notifiesTheListenerWhenTheServerIsClosed() throws Exception {
    HttpServer server = servers.start((request, response) -> response.webSocket(listener));
    FrameClient client = FrameClient.open(servers.connect(server), "/");
    assertThat(listener.next()).isEqualTo("open");

    server.close();

    client.client().expectClosed();
    assertThat(listener.next()).startsWith("close 1006 ");
    assertThat(listener.isSilent()).isTrue();
    servers.log().take(Level.WARNING);
  }

  @Test
  void seesTheCloseFrameOfItsClientThoughPaused() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();
    CountDownLatch paused = new CountDownLatch(1);
    socket.pause();
    socket.onLoop(paused::countDown);
    paused.await();
    client.sendText("never delivered").sendClose(1000, "bye");

    socket.close(3000, "");

    client.expectClose(3000);
    listener.expectClosed(client, "close 1000 bye");
  }

  // ---- failing listeners ----

  /** The callbacks, and the opcode of a frame that makes the server call them. */
  enum Callback {
    OPEN(FrameClient.PONG),
    TEXT(FrameClient.TEXT),
    BINARY(FrameClient.BINARY),
    PING(FrameClient.PING),
    PONG(FrameClient.PONG);

    private final int opcode;

    Callback(int opcode) {
      this.opcode = opcode;
    }
  }

  /** Throws in one callback. */
  private static final class Throwing extends RecordingListener {
    private final Callback failing;
    private final Throwable failure;

    Throwing(Callback failing, Throwable failure) {
      this.failing = failing;
      this.failure = failure;
    }

    private void fail(Callback callback) throws Exception {
      if (callback == failing) {
        if (failure instanceof Error error) {
          throw error;
        }
        throw (Exception) failure;
      }
    }

    @Override
    public void onOpen(WebSocket socket) throws Exception {
      super.onOpen(socket);
      fail(Callback.OPEN);
    }

    @Override
    public void onText(WebSocket socket, Bytes text) throws Exception {
      fail(Callback.TEXT);
    }

    @Override
    public void onBinary(WebSocket socket, Bytes content) throws Exception {
      fail(Callback.BINARY);
    }

    @Override
    public void onPing(WebSocket socket, Bytes content) throws Exception {
      fail(Callback.PING);
    }

    @Override
    public void onPong(WebSocket socket, Bytes content) throws Exception {
      fail(Callback.PONG);
    }
  }

  @ParameterizedTest
  @EnumSource
  void closesWith1011IfACallbackThrows(Callback callback) throws Exception {
    expectFailure(callback, new IOException("thrown by the test"));
  }

  @ParameterizedTest
  @EnumSource
  void closesWith1011IfACallbackFailsWithAnError(Callback callback) throws Exception {
    expectFailure(callback, new LinkageError("thrown by the test"));
  }

  private void expectFailure(Callback callback, Throwable failure) throws Exception {
    Throwing throwing = new Throwing(callback, failure);
    FrameClient client = FrameClient.open(servers, throwing);

    client.send(
        Requests.join(
            FrameClient.frame(FINAL | callback.opcode, ""),
            FrameClient.frame(FINAL | TEXT, "dropped")));

    Frame first = client.read();
    if (callback == Callback.PING) {
      assertThat(first.firstByte()).isEqualTo(FINAL | PONG);
      first = client.read();
    }
    assertThat(first.firstByte()).isEqualTo(FINAL | CLOSE);
    assertThat(first.code()).isEqualTo(1011);
    client.sendClose(1011, "understood");
    client.expectEnd();
    assertThat(throwing.next()).isEqualTo("open");
    assertThat(throwing.next()).isEqualTo("close 1011 understood");
    throwing.expectSilence();
    servers.log().expectOne(Level.SEVERE, "thrown by the test");
  }

  @Test
  void logsAFailureOfTheLastCallback() {
    FrameClient client =
        FrameClient.open(
            servers,
            new WebSocketListener() {
              @Override
              public void onClose(WebSocket socket, int code, String reason) {
                throw new IllegalStateException("thrown by the test");
              }
            });

    client.sendClose(1000, "");

    client.expectClose(1000);
    client.expectEnd();
    servers.log().expectOne(Level.SEVERE, "thrown by the test");
  }

  @Test
  void closesWith1011IfWorkOnTheLoopThrows() throws Exception {
    FrameClient client = listener.open(servers);

    listener
        .socket()
        .onLoop(
            () -> {
              throw new IllegalStateException("thrown by the test");
            });

    client.expectClose(1011);
    client.sendClose(1011, "");
    listener.expectClosed(client, "close 1011 ");
    servers.log().expectOne(Level.SEVERE, "thrown by the test");
  }

  @Test
  void endsInTimeThoughTheListenerFailsAtTheShutdown() throws Exception {
    RecordingListener failing =
        new RecordingListener() {
          @Override
          public void onShutdown(WebSocket socket) {
            throw new IllegalStateException("thrown by the test");
          }
        };
    HttpServer server = servers.start((request, response) -> response.webSocket(failing));
    FrameClient client = FrameClient.open(servers.connect(server), "/");
    assertThat(failing.next()).isEqualTo("open");

    var ended = Servers.shutdown(server);

    client.answerClose(1011);
    assertThat(ended.get()).isTrue();
    assertThat(failing.next()).isEqualTo("close 1011 ");
    servers.log().expectOne(Level.SEVERE, "thrown by the test");
  }
}
