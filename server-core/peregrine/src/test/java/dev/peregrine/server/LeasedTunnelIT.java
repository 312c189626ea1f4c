package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.RawConnection;
import dev.peregrine.testing.GivenBuffers;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that the application writes to a connection after HTTP, and gets back. */
final class LeasedTunnelIT {
  private static final byte[] UPGRADE =
      Requests.lines("GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo");
  private static final byte[] LONG = Requests.content(6_000_000);

  @RegisterExtension final Servers servers = new Servers();

  private final GivenBuffers buffers = new GivenBuffers();
  private final CompletableFuture<RawConnection> opened = new CompletableFuture<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable HttpServer server;

  @AfterEach
  void givesEachBufferBackOnce() {
    buffers.expectAll();
  }

  /** Sends bytes back, and notes when its connection is opened and closed. */
  private final class Listener extends RawEcho {
    @Override
    public void onOpen(RawConnection connection) {
      opened.complete(connection);
    }

    @Override
    public void onClose(IOException cause) {
      closed.countDown();
    }
  }

  /** A client that has left HTTP. */
  private RawClient upgraded() {
    HttpServer started =
        servers.start((request, response) -> response.upgrade("echo", new Listener()));
    server = started;
    RawClient client = servers.connect(started, 4 * 1024).send(UPGRADE);
    assertThat(client.read().status()).isEqualTo(101);
    return client;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16 * 1024, 16 * 1024 + 1, 1_000_000})
  void givesBuffersBackWhereverTheyAreWritten(int length) {
    byte[] content = Requests.content(length);
    RawClient client = upgraded();
    RawConnection connection = opened.join();

    connection.write(buffers.direct(content), buffers);
    connection.onLoop(() -> connection.write(buffers.direct(content), buffers));
    connection.write(buffers.own(ByteBuffer.wrap(content.clone())), buffers);
    connection.onLoop(
        () -> {
          ByteBuffer shared = Arena.ofShared().allocate(length).asByteBuffer().put(content).flip();
          connection.write(buffers.own(shared), buffers).end();
        });

    assertThat(client.readBytes(4 * length))
        .isEqualTo(Requests.join(content, content, content, content));
    client.expectEnd();
    buffers.expectAllOnLoops();
  }

  @Test
  void givesBuffersBackIfTheClientGoes() throws Exception {
    RawClient client = upgraded();
    RawConnection connection = opened.join();
    connection.write(buffers.direct(LONG), buffers).write(buffers.direct(LONG), buffers);
    client.readBytes(100);

    client.reset();

    closed.await();
    connection.write(buffers.direct(LONG), buffers);
    buffers.expectAllOnLoops();
  }

  @Test
  void givesBuffersBackAfterTheEndOfTheOutput() {
    RawClient client = upgraded();
    RawConnection connection = opened.join();

    connection.onLoop(
        () -> {
          connection.write(buffers.direct(Requests.bytes("bye")), buffers).end();
          connection.write(buffers.direct(LONG), buffers);
        });
    connection.write(buffers.direct(LONG), buffers);

    assertThat(client.readBytes(3)).isEqualTo(Requests.bytes("bye"));
    client.expectEnd();
    buffers.expectAllOnLoops();
  }

  @Test
  void givesBuffersBackIfTheConnectionIsAborted() throws Exception {
    RawClient client = upgraded();
    RawConnection connection = opened.join();

    connection.write(buffers.direct(LONG), buffers).abort();

    closed.await();
    buffers.expectAllOnLoops();
    client.reset();
  }

  @Test
  void givesBuffersBackWhenTheServerIsClosed() {
    RawClient client = upgraded();
    RawConnection connection = opened.join();
    connection.write(buffers.direct(LONG), buffers);
    client.readBytes(1);

    Objects.requireNonNull(server).close();
    connection.write(buffers.direct(LONG), buffers);

    buffers.expectAll();
  }

  @Test
  void givesABufferBackThatCannotBeSent() {
    RawClient client = upgraded();
    RawConnection connection = opened.join();
    Arena arena = Arena.ofShared();
    ByteBuffer freed = buffers.own(ByteBuffer.wrap(new byte[1]));
    ByteBuffer gone = arena.allocate(1).asByteBuffer();
    arena.close();

    assertThatThrownBy(() -> connection.write(gone, buffer -> buffers.accept(freed)))
        .isInstanceOf(IllegalStateException.class);

    buffers.expectAllOnLoops();
    assertThat(client.send("served").readBytes(6)).isEqualTo(Requests.bytes("served"));
    client.halfClose().expectEnd();
  }

  @Test
  void logsAFailureOfTheOwnerAndServesOn() {
    RawClient client = upgraded();

    opened
        .join()
        .write(
            buffers.direct(Requests.bytes("content")),
            buffer -> {
              buffers.accept(buffer);
              throw new AssertionError("the owner fails");
            });

    assertThat(client.readBytes(7)).isEqualTo(Requests.bytes("content"));
    buffers.expectAllOnLoops();
    servers.log().expectOne(Level.SEVERE, "a callback for sent content failed");
    assertThat(client.send("served").readBytes(6)).isEqualTo(Requests.bytes("served"));
    client.halfClose().expectEnd();
  }

  @Test
  void anOwnerMayWriteAgainAnyNumberOfTimes() {
    int parts = 20_000;
    RawClient client = upgraded();

    writeAgain(opened.join(), new AtomicInteger(parts));

    assertThat(client.readBytes(parts)).isEqualTo(Requests.bytes("x".repeat(parts)));
    client.expectEnd();
  }

  private void writeAgain(RawConnection connection, AtomicInteger left) {
    if (left.getAndDecrement() == 0) {
      connection.end();
      return;
    }
    connection.write(
        buffers.direct(Requests.bytes("x")),
        buffer -> {
          buffers.accept(buffer);
          writeAgain(connection, left);
        });
  }

  @Test
  void servesTheConnectionAgainOnceAnOwnerHasStoppedBlocking() throws Exception {
    RawClient client = upgraded();
    CountDownLatch blocked = new CountDownLatch(1);
    CompletableFuture<Void> released = new CompletableFuture<>();
    opened
        .join()
        .write(
            buffers.direct(Requests.bytes("x")),
            buffer -> {
              buffers.accept(buffer);
              blocked.countDown();
              released.join();
            });
    assertThat(client.readBytes(1)).isEqualTo(Requests.bytes("x"));
    blocked.await();

    released.complete(null);

    assertThat(client.send("served").readBytes(6)).isEqualTo(Requests.bytes("served"));
    client.halfClose().expectEnd();
  }
}
