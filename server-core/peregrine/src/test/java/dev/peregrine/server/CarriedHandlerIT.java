package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.ReliefProbe;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Where the threads of blocking handlers run, and that nothing else differs by it. The tests run
 * once with and once without threads that the event loops carry.
 */
final class CarriedHandlerIT {
  private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
  private static final int PIPELINED = 16;

  @RegisterExtension final Servers servers = new Servers();

  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Object monitor = new Object();

  /** Ways to park. */
  enum Pause {
    YIELD,
    SLEEP,
    LOCK,
    MONITOR,
    FUTURE,
    UNPARKED
  }

  private HttpServer start(Handler handler) {
    return servers.start(Handlers.blocking(handler), options -> options.loops(1));
  }

  private static void assumeCarried() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
  }

  /** Returns the name of the platform thread under the calling virtual one. */
  private static String carrier() {
    String text = Thread.currentThread().toString();
    return text.substring(text.indexOf('@') + 1);
  }

  @SuppressWarnings({
    "ThreadPriorityCheck",
    "WaitNotInLoop"
  }) // a virtual thread gives its carrier back
  private void pause(Pause way) throws Exception {
    switch (way) {
      case YIELD -> Thread.yield();
      case SLEEP -> Thread.sleep(1);
      case LOCK -> new LinkedBlockingQueue<>(List.of("x")).take();
      case MONITOR -> {
        synchronized (monitor) {
          monitor.wait(1);
        }
      }
      case FUTURE -> {
        CompletableFuture<String> other = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> other.complete("x"));
        assertThat(other.get()).isEqualTo("x");
      }
      case UNPARKED -> {
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Pause.class)
  void runsOnTheLoopBeforeAndAfterEveryPause(Pause way) {
    assumeCarried();
    HttpServer server =
        start(
            (request, response) -> {
              String before = carrier();
              pause(way);
              response.text(before + " " + carrier() + " " + Thread.currentThread().getName());
            });
    RawClient client = servers.connect(server);

    for (int i = 0; i < 3; i++) {
      String loop = server.name() + "-loop-0";
      assertThat(client.get("/").read().text())
          .isEqualTo(loop + " " + loop + " " + loop + "-handler");
    }
  }

  /** The loop gets another thread in the first step, and again in a later one. */
  @Test
  void goesOnAfterItWasLeftByItsLoop() {
    assumeCarried();
    CompletableFuture<EventLoop> loop = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  ReliefProbe.leaveSpinning(loop.join());
                  pause(Pause.YIELD);
                  ReliefProbe.leaveSpinning(loop.join());
                  pause(Pause.YIELD);
                  response.text(request.path() + request.header("Host"));
                }),
            options ->
                options.loops(1).limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build()));
    loop.complete(server.running().acceptors().getFirst().loop());
    RawClient client = servers.connect(server);

    for (int i = 0; i < 5; i++) {
      assertThat(client.get("/" + i).read().text()).startsWith("/" + i);
    }
  }

  /** The response is sent while the handler still spins. */
  @Test
  void sendsTheResponseOfAHandlerThatIsLeftAfterIt() {
    assumeCarried();
    CompletableFuture<EventLoop> loop = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  response.text(request.path());
                  ReliefProbe.leaveSpinning(loop.join());
                  while (go.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                }),
            options ->
                options.loops(1).limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build()));
    loop.complete(server.running().acceptors().getFirst().loop());
    RawClient client = servers.connect(server);

    assertThat(client.get("/a").read().text()).isEqualTo("/a");
    go.countDown();
    assertThat(client.get("/b").read().text()).isEqualTo("/b");
  }

  @Test
  void runsCallbacksInTheOrderOfTheCalls() {
    BlockingQueue<String> order = new LinkedBlockingQueue<>();
    HttpServer server =
        start(
            (request, response) -> {
              response.onLoop(() -> order.add("on the loop"));
              response.beforeCommit(() -> order.add("before the commit"));
              response.text("x");
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("x");
    assertThat(order).containsExactly("on the loop", "before the commit");
  }

  @Test
  @OnlyHttp1("requests are pipelined")
  void sendsPipelinedResponsesInOrder() {
    HttpServer server =
        start(
            (request, response) -> {
              int number = Integer.parseInt(request.path().substring(1));
              if (number % 5 == 4) {
                pause(Pause.YIELD);
              }
              response.text("" + number);
            });
    RawClient client = servers.connect(server);

    for (int round = 0; round < 50; round++) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < PIPELINED; i++) {
        requests.append("GET /").append(i).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
      }
      client.send(requests.toString());
      for (int i = 0; i < PIPELINED; i++) {
        assertThat(client.read().text()).isEqualTo("" + i);
      }
    }
  }

  @Test
  void keepsThreadLocalsApart() {
    HttpServer server =
        start(
            (request, response) -> {
              String seen = LOCAL.get();
              LOCAL.set(request.path());
              pause(Pause.YIELD);
              response.text(seen + " " + LOCAL.get());
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/a").read().text()).isEqualTo("null /a");
    assertThat(client.get("/b").read().text()).isEqualTo("null /b");
  }

  @Test
  void keepsAnInterruptWithItsThread() {
    HttpServer server =
        start(
            (request, response) -> {
              boolean before = Thread.currentThread().isInterrupted();
              Thread.currentThread().interrupt();
              pause(Pause.YIELD);
              try (OutputStream out = response.outputStream()) {
                out.write(Requests.bytes(before + " "));
                out.flush();
                out.write(Requests.bytes("" + Thread.currentThread().isInterrupted()));
              }
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("false true");
    assertThat(client.get("/").read().text()).isEqualTo("false true");
  }

  @Test
  void letsOtherThreadsUseTheRequestFromTheBeginning() {
    HttpServer server =
        start(
            (request, response) -> {
              CompletableFuture<String> path = new CompletableFuture<>();
              Thread.ofPlatform().start(() -> path.complete(request.path()));
              response.header("X", "y").text(path.get());
            });
    RawClient client = servers.connect(server);

    for (int i = 0; i < 100; i++) {
      assertThat(client.get("/" + i).read().text()).isEqualTo("/" + i);
    }
  }

  @Test
  void startsVirtualThreadsElsewhere() {
    HttpServer server =
        start(
            (request, response) -> {
              response.async();
              Thread ignored =
                  Thread.startVirtualThread(
                      () -> {
                        LockSupport.parkNanos(1);
                        response.text(carrier());
                      });
            });

    assertThat(servers.connect(server).get("/").read().text()).startsWith("ForkJoinPool");
  }

  @Test
  void mayAskItsOwnServer() {
    AtomicReference<URI> address = new AtomicReference<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  int depth = Integer.parseInt(request.path().substring(1));
                  response.text(depth == 0 ? "end" : ask(address.get().resolve("/" + (depth - 1))));
                }),
            options -> options.loops(1));
    assumeTrue(!Servers.TLS && !Servers.HTTP_2, "the client of the JDK");
    address.set(URI.create("http://127.0.0.1:" + server.port() + "/"));

    assertThat(servers.connect(server).get("/5").read().text()).isEqualTo("end");
  }

  private static String ask(URI address) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
    connection.setRequestProperty("Connection", "close");
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void failsTheExchangeBeforeAndAfterAPause() {
    HttpServer server =
        start(
            (request, response) -> {
              if (request.pathIs("/later")) {
                pause(Pause.SLEEP);
              }
              throw new IllegalStateException("intended");
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/now").read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "intended");
    assertThat(client.get("/later").read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "intended");
  }

  @Test
  void continuesAfterTheClientHasGone() throws Exception {
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    CountDownLatch gone = new CountDownLatch(1);
    HttpServer server =
        start(
            (request, response) -> {
              response.onAbort(cause -> gone.countDown());
              OutputStream out = response.outputStream();
              begun.countDown();
              gone.await();
              pause(Pause.SLEEP);
              try {
                out.write(1);
                out.flush();
              } catch (IOException expected) {
                thrown.add(expected);
              }
            });
    RawClient client = servers.connect(server).get("/");

    begun.await();
    client.reset();

    assertThat(thrown.take()).hasMessageContaining("ended");
  }

  @Test
  void continuesAfterItsLoopHasEnded() throws Exception {
    BlockingQueue<String> result = new LinkedBlockingQueue<>();
    HttpServer server =
        start(
            (request, response) -> {
              begun.countDown();
              go.await();
              pause(Pause.SLEEP);
              pause(Pause.YIELD);
              assertThatThrownBy(() -> response.text("too late"))
                  .isInstanceOf(IllegalStateException.class);
              result.add("came to the end");
            });
    RawClient ignored = servers.connect(server).get("/");

    begun.await();
    server.close();
    go.countDown();

    assertThat(result.take()).isEqualTo("came to the end");
  }

  @Test
  void isAwaitedByAShutdown() throws Exception {
    HttpServer server =
        start(
            (request, response) -> {
              begun.countDown();
              go.await();
              response.text("done");
            });
    RawClient client = servers.connect(server).get("/");

    begun.await();
    CompletableFuture<Boolean> ended = Servers.shutdown(server);
    go.countDown();

    assertThat(client.read().text()).isEqualTo("done");
    assertThat(ended.join()).isTrue();
  }

  /** Code on the loop that waits for the lock of a blocking handler, and keeps the loop. */
  enum Holder {
    CALLBACK,
    HANDLER
  }

  @ParameterizedTest
  @EnumSource
  void isGivenALockForWhichItsLoopWaits(Holder holder) {
    ReentrantLock lock = new ReentrantLock();
    Handler blocking = Handlers.blocking((request, response) -> sendLocked(lock, response));
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/blocking")) {
                blocking.handle(request, response);
              } else if (holder == Holder.CALLBACK) {
                request.body().receiveAll(10, content -> sendLocked(lock, response));
              } else {
                sendLocked(lock, response);
              }
            },
            options ->
                options.loops(1).limits(Servers.LIMITS.toBuilder().leftHandlersMax(0).build()));
    RawClient first = servers.connect(server);
    RawClient second = servers.connect(server);

    lock.lock();
    try {
      first.get("/blocking");
      Await.until("the blocking handler waits", () -> lock.getQueueLength() == 1);
      second.post("/", new byte[3]);
      Await.until("the loop waits", () -> lock.getQueueLength() == 2);
    } finally {
      lock.unlock();
    }

    assertThat(first.read().text()).isEqualTo("locked");
    assertThat(second.read().text()).isEqualTo("locked");
  }

  private static void sendLocked(ReentrantLock lock, Response response) {
    lock.lock();
    try {
      response.text("locked");
    } finally {
      lock.unlock();
    }
  }

  @Test
  void losesAndMixesNothing() {
    HttpServer server =
        start(
            (request, response) -> {
              String path = request.path();
              Pause[] ways = Pause.values();
              int way = ThreadLocalRandom.current().nextInt(ways.length + 2);
              if (way < ways.length) {
                pause(ways[way]);
              }
              if (way % 2 == 0) {
                response.text(path + request.header("X"));
                return;
              }
              try (OutputStream out = response.outputStream()) {
                out.write(Requests.bytes(path));
                if (way % 3 == 0) {
                  out.flush();
                }
                out.write(Requests.bytes("" + request.header("X")));
              }
            });
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int c = 0; c < 8; c++) {
      RawClient client = servers.connect(server);
      String own = "client" + c;
      clients.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 300; i++) {
                  client.send("GET /" + i + " HTTP/1.1\r\nHost: a\r\nX: " + own + "\r\n\r\n");
                  assertThat(client.read().text()).isEqualTo("/" + i + own);
                }
              },
              work -> Thread.ofPlatform().start(work)));
    }
    clients.forEach(CompletableFuture::join);
  }
}
