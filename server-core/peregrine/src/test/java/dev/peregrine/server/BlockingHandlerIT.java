package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handlers;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers on virtual threads, with streams in and out. */
final class BlockingHandlerIT {
  private static final int LARGE = 20_000_000;

  /** The bytes for a blocking handler with which the loop stops reading. */
  private static final long WAITING = 64 * 1024;

  /** Has a loop read on while the handler that it carries spins. */
  private static final ServerLimits LEAVES_SPINNING =
      Servers.LIMITS.toBuilder().leftHandlersMax(1).build();

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void runsOnAVirtualThread() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> response.text("" + Thread.currentThread().isVirtual())));

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("true");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copiesLargeContentBothWaysAtOnce(boolean chunked) {
    byte[] content = Requests.content(LARGE);
    RawClient client = servers.connect(servers.start(Echo.BLOCKING.handler()));

    CompletableFuture<Void> sent =
        client.sendMeanwhile(
            chunked ? Requests.chunkedPost("/", content, 30_000) : Requests.post("/", content));
    RawResponse response = client.read();
    sent.join();

    assertThat(response.content()).isEqualTo(content);
  }

  /**
   * The stream has less than {@link #WAITING} bytes when a last read of as many adds to them.
   * Beside it the loop keeps one read of HTTP/1, or a window of HTTP/2. That has as many bytes too,
   * or twice as many if it has grown; the stream doesn't take enough for it to grow again. Blocks
   * are up to twice as large as the bytes in them.
   */
  @Test
  void readsNoFasterThanTheHandlerDoes() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicLong received = new AtomicLong();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (InputStream in = request.body().inputStream()) {
                    while (in.available() < WAITING) {
                      LockSupport.parkNanos(10_000); // lets a loop that carries the handler read on
                    }
                    received.set(in.available());
                    go.await();
                    assertThat(in.available()).isEqualTo(received.intValue());
                    received.set(in.transferTo(OutputStream.nullOutputStream()));
                  }
                  response.text("done");
                }));
    RawClient client = servers.connect(server);
    long idle = server.bufferBytesInUse();

    CompletableFuture<Void> sent =
        client.sendMeanwhile(Requests.post("/", Requests.content(LARGE)));
    Await.until("the stream is full", () -> received.get() > 0);
    awaitStandstill(server::bufferBytesInUse);
    assertThat(received.get()).isLessThan(2 * WAITING);
    assertThat(server.bufferBytesInUse() - idle).isLessThan((Servers.HTTP_2 ? 8 : 4) * WAITING);
    go.countDown();

    assertThat(client.read().text()).isEqualTo("done");
    sent.join();
    assertThat(received).hasValue(LARGE);
  }

  @Test
  @OnlyHttp1("a connection of HTTP/2 keeps memory for its other streams")
  void holdsNoMemoryForContentThatWasRead() throws Exception {
    BlockingQueue<Integer> read = new LinkedBlockingQueue<>();
    CountDownLatch go = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  read.add(request.body().inputStream().readAllBytes().length);
                  go.await();
                  response.text("done");
                }));
    RawClient client = servers.connect(server).post("/", new byte[1]);
    assertThat(read.take()).isEqualTo(1);
    long idle = server.bufferBytesInUse();
    RawClient other = servers.connect(server);

    CompletableFuture<Void> sent = other.sendMeanwhile(Requests.post("/", Requests.content(LARGE)));

    assertThat(read.take()).isEqualTo(LARGE);
    Await.until("memory is given back", () -> server.bufferBytesInUse() - idle < 40 * 1024);
    go.countDown();
    assertThat(client.read().text()).isEqualTo("done");
    assertThat(other.read().text()).isEqualTo("done");
    sent.join();
  }

  @Test
  void readsWhatHadArrivedBeforeTheClientWentAway() throws Exception {
    byte[] content = Requests.content(20_000);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    BlockingQueue<byte[]> read = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  response.onAbort(cause -> gone.countDown());
                  InputStream in = request.body().inputStream();
                  while (in.available() < content.length) {
                    Thread.onSpinWait();
                  }
                  begun.countDown();
                  gone.await();
                  read.add(in.readAllBytes());
                  assertThat(in.read()).isEqualTo(-1);
                  response.text("nobody listens");
                }),
            LEAVES_SPINNING);
    long idle = server.bufferBytesInUse();
    RawClient client = servers.connect(server).post("/", content);

    begun.await();
    client.reset();

    assertThat(read.take()).isEqualTo(content);
    Await.until("memory is given back", () -> server.bufferBytesInUse() <= idle);
  }

  @Test
  void writesNoFasterThanTheClientReads() {
    AtomicLong written = new AtomicLong();
    byte[] part = Requests.content(10_000);
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (OutputStream out = response.outputStream()) {
                    for (int i = 0; i < 10_000; i++) {
                      out.write(part);
                      written.addAndGet(part.length);
                    }
                  }
                }));
    RawClient client = servers.connect(server, 8 * 1024).get("/");
    long idle = server.bufferBytesInUse();

    awaitStandstill(written::get);
    assertThat(written.get()).isLessThan(100_000_000);
    assertThat(server.bufferBytesInUse() - idle).isLessThan(1024 * 1024);

    assertThat(client.read().content()).hasSize(100_000_000);
  }

  @Test
  void sendsFlushedContentWhileTheHandlerContinues() throws Exception {
    BlockingQueue<String> toWrite = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (OutputStream out = response.outputStream()) {
                    for (String text = toWrite.take(); !text.isEmpty(); text = toWrite.take()) {
                      out.write(Requests.bytes(text));
                      out.flush();
                    }
                  }
                }));
    RawClient client = servers.connect(server).get("/");

    toWrite.add("first");
    assertThat(client.readUntil("\r\n\r\n")).contains("Transfer-Encoding: chunked");
    assertThat(client.readBytes(10)).isEqualTo(Requests.bytes("5\r\nfirst\r\n"));
    toWrite.add("second");
    assertThat(client.readBytes(11)).isEqualTo(Requests.bytes("6\r\nsecond\r\n"));
    toWrite.add("");
    assertThat(client.readBytes(5)).isEqualTo(Requests.bytes("0\r\n\r\n"));
  }

  @Test
  void sendsAllContentWhoseFlushesAreInterrupted() {
    byte[] piece = Requests.content(15_000); // less than the stream gathers
    int pieces = 200;
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  OutputStream out = response.outputStream();
                  for (int i = 0; i < pieces; i++) {
                    out.write(piece);
                    flushInterrupted(out);
                  }
                  out.close();
                }));

    byte[] received = servers.connect(server).get("/").read().content();

    assertThat(received).hasSize(pieces * piece.length);
    assertThat(received).endsWith(piece);
  }

  private static void flushInterrupted(OutputStream out) throws IOException {
    Thread.currentThread().interrupt();
    try {
      out.flush();
    } catch (IOException interrupted) {
      // the bytes were passed on
    } finally {
      boolean ignored = Thread.interrupted();
    }
  }

  @Test
  void endsAnOutputStreamThatTheHandlerLeftOpen() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> response.outputStream().write(Requests.bytes("left open"))));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("left open");
    assertThat(client.get("/").read().text()).isEqualTo("left open");
  }

  @Test
  void endsAStreamThatTheHandlerLeftOpen() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> response.stream().write(Requests.bytes("left open"))));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("left open");
    assertThat(client.get("/").read().text()).isEqualTo("left open");
  }

  @Test
  void rejectsWritesToAClosedStream() throws InterruptedException {
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  InputStream in = request.body().inputStream();
                  in.close();
                  assertThatThrownBy(in::read).isInstanceOf(IOException.class);
                  OutputStream out = response.outputStream();
                  out.write('a');
                  out.close();
                  out.close();
                  assertThatThrownBy(() -> out.write('b')).isInstanceOf(IOException.class);
                  assertThatThrownBy(out::flush).isInstanceOf(IOException.class);
                  thrown.add(new Throwable("came to the end"));
                }));

    assertThat(servers.connect(server).post("/", new byte[10]).read().text()).isEqualTo("a");
    assertThat(thrown.poll(120, TimeUnit.SECONDS)).hasMessage("came to the end");
  }

  @Test
  void handsContentOutOnce() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  InputStream in = request.body().inputStream();
                  assertThatThrownBy(() -> request.body().inputStream())
                      .isInstanceOf(IllegalStateException.class);
                  assertThatThrownBy(() -> request.body().receiveAll(1, content -> {}))
                      .isInstanceOf(IllegalStateException.class);
                  response.send(in.readAllBytes());
                }));

    assertThat(servers.connect(server).post("/", new byte[5]).read().content())
        .isEqualTo(new byte[5]);
  }

  @Test
  void throwsInsteadOfBlockingAnEventLoop() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThatThrownBy(() -> request.body().inputStream())
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("Handlers.blocking");
              response.text("unharmed");
            });

    assertThat(servers.connect(server).post("/", new byte[5]).read().text()).isEqualTo("unharmed");
  }

  @Test
  void returnsAnEmptyStreamWithoutContent() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) ->
                    response.text("" + request.body().inputStream().readAllBytes().length)));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("0");
    assertThat(client.post("/", new byte[0]).read().text()).isEqualTo("0");
    client.send(Requests.chunkedPost("/", new byte[0], 1));
    assertThat(client.read().text()).isEqualTo("0");
  }

  @Test
  void readsInEveryWayAStreamCanBeRead() {
    byte[] content = Requests.content(5_000);
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  InputStream in = request.body().inputStream();
                  assertThat(in.read(new byte[4], 1, 0)).isZero();
                  byte[] own = new byte[5_000];
                  for (int i = 0; i < 1_000; i++) {
                    own[i] = (byte) in.read();
                  }
                  assertThatThrownBy(() -> in.read(own, 4_999, 2))
                      .isInstanceOf(IndexOutOfBoundsException.class);
                  assertThat(in.readNBytes(own, 1_000, 2_000)).isEqualTo(2_000);
                  assertThat(in.skip(1_000)).isEqualTo(1_000);
                  assertThat(in.readNBytes(own, 4_000, 1_000)).isEqualTo(1_000);
                  assertThat(in.read()).isEqualTo(-1);
                  response.send(own);
                }));

    byte[] echoed = servers.connect(server).post("/", content).read().content();

    for (int i = 3_000; i < 4_000; i++) {
      content[i] = 0;
    }
    assertThat(echoed).isEqualTo(content);
  }

  @Test
  void seesEachRequestAsItWasSentWhileTheLoopContinues() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  Map<String, String> all = new TreeMap<>();
                  for (int i = 0; i < request.headerCount(); i++) {
                    all.put(request.headerName(i), request.headerValue(i));
                  }
                  response.text(request.target() + all);
                }),
            options -> options.loops(1));
    String host = Servers.received("Host");
    String x = Servers.received("X");
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int c = 0; c < 8; c++) {
      String own = ("" + (char) ('a' + c)).repeat(20 + 90 * c);
      RawClient client = servers.connect(server);
      clients.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 500; i++) {
                  client.send(
                      "GET /" + own + " HTTP/1.1\r\nHost: " + own + "\r\nX: " + own + "\r\n\r\n");
                  assertThat(client.read().text())
                      .isEqualTo("/%s{%s=%s, %s=%s}".formatted(own, host, own, x, own));
                }
              },
              work -> Thread.ofPlatform().daemon().start(work)));
    }
    clients.forEach(CompletableFuture::join);
  }

  /** Waits until a number stays the same over many reads. */
  private static void awaitStandstill(LongSupplier number) {
    long[] seen = {-1, 0};
    Await.until(
        "the other side waits",
        () -> {
          long now = number.getAsLong();
          seen[1] = now == seen[0] ? seen[1] + 1 : 0;
          seen[0] = now;
          return now > 0 && seen[1] >= 200;
        });
  }
}
