package dev.peregrine.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import io.netty.util.concurrent.BlockingOperationException;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Callbacks of Netty's futures on event loops of the server. */
final class LoopExecutorIT {
  @RegisterExtension final Servers servers = new Servers();

  private final DefaultEventExecutor client = new DefaultEventExecutor(); // of a Netty client

  @AfterEach
  void endClient() {
    client.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** Counts what is handed over to the loop. */
  private static final class Counting extends ForwardingResponse {
    final AtomicInteger handOvers = new AtomicInteger();

    Counting(Response wrapped) {
      super(wrapped);
    }

    @Override
    public void onLoop(Runnable work) {
      handOvers.incrementAndGet();
      super.onLoop(work);
    }
  }

  @Test
  void aCallbackRunsOnTheLoopAfterOneHandOver() {
    CompletableFuture<Counting> counted = new CompletableFuture<>();
    CompletableFuture<Thread> loop = new CompletableFuture<>();
    List<Thread> threads = new CopyOnWriteArrayList<>();
    Promise<String> value = client.newPromise();
    RawClient caller =
        servers
            .connect(
                servers.start(
                    (request, response) -> {
                      loop.complete(Thread.currentThread());
                      Counting counting = new Counting(response.async());
                      LoopExecutor executor = LoopExecutor.of(counting);
                      executor
                          .relay(value)
                          .addListener(
                              done -> {
                                threads.add(Thread.currentThread());
                                assertThat(executor.inEventLoop()).isTrue();
                                response.text("" + done.getNow());
                              });
                      counted.complete(counting);
                    }))
            .get("/");
    assertThat(counted.join().handOvers).hasValue(0);

    value.setSuccess("value");

    assertThat(caller.read().text()).isEqualTo("value");
    assertThat(counted.join().handOvers).hasValue(1);
    assertThat(threads).containsExactly(loop.join());
  }

  @Test
  void tasksRunInTheirOrderAndMayNotWait() {
    List<Integer> order = new CopyOnWriteArrayList<>();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    RawClient caller =
        servers
            .connect(
                servers.start(
                    (request, response) -> {
                      LoopExecutor executor = LoopExecutor.of(response.async());
                      client.execute(
                          () -> {
                            for (int i = 0; i < 100; i++) {
                              int number = i;
                              executor.execute(() -> order.add(number));
                            }
                            executor.execute(
                                () -> {
                                  try {
                                    executor.newPromise().await(1);
                                  } catch (Throwable failure) {
                                    thrown.complete(failure);
                                  }
                                  response.text("done");
                                });
                          });
                    }))
            .get("/");

    assertThat(caller.read().text()).isEqualTo("done");
    assertThat(order).isSorted().hasSize(100);
    assertThat(thrown.join()).isInstanceOf(BlockingOperationException.class);
  }

  @Test
  void anExceptionOfATaskFailsItsExchange() {
    RawClient caller =
        servers
            .connect(
                servers.start(
                    (request, response) -> {
                      LoopExecutor executor = LoopExecutor.of(response.async());
                      client.execute(
                          () ->
                              executor.execute(
                                  () -> {
                                    throw new IllegalStateException("intended");
                                  }));
                    }))
            .get("/");

    assertThat(caller.read().status()).isEqualTo(500);
    servers.log().expectOne(Level.SEVERE, "intended");
  }

  /** Such as the release of what the client of another server has received. */
  @Test
  void tasksRunAfterTheEndOfTheExchangeToo() {
    CompletableFuture<LoopExecutor> made = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Promise<String> value = client.newPromise();
    AtomicInteger calls = new AtomicInteger();
    RawClient caller =
        servers
            .connect(
                servers.start(
                    (request, response) -> {
                      response.async();
                      LoopExecutor executor = LoopExecutor.of(response);
                      executor
                          .relay(value)
                          .addListener(
                              done -> {
                                calls.incrementAndGet();
                                response.text("too late");
                              });
                      response.onComplete(outcome -> ended.complete(true));
                      made.complete(executor);
                    }))
            .get("/");
    LoopExecutor executor = made.join();

    caller.reset();
    assertThat(ended.join()).isTrue();
    value.setSuccess("late");

    Await.until("the listener is called", () -> calls.get() == 1);
    assertThat(executor.shutdownGracefully().cause())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /** A task that completes the response need not expect that others run within it. */
  @Test
  void aTaskThatEndsTheExchangeReturnsBeforeTheNextBegins() {
    List<String> order = new CopyOnWriteArrayList<>();
    CompletableFuture<Boolean> ran = new CompletableFuture<>();
    RawClient caller =
        servers
            .connect(
                servers.start(
                    (request, response) -> {
                      LoopExecutor executor = LoopExecutor.of(response.async());
                      executor.execute(
                          () -> {
                            order.add("begin");
                            response.text("done");
                            order.add("end");
                          });
                      executor.execute(
                          () -> {
                            order.add("next");
                            ran.complete(true);
                          });
                    }))
            .get("/");

    assertThat(caller.read().text()).isEqualTo("done");
    assertThat(ran.join()).isTrue();
    assertThat(order).containsExactly("begin", "end", "next");
  }

  @Test
  void tasksRunOneAtATimeAfterTheEndOfTheExchangeToo() throws Exception {
    CompletableFuture<LoopExecutor> made = new CompletableFuture<>();
    RawClient caller =
        servers
            .connect(
                servers.start(
                    (request, response) -> {
                      LoopExecutor executor = LoopExecutor.of(response.async());
                      response.onComplete(outcome -> made.complete(executor));
                      response.text("done");
                    }))
            .get("/");
    assertThat(caller.read().text()).isEqualTo("done");
    LoopExecutor executor = made.join();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    List<String> order = new CopyOnWriteArrayList<>();

    client.execute(
        () ->
            executor.execute(
                () -> {
                  begun.countDown();
                  try {
                    mayEnd.await();
                  } catch (InterruptedException impossible) {
                    throw new IllegalStateException(impossible);
                  }
                  executor.execute(() -> order.add("submitted by a task"));
                  order.add("first");
                }));
    begun.await();
    executor.execute(() -> order.add("second"));
    mayEnd.countDown();

    Await.until("all tasks have run", () -> order.size() == 3);
    assertThat(order).containsExactly("first", "second", "submitted by a task");
  }
}
