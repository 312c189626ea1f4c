package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.answering;
import static dev.peregrine.jdk.httpserver.TestServer.await;
import static dev.peregrine.jdk.httpserver.TestServer.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How servers stop: what is under way, what is idle, and the port. */
@Timeout(60)
class ServerStopIT {
  /** Much longer than a test may take. */
  private static final int LONG_SECONDS = 3600;

  private final CompletableFuture<String> entered = new CompletableFuture<>();
  private final CompletableFuture<String> released = new CompletableFuture<>();
  private final HttpHandler waiting =
      exchange -> {
        entered.complete("");
        TestServer.answer(exchange, 200, await(released));
      };

  @AfterEach
  void release() {
    released.complete("late");
  }

  private static CompletableFuture<Boolean> stopLater(TestServer server, int seconds) {
    return CompletableFuture.supplyAsync(
        () -> {
          server.http.stop(seconds);
          return true;
        },
        task -> Thread.ofPlatform().daemon().start(task));
  }

  /** Returns when no connection is accepted any more. */
  private static void awaitRefusal(int port) throws IOException {
    while (true) {
      try {
        RawClient.connect(port).close();
        Thread.onSpinWait();
      } catch (ConnectException refused) {
        return;
      } catch (SocketException reset) {
        Thread.onSpinWait(); // the server has stopped to listen meanwhile
      }
    }
  }

  @Test
  void freesThePortOfAServerThatWasNeverStarted() throws IOException {
    InetSocketAddress address = loopback(TestServer.ownPort());
    HttpServer first = HttpServer.create(address, 0);

    first.stop(0);

    HttpServer second = HttpServer.create(address, 0);
    assertThat(second.getAddress()).isEqualTo(address);
    second.stop(LONG_SECONDS);
  }

  @Test
  void stopsAtOnceIfNothingIsUnderWay() throws IOException {
    try (TestServer server = TestServer.start(answering("done"))) {
      assertThat(server.get("/").status()).isEqualTo(200);

      server.http.stop(LONG_SECONDS);

      awaitRefusal(server.port());
    }
  }

  @Test
  void closesIdleConnectionsAtOnce() throws IOException {
    try (TestServer server = TestServer.start(answering("done"));
        RawClient unused = server.connect();
        RawClient used = server.connect()) {
      assertThat(used.request("GET", "/").receive().status()).isEqualTo(200);

      server.http.stop(LONG_SECONDS);

      assertThat(used.isEnded()).isTrue();
      assertThat(unused.isEnded()).isTrue();
    }
  }

