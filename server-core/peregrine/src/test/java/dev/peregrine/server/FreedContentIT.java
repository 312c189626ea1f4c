package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.WebSocket;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers whose memory the application frees before it is sent: no byte of others leaves. */
final class FreedContentIT {
  private static final int BYTES = 3_000_000;
  private static final int SMALL_WINDOW_BYTES = 4096;
  private static final byte OWN = 'a';
  private static final byte FOREIGN = 'z'; // not a digit of a chunk's size

  @RegisterExtension final Servers servers = new Servers();
  private final Arena arena = Arena.ofShared();

  private static ByteBuffer allocate(Arena arena, int bytes) {
    return arena.allocate(bytes).fill(OWN).asByteBuffer();
  }

  @Test
  void sendsMemoryOfAnArenaThatStaysOpen() {
    ByteBuffer content = allocate(arena, BYTES);
    HttpServer server = servers.start((request, response) -> response.send(content));

    RawClient client = servers.connect(server).get("/").get("/");

    for (int i = 0; i < 2; i++) {
      assertThat(client.read().content()).hasSize(BYTES).containsOnly(OWN);
    }
    assertThat(content.remaining()).isEqualTo(BYTES);
    client.close();
    arena.close();
  }

  @Test
  void cutsAResponseShortWhenItsArenaIsClosed() {
    ByteBuffer content = allocate(arena, SystemBuffers.MORE_BYTES);
    expectOnlyOwnBytes((request, response) -> response.send(content));
  }

  @Test
  void cutsAStreamShortWhenItsArenaIsClosed() {
    ByteBuffer content = allocate(arena, SystemBuffers.MORE_BYTES);
    expectOnlyOwnBytes((request, response) -> response.async().stream().write(content).flush());
  }

  private void expectOnlyOwnBytes(Handler handler) {
    RawClient client = servers.connect(servers.start(handler), SMALL_WINDOW_BYTES).get("/");
    client.readUntil("\r\n\r\n");
    Await.until("content has arrived", client::hasMore);

    Arena next = replace();

    expectCutShort(client);
    assertThat(servers.log().await(Level.WARNING).getFirst().getThrown())
        .hasMessageContaining("the arena of a buffer was closed");
    next.close();
  }

  /** Frees the memory, and takes as much for other bytes. */
  private Arena replace() {
    arena.close();
    Arena next = Arena.ofShared();
    next.allocate(SystemBuffers.MORE_BYTES).fill(FOREIGN);
    return next;
  }

  /** Reads until the connection or stream breaks. */
  private static void expectCutShort(RawClient client) {
    long bytes = 0;
    try {
      for (byte[] some = client.readSome(); some.length > 0; some = client.readSome()) {
        assertThat(new String(some, ISO_8859_1).indexOf(FOREIGN)).isNegative();
        bytes += some.length;
        assertThat(bytes).isLessThan(SystemBuffers.MORE_BYTES);
      }
    } catch (UncheckedIOException broken) {
      assertThat(broken).cause().isNotInstanceOf(SocketTimeoutException.class);
    }
  }

  @OnlyHttp1("tunnels of an upgrade")
  @Test
  void breaksATunnelWhoseArenaIsClosed() {
    ByteBuffer content = allocate(arena, SystemBuffers.MORE_BYTES);
    RawListener listener =
        new RawListener() {
          @Override
          public void onOpen(RawConnection connection) {
            connection.write(content);
          }

          @Override
          public void onData(RawConnection connection, Bytes data) {}

          @Override
          public void onEnd(RawConnection connection) {}
        };
    HttpServer server = servers.start((request, response) -> response.upgrade("echo", listener));
    RawClient client =
        servers
            .connect(server, SMALL_WINDOW_BYTES)
            .send(
                Requests.lines(
                    "GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo"));
    client.readUntil("\r\n\r\n");
    Await.until("content has arrived", client::hasMore);

    Arena next = replace();

    expectCutShort(client);
    servers.log().await(Level.WARNING);
    next.close();
  }

  /** As {@code try (Arena arena = …) { response.send(…); }} does on another thread. */
  @ParameterizedTest
  @ValueSource(ints = {3, 16 * 1024, 16 * 1024 + 1, BYTES})
  void logsThatTheHandlerHasClosedTheArena(int bytes) throws Exception {
    Handler closing =
        (request, response) -> {
          response.async();
          ByteBuffer content = allocate(arena, bytes);
          Thread sender = Thread.ofVirtual().unstarted(() -> response.send(content));
          sender.start();
          sender.join(); // so that the loop sends it when it is closed
          arena.close();
        };
    RawClient client = servers.connect(servers.start(closing)).get("/");

    client.expectCutShort();
    assertThat(servers.log().await(Level.WARNING)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, BYTES})
  void rejectsABufferThatIsFreedAlready(int bytes) {
    ByteBuffer content = allocate(arena, bytes);
    arena.close();
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    Handler handler =
        (request, response) -> {
          try {
            response.send(content);
          } catch (IllegalStateException closed) {
            thrown.add(closed);
            response.text("ok");
          }
        };

    assertThat(servers.connect(servers.start(handler)).get("/").read().text()).isEqualTo("ok");
    assertThat(thrown.getFirst()).hasMessage("the arena of the buffer is closed");
  }

  /** Whatever thread the handler runs on: event loops change theirs. */
  @ParameterizedTest
  @ValueSource(ints = {3, BYTES})
  void rejectsABufferThatOnlyOneThreadMayRead(int bytes) {
    Handler handler =
        (request, response) -> {
          try (Arena confined = Arena.ofConfined()) {
            response.send(allocate(confined, bytes));
          }
        };

    assertThat(servers.connect(servers.start(handler)).get("/").read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE).getFirst().getThrown())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Arena.ofAuto");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 100_000})
  void copiesMessagesOfAWebSocketAtOnce(int bytes) {
    RecordingListener listener =
        new RecordingListener() {
          @Override
          public void onOpen(WebSocket socket) {
            try (Arena confined = Arena.ofConfined()) {
              socket.sendBinary(allocate(confined, bytes));
            }
          }
        };

    byte[] content = FrameClient.open(servers, listener).read().payload();

    assertThat(content).hasSize(bytes).containsOnly(OWN);
  }
}
