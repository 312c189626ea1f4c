package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.ReliefProbe;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A blocking handler, on a thread that its event loop carries, while another thread takes the loop.
 */
final class LeftCarriedHandlerIT {
  private static final int CLIENTS = 4;
  private static final int REQUESTS = 200;
  private static final long PAUSE_NANOS = 50_000;

  @RegisterExtension final Servers servers = new Servers();
  private final CompletableFuture<EventLoop> loop = new CompletableFuture<>();
  private final Set<Thread> handlers = ConcurrentHashMap.newKeySet();

  private HttpServer start(Handler handler) {
    HttpServer server =
        servers.start(
            Handlers.blocking(handler),
            options ->
                options.loops(1).limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build()));
    loop.complete(server.running().acceptors().getFirst().loop());
    return server;
  }

  private static void assumeCarried() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
  }

  /** The handler's call waits for the decision of the thread that takes its loop. */
  @Test
  void isAnsweredByWorkThatItSubmitsAtThisMoment() {
    assumeCarried();
    HttpServer server =
        start(
            (request, response) -> {
              response.async();
              ReliefProbe.beginToLeave(loop.join());
              response.onLoop(() -> response.text(request.path()));
            });
    RawClient client = servers.connect(server);

    for (int i = 0; i < 5; i++) {
      assertThat(client.get("/" + i).read().text()).isEqualTo("/" + i);
    }
  }

  /** A response that is sent whole is kept until the end of the step; what follows it is tasks. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sendsItsResponseBeforeItDoesWhatFollowsIt(boolean left) {
    assumeCarried();
    HttpServer server =
        start(
            (request, response) -> {
              response.text("sent");
              response.fail(new IllegalStateException("intended"));
              if (left) {
                ReliefProbe.leaveSpinning(loop.join());
              }
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("sent");
    servers.log().expectOne(Level.WARNING, "intended");
  }

  /** A stress: the loop is taken, and the stacks of the handlers are read, at any moment. */
  @Test
  void losesNothingAtAnyMoment() {
    HttpServer server = start(this::answer);
    AtomicBoolean over = new AtomicBoolean();
    repeat(over, () -> ReliefProbe.leaveAnyHandler(loop.join()));
    repeat(over, () -> handlers.forEach(Thread::getStackTrace));

    CompletableFuture<?>[] clients =
        IntStream.range(0, CLIENTS)
            .mapToObj(client -> CompletableFuture.runAsync(() -> exchange(server, client)))
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(clients).join();
    } finally {
      over.set(true);
    }
  }

  private static void repeat(AtomicBoolean over, Runnable work) {
    Thread ignored =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    work.run();
                    LockSupport.parkNanos(PAUSE_NANOS);
                  }
                });
  }

  private void exchange(HttpServer server, int client) {
    RawClient connection = servers.connect(server);
    for (int i = 0; i < REQUESTS; i++) {
      String path = "/" + (i * CLIENTS + client);
      assertThat(connection.get(path).read().text()).isEqualTo(path);
    }
  }

  private void answer(Request request, Response response) throws Exception {
    Thread thread = Thread.currentThread();
    handlers.add(thread);
    String text = request.path();
    switch (Integer.parseInt(text.substring(1)) / CLIENTS % 5) {
      case 0 -> response.text(text);
      case 1 -> {
        response.async();
        response.onLoop(() -> response.text(text));
      }
      case 2 -> {
        yieldTwice();
        response.text(text);
      }
      case 3 -> {
        response.async(() -> CompletableFuture.completedFuture(null));
        response.text(text);
      }
      default -> {
        try (OutputStream content = response.outputStream()) {
          content.write(Requests.bytes(text.substring(0, 1)));
          content.flush();
          yieldTwice();
          content.write(Requests.bytes(text.substring(1)));
        }
      }
    }
    handlers.remove(thread);
  }

  @SuppressWarnings("ThreadPriorityCheck") // a virtual thread gives its carrier back
  private static void yieldTwice() {
    Thread.yield();
    Thread.yield();
  }
}
