package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.OwnThread;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound on how far handlers get ahead of their client, in both directions. */
final class WriteBehindIT {
  private static final int AHEAD_BYTES = 64 * 1024;
  private static final byte[] PIECE = Requests.content(1024);

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void lets64KibibytesWaitOnTheEventLoop() {
    AtomicLong accepted = new AtomicLong();
    HttpServer server =
        servers.start(
            (request, response) -> {
              ResponseStream out = response.async().stream();
              while (out.isWritable()) { // no bytes are sent before this handler returns
                out.write(PIECE);
                accepted.addAndGet(PIECE.length);
              }
              out.onWritable(out::complete);
            });

    byte[] content = servers.connect(server).get("/").read().content();

    assertThat(content).hasSize((int) accepted.get());
    // Heads of chunks and the response count as well.
    assertThat(accepted.get()).isBetween(AHEAD_BYTES - 2048L, (long) AHEAD_BYTES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lets64KibibytesWaitThenTheThread(boolean output) throws Exception {
    AtomicLong accepted = new AtomicLong();
    BlockingQueue<Thread> writers = new LinkedBlockingQueue<>();
    BlockingQueue<String> loopHeld = new LinkedBlockingQueue<>();
    Handler writing =
        OwnThread.blocking(
            (request, response) -> {
              loopHeld.take();
              writers.add(Thread.currentThread());
              write(response, output, accepted);
            });
    Handler holdingTheLoop =
        (request, response) -> {
          loopHeld.add("held"); // from here on the loop sends no bytes
          Thread writer = writers.take();
          Await.until(
              "the writer waits",
              () -> accepted.get() > 0 && writer.getState() == Thread.State.WAITING);
          response.text("" + accepted.get());
        };
    HttpServer server =
        servers.start(
            (request, response) ->
                (request.pathIs("/write") ? writing : holdingTheLoop).handle(request, response),
            options -> options.loops(1));
    RawClient client = servers.connect(server).get("/write");

    assertThat(servers.connect(server).get("/hold").read().text()).isEqualTo("" + AHEAD_BYTES);
    assertThat(client.read().content()).hasSize(1_000 * PIECE.length);
  }

  @Test
  void theLoopDoesSmallWritesOfAnotherThreadAsOne() throws Exception {
    byte[] content = Requests.content(AHEAD_BYTES);
    CountDownLatch written = new CountDownLatch(1);
    CountDownLatch loopHeld = new CountDownLatch(1);
    Handler writing =
        OwnThread.blocking(
            (request, response) -> {
              loopHeld.await();
              ResponseStream out = response.stream();
              for (int i = 0; i < content.length; i++) {
                if (i == AHEAD_BYTES / 2) { // in order with writes of other kinds
                  out.write(ByteBuffer.wrap(content, i++, 1));
                }
                out.write(content, i, 1);
              }
              written.countDown();
              out.complete();
            });
    Handler holdingTheLoop =
        (request, response) -> {
          loopHeld.countDown();
          written.await();
          response.text("held");
        };
    HttpServer server =
        servers.start(
            (request, response) ->
                (request.pathIs("/write") ? writing : holdingTheLoop).handle(request, response),
            options -> options.loops(1));
    RawClient client = servers.connect(server).get("/write");

    assertThat(servers.connect(server).get("/hold").read().text()).isEqualTo("held");
    RawResponse response = client.read();
    assertThat(response.content()).isEqualTo(content);
    if (!Servers.HTTP_2) { // each write of the loop is a chunk
      assertThat(response.chunks()).isLessThan(10);
    }
  }

  private static void write(Response response, boolean output, AtomicLong accepted)
      throws Exception {
    if (output) {
      try (OutputStream out = response.outputStream()) {
        for (int i = 0; i < 1_000; i++) {
          out.write(PIECE);
          accepted.addAndGet(PIECE.length);
        }
      }
    } else {
      ResponseStream out = response.stream();
      for (int i = 0; i < 1_000; i++) {
        out.awaitWritable();
        out.write(PIECE);
        accepted.addAndGet(PIECE.length);
      }
      out.complete();
    }
  }

  @Test
  void readsNoFurtherThanAListenerThatPauses() throws Exception {
    int bytes = SystemBuffers.MORE_BYTES;
    AtomicLong received = new AtomicLong();
    BlockingQueue<RequestBody> paused = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              RequestBody body = request.body();
              response.async();
              body.receive(
                  Listeners.of(
                      data -> {
                        if (received.getAndAdd(data.length()) == 0) {
                          body.pause();
                          paused.add(body);
                        }
                      },
                      () -> response.text("all")));
            },
            Servers.LIMITS.toBuilder().bodyBytesMax(bytes).build());
    RawClient client = servers.connect(server);
    long idle = server.bufferBytesInUse();
    var sent = client.sendMeanwhile(Requests.post("/", new byte[bytes]));

    RequestBody body = paused.take();
    assertThat(sent).isNotDone();
    assertThat(received.get()).isLessThanOrEqualTo(AHEAD_BYTES);
    long windows = Servers.HTTP_2 ? 1 : 0; // content that waits within the window of its stream
    // Between two turns, because each turn takes further blocks.
    Await.until(
        () -> "little is held: " + (server.bufferBytesInUse() - idle),
        () -> server.bufferBytesInUse() - idle <= (2 + windows) * AHEAD_BYTES);

    body.resume();
    assertThat(client.read().text()).isEqualTo("all");
    assertThat(received).hasValue(bytes);
    sent.join();
  }
}
