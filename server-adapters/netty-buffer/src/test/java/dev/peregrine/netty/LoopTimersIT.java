package dev.peregrine.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Response;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that event loops run later. */
final class LoopTimersIT {
  @RegisterExtension final Servers servers = new Servers();

  private final CompletableFuture<Thread> loop = new CompletableFuture<>();
  private final CompletableFuture<LoopExecutor> made = new CompletableFuture<>();
  private final CompletableFuture<Response> begun = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Sends a request, and uses its executor on the calling thread. */
  private RawClient request(BiConsumer<LoopExecutor, Response> use) {
    RawClient client =
        servers
            .connect(
                servers.start(
                    (request, response) -> {
                      response.async();
                      loop.complete(Thread.currentThread());
                      made.complete(LoopExecutor.of(response));
                      response.onComplete(outcome -> ended.complete(null));
                      begun.complete(response);
                    }))
            .get("/");
    use.accept(made.join(), begun.join());
    return client;
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000, 0, -1, Long.MIN_VALUE})
  void aTaskRunsOnTheLoopAfterItsDelay(long nanos) {
    List<Thread> threads = new CopyOnWriteArrayList<>();
    RawClient client =
        request(
            (executor, response) ->
                executor
                    .schedule(
                        () -> {
                          threads.add(Thread.currentThread());
                          assertThat(executor.inEventLoop()).isTrue();
                          return "value";
                        },
                        nanos,
                        TimeUnit.NANOSECONDS)
                    .addListener((Future<String> done) -> response.text(done.getNow())));

    assertThat(client.read().text()).isEqualTo("value");
    assertThat(threads).containsExactly(loop.join());
  }

  @Test
  void aTaskDoesNotWaitForOneThatIsDueLater() {
    AtomicInteger calls = new AtomicInteger();
    RawClient client =
        request(
            (executor, response) ->
                executor.execute(
                    () -> {
                      ScheduledFuture<?> later =
                          executor.schedule(calls::incrementAndGet, 1, TimeUnit.HOURS);
                      ScheduledFuture<?> ignored =
                          executor.schedule(
                              () -> response.text("calls: " + calls + ", " + later.isDone()),
                              1,
                              TimeUnit.MILLISECONDS);
                    }));

    assertThat(client.read().text()).isEqualTo("calls: 0, false");
  }

  @Test
  void aCancelledTaskDoesNotRun() {
    AtomicInteger calls = new AtomicInteger();
    RawClient client =
        request(
            (executor, response) -> {
              ScheduledFuture<?> first =
                  executor.schedule(calls::incrementAndGet, 1, TimeUnit.HOURS);
              ScheduledFuture<?> second =
                  executor.schedule(calls::incrementAndGet, 2, TimeUnit.HOURS);
              assertThat(first.cancel(false)).isTrue();
              executor.execute(
                  () -> {
                    assertThat(second.cancel(true)).isTrue();
                    ScheduledFuture<?> ignored =
                        executor.schedule(
                            () -> response.text("calls: " + calls), 1, TimeUnit.MILLISECONDS);
                  });
            });

    assertThat(client.read().text()).isEqualTo("calls: 0");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskWithAPeriodRunsUntilItIsCancelled(boolean fixedRate) {
    AtomicInteger calls = new AtomicInteger();
    CompletableFuture<ScheduledFuture<?>> scheduled = new CompletableFuture<>();
    RawClient client =
        request(
            (executor, response) -> {
              Runnable task =
                  () -> {
                    if (calls.incrementAndGet() == 3) {
                      scheduled.join().cancel(false);
                      ScheduledFuture<?> ignored =
                          executor.schedule(
                              () -> response.text("calls: " + calls), 5, TimeUnit.MILLISECONDS);
                    }
                  };
              scheduled.complete(
                  fixedRate
                      ? executor.scheduleAtFixedRate(task, 1, 1, TimeUnit.MILLISECONDS)
                      : executor.scheduleWithFixedDelay(task, 1, 1, TimeUnit.MILLISECONDS));
            });

    assertThat(client.read().text()).isEqualTo("calls: 3");
  }

  /** As with each of Netty's executors. */
  @Test
  void anExceptionFailsTheFutureAlone() {
    RawClient client =
        request(
            (executor, response) ->
                executor
                    .schedule(
                        () -> {
                          throw new IllegalStateException("intended");
                        },
                        1,
                        TimeUnit.MILLISECONDS)
                    .addListener(done -> response.text(String.valueOf(done.cause().getMessage()))));

    assertThat(client.read().text()).isEqualTo("intended");
  }

  @Test
  void theEndOfTheExchangeCancelsWhatWaitsAndRejectsTheRest() {
    CompletableFuture<ScheduledFuture<?>> waiting = new CompletableFuture<>();
    CompletableFuture<ScheduledFuture<?>> periodic = new CompletableFuture<>();
    RawClient client =
        request(
            (executor, response) -> {
              waiting.complete(executor.schedule(() -> {}, 1, TimeUnit.HOURS));
              periodic.complete(
                  executor.scheduleAtFixedRate(
                      () -> response.text("done"), 1, 1_000_000, TimeUnit.MILLISECONDS));
            });

    assertThat(client.read().text()).isEqualTo("done");
    ended.join();
    assertThat(waiting.join().awaitUninterruptibly().isCancelled()).isTrue();
    assertThat(periodic.join().awaitUninterruptibly().isCancelled()).isTrue();
    assertThatThrownBy(() -> made.join().schedule(() -> {}, 1, TimeUnit.MILLISECONDS))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("the exchange has ended");
  }
}
