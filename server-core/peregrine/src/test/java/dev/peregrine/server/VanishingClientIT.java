package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that disconnect at every stage of a request and its response. After each test {@link
 * Servers} checks that no connection and no buffer is left, and that no error was logged.
 */
final class VanishingClientIT {
  private static final byte[] LARGE = Requests.content(8_000_000);

  /** The ways in which a client disconnects. */
  enum End {
    RESET,
    CLOSE;

    void apply(RawClient client) {
      if (this == RESET) {
        client.reset();
      } else {
        client.close();
      }
    }
  }

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @EnumSource
  void beforeItSentAnything(End end) {
    HttpServer server = servers.start((request, response) -> response.send());
    for (int i = 0; i < 50; i++) {
      end.apply(servers.connect(server));
    }
    expectUnharmed(server);
  }

  @ParameterizedTest
  @EnumSource
  void atEveryByteOfARequestWithoutContent(End end) {
    HttpServer server = servers.start(VanishingClientIT::answer);
    goAtEveryByte(server, Requests.get("/"), end);
  }

  @ParameterizedTest
  @EnumSource
  void atEveryByteOfARequestWithContent(End end) {
    for (Echo echo : Echo.values()) {
      HttpServer server =
          servers.start(
              (request, response) -> {
                if (request.method() == HttpMethod.GET) {
                  answer(request, response);
                } else {
                  echo.handler().handle(request, response);
                }
              });
      goAtEveryByte(server, Requests.post("/", Requests.content(30)), end);
      goAtEveryByte(server, Requests.chunkedPost("/", Requests.content(30), 11), end);
    }
  }

  @ParameterizedTest
  @EnumSource
  void betweenManyRequests(End end) {
    HttpServer server = servers.start(VanishingClientIT::answer);
    for (int i = 0; i < 20; i++) {
      RawClient client = servers.connect(server);
      client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n".repeat(500));
      if (i % 2 == 0) {
        client.read();
      }
      end.apply(client);
    }
    expectUnharmed(server);
  }