  @Test
  void doesNotWaitForHalfOfARequest() throws IOException {
    try (TestServer server = TestServer.start(answering("done"));
        RawClient client = server.connect()) {
      assertThat(client.request("GET", "/").receive().status()).isEqualTo(200);
      client.send("GET / HTTP/1.1\r\nHo");

      server.http.stop(LONG_SECONDS);

      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void doesNotWaitForExchangesThatHaveFailed() throws IOException {
    HttpHandler failing =
        exchange -> {
          switch (exchange.getRequestURI().getPath()) {
            case "/throws" -> throw new IllegalStateException("as the test wants");
            case "/closes" -> exchange.close();
            case "/short" -> {
              exchange.sendResponseHeaders(200, 10);
              exchange.getResponseBody().close();
            }
            default -> {
              TestServer.answer(exchange, 200, "whole");
              throw new IllegalStateException("late");
            }
          }
        };
    try (TestServer server = TestServer.start(failing);
        RawClient client = server.connect()) {
      for (String path : List.of("/throws", "/closes", "/short", "/late")) {
        assertThat(server.get(path).status()).isEqualTo(path.equals("/late") ? 200 : 500);
      }
      client.send("GET / HTTP/1.1\r\nHo");

      server.http.stop(LONG_SECONDS);

      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void waitsForAnExchangeThatIsUnderWay() throws IOException {
    try (TestServer server = TestServer.start(waiting);
        RawClient client = server.connect().request("GET", "/")) {
      await(entered);
      CompletableFuture<Boolean> stopped = stopLater(server, LONG_SECONDS);
      awaitRefusal(server.port());
      assertThat(stopped).isNotDone();

      released.complete("whole");

      assertThat(client.receive().content()).isEqualTo("whole");
      assertThat(await(stopped)).isTrue();
    }
  }

  @Test
  void waitsForAnExchangeThatTheExecutorHasYetToRun() throws IOException {
    try (TestServer server = TestServer.bound()) {
      CompletableFuture<Runnable> task = new CompletableFuture<>();
      server.http.setExecutor(task::complete);
      server.http.createContext("/", answering("whole"));
      server.http.start();
      try (RawClient client = server.connect().request("GET", "/")) {
        Runnable run = await(task);
        CompletableFuture<Boolean> stopped = stopLater(server, LONG_SECONDS);
        awaitRefusal(server.port());
        assertThat(stopped).isNotDone();

        run.run();

        assertThat(client.receive().content()).isEqualTo("whole");
        assertThat(await(stopped)).isTrue();
      }
    }
  }

  @Test
  void cutsAnExchangeThatOutlastsTheDelay() throws IOException {
    try (TestServer server = TestServer.start(waiting);
        RawClient client = server.connect().request("GET", "/")) {
      await(entered);

      server.http.stop(1);

      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void cutsExchangesAtOnceWithoutADelay() throws IOException {
    try (TestServer server = TestServer.start(waiting);
        RawClient client = server.connect().request("GET", "/")) {
      await(entered);

      server.http.stop(0);

      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void cutsAnExchangeIfAnotherThreadStopsWithoutADelay() throws IOException {
    try (TestServer server = TestServer.start(waiting);
        RawClient client = server.connect().request("GET", "/")) {
      await(entered);
      CompletableFuture<Boolean> patient = stopLater(server, LONG_SECONDS);
      awaitRefusal(server.port());

      server.http.stop(0);

      assertThat(client.isEnded()).isTrue();
      assertThat(await(patient)).isTrue();
    }
  }

  @Test
  void stopsWithinAHandler() throws IOException {
    CompletableFuture<String> returned = new CompletableFuture<>();
    HttpHandler stopping =
        exchange -> {
          TestServer.answer(exchange, 200, "last");
          exchange.getHttpContext().getServer().stop(LONG_SECONDS);
          returned.complete("stop has returned");
        };
    try (TestServer server = TestServer.start(stopping);
        RawClient client = server.connect().request("GET", "/")) {
      assertThat(client.receive().content()).isEqualTo("last");
      assertThat(await(returned)).isNotEmpty();
      awaitRefusal(server.port());
    }
  }

  @Test
  void stopsWithinAHandlerThatHasNotAnswered() throws IOException {
    CompletableFuture<Throwable> late = new CompletableFuture<>();
    HttpHandler stopping =
        exchange -> {
          exchange.getHttpContext().getServer().stop(0);
          try {
            TestServer.answer(exchange, 200, "never");
          } catch (IOException failure) {
            late.complete(failure);
          }
        };
    try (TestServer server = TestServer.start(stopping);
        RawClient client = server.connect().request("GET", "/")) {
      assertThat(client.isEnded()).isTrue();
      assertThat(await(late)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void mayBeStoppedAgain() throws IOException {
    try (TestServer server = TestServer.start(answering(""))) {
      server.http.stop(0);
      server.http.stop(0);
      server.http.stop(LONG_SECONDS);

      awaitRefusal(server.port());
    }
  }

  @Test
  void refusesANegativeDelayAndGoesOn() throws IOException {
    try (TestServer server = TestServer.start(answering("still here"))) {
      assertThatThrownBy(() -> server.http.stop(-1)).isInstanceOf(IllegalArgumentException.class);

      assertThat(server.get("/").content()).isEqualTo("still here");
    }
  }

  @Test
  void startsAgainOnTheSamePortManyTimes() throws IOException {
    InetSocketAddress address = new InetSocketAddress(TestServer.ownPort());
    List<String> contents = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      HttpServer http = HttpServer.create(address, 0);
      try (TestServer server = TestServer.of(http)) {
        http.createContext("/", answering("ok"));
        http.start();
        contents.add(server.get("/").content());
      }
    }

    assertThat(contents).hasSize(100).containsOnly("ok");
  }
}
