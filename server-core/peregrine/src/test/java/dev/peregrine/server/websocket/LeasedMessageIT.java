package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketStream;
import dev.peregrine.testing.GivenBuffers;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages whose buffers the application gets back. */
final class LeasedMessageIT {
  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();
  private final GivenBuffers buffers = new GivenBuffers();

  @AfterEach
  void givesEachBufferBackOnce() {
    buffers.expectAll();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16 * 1024, 16 * 1024 + 1, 1_000_000})
  void givesBuffersBackWhereverTheyAreSent(int length) throws Exception {
    byte[] content = Requests.content(length);
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    socket.sendBinary(buffers.direct(content), buffers);
    socket.onLoop(() -> socket.sendBinary(buffers.direct(content), buffers));
    socket.onLoop(() -> socket.sendBinary(buffers.own(ByteBuffer.wrap(content.clone())), buffers));

    for (int i = 0; i < 3; i++) {
      Frame frame = client.read();
      assertThat(frame.firstByte()).isEqualTo(FINAL | BINARY);
      assertThat(frame.payload()).isEqualTo(content);
    }
    buffers.expectAllOnLoops();
  }

  @Test
  void sendsText() throws Exception {
    FrameClient client = listener.open(servers);
    String text = "\u00E9".repeat(20_000);

    listener
        .socket()
        .sendText(buffers.direct(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)), buffers);

    Frame frame = client.read();
    assertThat(frame.firstByte()).isEqualTo(FINAL | TEXT);
    buffers.expectAllOnLoops();
  }

  @Test
  void givesABufferBackThatIsNoText() throws Exception {
    FrameClient client = listener.open(servers);
    ByteBuffer broken = buffers.direct(new byte[] {(byte) 0xFF});

    assertThatThrownBy(() -> listener.socket().sendText(broken, buffers))
        .isInstanceOf(IllegalArgumentException.class);

    buffers.expectAllOnLoops();
    client.sendText("still open");
  }

  @Test
  void checksACopyOfTextThatCanBeFreed() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();
    Arena arena = Arena.ofShared();
    ByteBuffer text = buffers.own(arena.allocate(4).asByteBuffer().put(Requests.bytes("text")));
    CompletableFuture<Void> freed = new CompletableFuture<>();
    socket.onLoop(freed::join);

    socket.sendText(text.flip(), given -> buffers.acceptFreed(given));
    arena.close(); // too early, and during the check it would be read unchecked
    freed.complete(null);

    assertThat(client.readText()).isEqualTo("text");
    buffers.expectAllOnLoops();
  }

  @Test
  void givesABufferBackThatWaitsForAMessageInParts() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();
    socket.onLoop(
        () -> {
          WebSocketStream parts = socket.streamBinary();
          parts.write(new byte[] {1});
          socket.sendBinary(buffers.direct(new byte[] {2}), buffers);
          parts.end();
        });

    assertThat(client.read().payload()).containsExactly(1);
    assertThat(client.read().payload()).isEmpty();
    assertThat(client.read().payload()).containsExactly(2);
    buffers.expectAllOnLoops();
  }

  @Test
  void givesBuffersBackOfASocketThatIsLost() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();
    for (int i = 0; i < 10; i++) {
      socket.sendBinary(buffers.direct(Requests.content(1_000_000)), buffers);
    }

    client.client().reset();

    buffers.expectAllOnLoops();
    socket.sendBinary(buffers.direct(new byte[] {1}), buffers);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16 * 1024 + 1, 1_000_000})
  void givesThePartsOfAMessageBack(int length) throws Exception {
    byte[] content = Requests.content(length);
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    sendParts(socket, content);
    socket.onLoop(() -> sendParts(socket, content));

    for (int i = 0; i < 2; i++) {
      if (length > 0) {
        assertThat(client.read().payload()).isEqualTo(content);
        assertThat(client.read().firstByte()).isEqualTo(CONTINUATION);
      }
      assertThat(client.read().payload()).isEmpty();
    }
    buffers.expectAllOnLoops();
  }

  private void sendParts(WebSocket socket, byte[] content) {
    WebSocketStream parts = socket.streamBinary();
    parts.write(buffers.direct(content), buffers);
    parts.write(buffers.direct(content), buffers);
    parts.end();
  }

  @Test
  void givesAPartBackThatCannotBeSent() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocketStream parts = listener.socket().streamBinary();
    Arena arena = Arena.ofShared();
    ByteBuffer gone = arena.allocate(1).asByteBuffer();
    ByteBuffer given = buffers.direct(new byte[1]);
    arena.close();

    assertThatThrownBy(() -> parts.write(gone, buffer -> buffers.accept(given)))
        .isInstanceOf(IllegalStateException.class);
    parts.write(new byte[] {1});
    parts.end();
    assertThatThrownBy(() -> parts.write(buffers.direct(new byte[] {2}), buffers))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the message has ended");

    assertThat(client.read().firstByte()).isEqualTo(BINARY);
    assertThat(client.read().firstByte()).isEqualTo(FINAL | CONTINUATION);
    buffers.expectAllOnLoops();
  }

  @Test
  void givesPartsBackOfASocketThatIsLost() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocketStream parts = listener.socket().streamBinary();
    for (int i = 0; i < 10; i++) {
      parts.write(buffers.direct(Requests.content(1_000_000)), buffers);
    }

    client.client().reset();

    buffers.expectAllOnLoops();
    parts.write(buffers.direct(new byte[] {1}), buffers);
  }

  @Test
  void logsAFailureOfTheOwnerAndServesOn() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    socket.sendBinary(
        buffers.direct(new byte[] {1}),
        buffer -> {
          buffers.accept(buffer);
          throw new AssertionError("the owner fails");
        });

    assertThat(client.read().payload()).containsExactly(1);
    buffers.expectAllOnLoops();
    servers.log().expectOne(Level.SEVERE, "a callback for sent content failed");
    assertThat(client.sendText("served").read().payload()).isEqualTo(Requests.bytes("served"));
  }

  @Test
  void anOwnerMaySendAgainAnyNumberOfTimes() throws Exception {
    FrameClient client = listener.open(servers);
    int messages = 2_000;

    sendAgain(listener.socket(), new AtomicInteger(messages));

    for (int i = 0; i < messages; i++) {
      assertThat(client.read().payload()).containsExactly('x');
    }
    buffers.expectAllOnLoops();
  }

  private void sendAgain(WebSocket socket, AtomicInteger left) {
    if (left.getAndDecrement() > 0) {
      socket.sendBinary(
          buffers.direct(Requests.bytes("x")),
          buffer -> {
            buffers.accept(buffer);
            sendAgain(socket, left);
          });
    }
  }

  @Test
  void servesTheSocketAgainOnceAnOwnerHasStoppedBlocking() throws Exception {
    FrameClient client = listener.open(servers);
    CountDownLatch blocked = new CountDownLatch(1);
    CompletableFuture<Void> released = new CompletableFuture<>();
    listener
        .socket()
        .sendBinary(
            buffers.direct(new byte[] {1}),
            buffer -> {
              buffers.accept(buffer);
              blocked.countDown();
              released.join();
            });
    assertThat(client.read().payload()).containsExactly(1);
    blocked.await();

    released.complete(null);

    assertThat(client.sendText("served").read().payload()).isEqualTo(Requests.bytes("served"));
  }
}