  @ParameterizedTest
  @EnumSource
  void whileItsContentIsReadSlowly(End end) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receive(
                        Listeners.of(
                            data -> events.add("data"),
                            () -> {
                              events.add("end");
                              response.send();
                            },
                            cause -> events.add("error"))));
    RawClient client = servers.connect(server).send(Requests.postHead("/", 10) + "half");
    assertThat(events.take()).isEqualTo("data");

    end.apply(client);

    assertThat(events.take()).isEqualTo("error");
  }

  @ParameterizedTest
  @EnumSource
  void whileABlockingHandlerReads(End end) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  var in = request.body().inputStream();
                  events.add("read " + in.read());
                  try {
                    in.readAllBytes();
                    events.add("read all");
                  } catch (IOException gone) {
                    events.add("thrown");
                    throw gone;
                  }
                }));
    RawClient client = servers.connect(server).send(Requests.postHead("/", 10) + "A");
    assertThat(events.take()).isEqualTo("read 65");

    end.apply(client);

    assertThat(events.take()).isEqualTo("thrown");
  }

  @ParameterizedTest
  @EnumSource
  void whileTheHandlerIsAtWork(End end) throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start((request, response) -> answerLater(request, response, pending));
    RawClient client = servers.connect(server).get("/later");
    Response response = pending.take();
    end.apply(client);
    expectNobodyHears(response, server, end);
  }

  @ParameterizedTest
  @EnumSource
  void whileARequestWaitsForTheOneBeingHandled(End end) throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start((request, response) -> answerLater(request, response, pending));
    RawClient client = servers.connect(server);
    client.send(Requests.join(Requests.get("/later"), Requests.get("/"), Requests.get("/")));
    Response response = pending.take();
    end.apply(client);
    expectNobodyHears(response, server, end);
  }

  /** The server can't detect it by a read, because it must not read at present. */
  @Test
  void whileMoreRequestsWaitThanAreReceived() throws Exception {
    assumeTrue(Servers.TRANSPORT == TransportKind.EPOLL, "java.nio detects it only by a read");
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> pending.add(response.async()),
            Servers.LIMITS.toBuilder().pipelinedBytesMax(100).build());
    RawClient client = servers.connect(server);
    client.send(Requests.join(Requests.get("/later"), new byte[1000]));
    pending.take();

    client.reset();

    Await.until("the server has noticed", () -> server.connectionCount() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "stream", "writable", "output"})
  void whileItReadsALargeResponse(String how) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (how) {
                case "whole" -> response.send(LARGE);
                case "stream" -> response.stream().write(LARGE).write(LARGE).complete();
                case "writable" -> writeForEver(response.async().stream());
                default ->
                    Handlers.blocking(
                            (q, r) -> {
                              try (OutputStream out = r.outputStream()) {
                                while (true) {
                                  out.write(LARGE, 0, 100_000);
                                }
                              }
                            })
                        .handle(request, response);
              }
            });
    for (End end : End.values()) {
      RawClient client = servers.connect(server, 4096);
      client.get("/");
      client.readUntil("\r\n\r\n");
      client.readBytes(100);
      end.apply(client);
    }
    Await.until("all connections are closed", () -> server.connectionCount() == 0);
  }

  @Test
  void wakesTheHandlerThatWaitsForItToRead() throws Exception {
    BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    AtomicInteger writes = new AtomicInteger();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  threads.add(Thread.currentThread());
                  try (OutputStream out = response.outputStream()) {
                    while (true) {
                      out.write(LARGE, 0, 10_000);
                      writes.incrementAndGet();
                    }
                  } catch (IOException | IllegalStateException gone) {
                    thrown.add(gone);
                    throw gone;
                  }
                }));
    RawClient client = servers.connect(server, 4096).get("/");
    Thread handler = threads.take();
    int[] seen = {-1, 0};
    Await.until(
        "the handler waits for the client, not for a moment only",
        () -> {
          seen[1] = writes.get() == seen[0] ? seen[1] + 1 : 0;
          seen[0] = writes.get();
          return seen[1] > 200 && isAwaiting(handler);
        });

    client.reset();

    assertThat(thrown.poll(120, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    handler.join();
  }

  private static boolean isAwaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("await"));
  }

  @Test
  void afterItEndedItsSideOnlyItStillGetsTheResponse() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server).get("/").halfClose();
    Response response = pending.take();

    response.text("still here");

    assertThat(client.read().text()).isEqualTo("still here");
    client.expectEnd();
  }

  @OnlyHttp1("a client of HTTP/2 must send to open its windows")
  @Test
  void afterItEndedItsSideOnlyItStillGetsALargeResponse() {
    HttpServer server = servers.start((request, response) -> response.send(LARGE));
    RawClient client = servers.connect(server, 4096).get("/").halfClose();

    assertThat(client.read().content()).isEqualTo(LARGE);
    client.expectEnd();
  }

  @OnlyHttp1("HTTP/2 closes no connection for a malformed request")
  @Test
  void whileTheServerWaitsForItToClose() {
    HttpServer server = servers.start((request, response) -> response.send());
    for (End end : End.values()) {
      RawClient client = servers.connect(server).send("BAD\r\n\r\n");
      client.read();
      client.expectEnd();
      end.apply(client);
    }
    expectUnharmed(server);
  }

  private void goAtEveryByte(HttpServer server, byte[] request, End end) {
    for (int length = 1; length <= request.length; length++) {
      RawClient client = servers.connect(server);
      client.send(request, 0, length);
      end.apply(client);
    }
    expectUnharmed(server);
  }

  private static void answer(Request request, Response response) {
    response.text(request.target());
  }

  /** Keeps the response to {@code /later} pending, and answers any other request. */
  private static void answerLater(
      Request request, Response response, Collection<Response> pending) {
    if (request.pathIs("/later")) {
      pending.add(response.async());
    } else {
      response.send();
    }
  }

  private void expectNobodyHears(Response response, HttpServer server, End end) {
    if (end == End.RESET) {
      Await.until("the server has noticed", () -> server.connectionCount() == 0);
    }
    try {
      response.text("nobody hears it");
    } catch (IllegalStateException ended) {
      assertThat(ended).hasMessageContaining("ended");
    }
    expectUnharmed(server);
  }

  private static void writeForEver(ResponseStream stream) {
    while (stream.isWritable()) {
      stream.write(LARGE, 0, 10_000);
    }
    stream.onWritable(() -> writeForEver(stream));
  }

  private void expectUnharmed(HttpServer server) {
    RawClient client = servers.connect(server);
    for (int i = 0; i < 10; i++) {
      assertThat(client.get("/").read().status()).isEqualTo(200);
    }
  }

  /** The ways in which a handler reads empty content. */
  enum Asking {
    LISTENER,
    BLOCKING;

    Handler handler(AtomicInteger asked, AtomicInteger told) {
      Handler handler =
          (request, response) -> {
            asked.incrementAndGet();
            try {
              read(request, told);
              response.text("answered");
            } catch (IllegalStateException late) {
              // the client has gone
            }
          };
      return this == BLOCKING ? Handlers.blocking(handler) : handler;
    }

    private void read(Request request, AtomicInteger told) throws IOException {
      if (this == LISTENER) {
        request
            .body()
            .receive(
                Listeners.of(
                    data -> {}, () -> told.incrementAndGet(), cause -> told.incrementAndGet()));
        return;
      }
      try {
        request.body().inputStream().readAllBytes();
      } finally {
        told.incrementAndGet();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whileAHandlerReadsEmptyContent(Asking asking) {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger told = new AtomicInteger();
    HttpServer server = servers.start(asking.handler(asked, told));
    for (int i = 0; i < 100; i++) {
      RawClient client = servers.connect(server);
      client.send(Requests.join(Requests.get("/"), Requests.get("/"), Requests.get("/")));
      client.reset();
    }
    RawClient last = servers.connect(server).get("/"); // accepted after all others
    assertThat(last.read().text()).isEqualTo("answered");
    last.close();
    Await.until("all connections are gone", () -> server.connectionCount() == 0);

    Await.until(() -> told + " of " + asked + " were notified", () -> told.get() == asked.get());
  }
}
