package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.answering;
import static dev.peregrine.jdk.httpserver.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On which threads handlers run. */
@Timeout(60)
class ExecutorIT {
  /** Tells its thread: virtual or not, and the name. */
  private static final HttpHandler THREAD =
      exchange -> {
        Thread self = Thread.currentThread();
        TestServer.answer(exchange, 200, self.isVirtual() + " " + self.getName());
      };

  private static TestServer start(@Nullable Executor executor, HttpHandler handler)
      throws IOException {
    TestServer server = TestServer.bound();
    server.http.setExecutor(executor);
    server.http.createContext("/", handler);
    server.http.start();
    return server;
  }

  private static void closeAll(List<RawClient> clients) throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
  }

  @Test
  void runsHandlersOnVirtualThreadsWithoutAnExecutor() throws IOException {
    try (TestServer unset = TestServer.start(THREAD);
        TestServer none = start(null, THREAD)) {
      assertThat(unset.http.getExecutor()).isNull();
      assertThat(unset.get("/").content()).matches("true \\S+-loop-\\d+-handler");
      assertThat(none.get("/").content()).matches("true \\S+-loop-\\d+-handler");
    }
  }

  @Test
  void doesNotLetAnExecutorWithoutThreadsBlockTheLoops() throws IOException {
    CompletableFuture<String> released = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/wait")) {
            await(released);
          }
          THREAD.handle(exchange);
        };
    List<RawClient> waiting = new ArrayList<>();
    try (TestServer server = start(Runnable::run, handler)) {
      for (int i = 0; i < 8; i++) {
        waiting.add(server.connect().request("GET", "/wait"));
      }
      for (int i = 0; i < 8; i++) {
        assertThat(server.get("/").content()).startsWith("true ");
      }
      released.complete("");
      for (RawClient client : waiting) {
        assertThat(client.receive().content()).startsWith("true ");
      }
    } finally {
      closeAll(waiting);
    }
  }

  /** The tasks that may run wait for content, which the event loops have to deliver. */
  @Test
  void servesByAnExecutorThatBlocksItsCaller() throws Exception {
    Semaphore permits = new Semaphore(1);
    CompletableFuture<String> entered = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          entered.complete("");
          byte[] content = exchange.getRequestBody().readAllBytes();
          TestServer.answer(exchange, 200, content.length + " bytes");
        };
    List<RawClient> clients = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool();
        TestServer server =
            start(
                task -> {
                  permits.acquireUninterruptibly();
                  threads.execute(
                      () -> {
                        task.run();
                        permits.release();
                      });
                },
                handler)) {
      for (int i = 0; i < 8; i++) {
        clients.add(
            server.connect().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n01234"));
      }
      await(entered);
      for (RawClient client : clients) {
        client.send("56789");
      }
      for (RawClient client : clients) {
        assertThat(client.receive().content()).isEqualTo("10 bytes");
      }
    } finally {
      closeAll(clients);
    }
  }

  @Test
  void doesNotRunHandlersOnTheLoopIfAFullPoolLeavesThemToTheCaller() throws IOException {
    CompletableFuture<String> released = new CompletableFuture<>();
    CompletableFuture<String> entered = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/wait")) {
            entered.complete("");
            await(released);
          }
          THREAD.handle(exchange);
        };
    try (ThreadPoolExecutor pool =
            new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new ThreadPoolExecutor.CallerRunsPolicy());
        TestServer server = start(pool, handler);
        RawClient first = server.connect().request("GET", "/wait")) {
      await(entered);

      assertThat(server.get("/").content()).matches("true \\S+-handler");

      released.complete("");
      assertThat(first.receive().content()).startsWith("false pool-");
    }
  }

  @Test
  void servesManyConnectionsByAFewThreads() throws IOException {
    Set<String> names = ConcurrentHashMap.newKeySet();
    HttpHandler handler =
        exchange -> {
          names.add(Thread.currentThread().getName());
          TestServer.answer(exchange, 200, "ok");
        };
    for (int threads = 1; threads <= 2; threads++) {
      names.clear();
      List<RawClient> clients = new ArrayList<>();
      try (ExecutorService pool = Executors.newFixedThreadPool(threads);
          TestServer server = start(pool, handler)) {
        for (int i = 0; i < 20; i++) {
          clients.add(server.connect());
        }
        for (int round = 0; round < 10; round++) {
          for (RawClient client : clients) {
            client.request("GET", "/");
          }
          for (RawClient client : clients) {
            assertThat(client.receive().content()).isEqualTo("ok");
          }
        }
        assertThat(names).hasSizeBetween(1, threads).allMatch(name -> name.startsWith("pool-"));
      } finally {
        closeAll(clients);
      }
    }
  }

  @Test
  void holdsNoThreadForAConnectionBetweenItsRequests() throws IOException {
    try (ExecutorService single = Executors.newSingleThreadExecutor();
        TestServer server = start(single, answering("ok"));
        RawClient half = server.connect().send("GET / HTTP/1.1\r\nHo");
        RawClient idle = server.connect().request("GET", "/")) {
      assertThat(idle.receive().content()).isEqualTo("ok");
      assertThat(server.get("/").content()).isEqualTo("ok");

      assertThat(half.send("st: a\r\n\r\n").receive().content()).isEqualTo("ok");
      assertThat(idle.request("GET", "/").receive().content()).isEqualTo("ok");
    }
  }

  @Test
  void answers503IfTheExecutorRejectsAndGoesOn() throws IOException {
    AtomicInteger tasks = new AtomicInteger();
    Executor every =
        task -> {
          if (tasks.incrementAndGet() == 1) {
            throw new RejectedExecutionException("full");
          }
          Thread.startVirtualThread(task);
        };
    try (TestServer server = start(every, answering("ok"));
        RawClient client = server.connect().request("GET", "/")) {
      assertThat(client.receive().status()).isEqualTo(503);
      assertThat(client.isEnded()).isTrue();
      assertThat(server.get("/").content()).isEqualTo("ok");
    }
  }

  @Test
  void answers503IfTheExecutorIsShutDownAndCanStopThen() throws IOException {
    try (ExecutorService pool = Executors.newFixedThreadPool(1);
        TestServer server = start(pool, answering("ok"))) {
      pool.shutdown();

      assertThat(server.get("/").status()).isEqualTo(503);
      server.http.stop(3600);
    }
  }

  @Test
  void answers500IfTheExecutorThrows() throws IOException {
    Executor broken =
        task -> {
          throw new IllegalStateException("on purpose");
        };
    try (TestServer server = start(broken, answering("ok"))) {
      assertThat(server.get("/").status()).isEqualTo(500);
      assertThat(server.get("/").status()).isEqualTo(500);
    }
  }

  @Test
  void takesAnExecutorOnlyBeforeItsStart() throws IOException {
    try (ExecutorService pool = Executors.newCachedThreadPool();
        TestServer server = TestServer.bound()) {
      server.http.createContext("/", THREAD);
      server.http.setExecutor(Runnable::run);
      server.http.setExecutor(pool);
      assertThat(server.http.getExecutor()).isSameAs(pool);
      server.http.start();

      assertThatThrownBy(() -> server.http.setExecutor(null))
          .isInstanceOf(IllegalStateException.class);
      assertThat(server.http.getExecutor()).isSameAs(pool);
      assertThat(server.get("/").content()).startsWith("false pool-");
      server.http.stop(0);
      assertThat(pool.isShutdown()).isFalse();
    }
  }
}
