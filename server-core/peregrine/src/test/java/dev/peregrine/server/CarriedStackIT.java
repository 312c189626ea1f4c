package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Blocking handlers whose stacks are read by other threads. */
final class CarriedStackIT {
  @RegisterExtension final Servers servers = new Servers();

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  /**
   * A monitor, a debugger or the watchdog reads the stack of a handler that has been unparked,
   * while its loop is busy. The JDK then says once more that the thread can run.
   */
  @Test
  void losesNoResponseWhenTheStackOfAnUnparkedHandlerIsRead() throws Exception {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    CompletableFuture<Response> parked = new CompletableFuture<>();
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    Handler parking =
        Handlers.blocking(
            (request, response) -> {
              thread.complete(Thread.currentThread());
              parked.complete(response);
              go.await();
            });
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/busy")) {
                begun.countDown();
                while (done.getCount() > 0) { // a loop that waits gets help from another thread
                  Thread.onSpinWait();
                }
                response.text("busy");
              } else {
                parking.handle(request, response);
              }
            },
            options -> options.loops(1));
    RawClient client = servers.connect(server).get("/");
    Response response = parked.join();
    RawClient other = servers.connect(server).get("/busy");
    begun.await(); // so the handler has parked, and the loop takes no task

    response.text("answer");
    go.countDown();
    thread.join().getStackTrace();
    done.countDown();

    assertThat(client.read().text()).isEqualTo("answer");
    assertThat(other.read().text()).isEqualTo("busy");
  }
}
