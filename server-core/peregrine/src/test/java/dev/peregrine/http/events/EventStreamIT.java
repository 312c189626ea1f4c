package dev.peregrine.http.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OwnThread;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventStreamIT {
  /**
   * More than may be unsent. Of shorter events, the bytes that are left could be fewer than that: a
   * sender that waits then continues only once half is sent, while the stream is writable.
   */
  private static final String ABOVE_HIGH_WATER = "x".repeat(100_000);

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sendsEvents(boolean blocking) {
    Handler handler =
        (request, response) -> {
          try (EventStream events = EventStream.open(response)) {
            events.send("one\ntwo\r\nthree\rfour");
            events.send(ServerSentEvent.of("").event("tick").id("7").retry(Duration.ofSeconds(2)));
            events.send(ServerSentEvent.of(" ü ").id(""));
            events.send(ServerSentEvent.reconnectAfter(Duration.ofMillis(5)));
            events.comment("still\nhere");
          }
        };
    HttpServer server = servers.start(blocking ? Handlers.blocking(handler) : handler);

    RawResponse answer = servers.connect(server).get("/").read();

    assertThat(answer.header("Content-Type")).isEqualTo("text/event-stream");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.text())
        .isEqualTo(
            """
            data: one
            data: two
            data: three
            data: four

            event: tick
            id: 7
            retry: 2000
            data:\s

            id:\s
            data:  ü\s

            retry: 5

            : still
            : here

            """);
  }

  @Test
  void sendsEachEventAtOnce() throws Exception {
    BlockingQueue<String> toSend = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (EventStream events = EventStream.open(response)) {
                    for (int i = 0; i < 3; i++) {
                      events.send(toSend.take());
                    }
                  }
                }));
    RawClient client = servers.connect(server).get("/");
    client.readUntil("\r\n\r\n");

    for (String data : new String[] {"a", "b", "c"}) {
      toSend.add(data);
      client.readUntil("data: " + data + "\n\n");
    }
  }

  @Test
  void rejectsTextThatWouldStartAnotherLine() {
    ServerSentEvent event = ServerSentEvent.of("data");

    assertThatIllegalArgumentException().isThrownBy(() -> event.event("a\nb"));
    assertThatIllegalArgumentException().isThrownBy(() -> event.event("a\rb"));
    assertThatIllegalArgumentException().isThrownBy(() -> event.id("a\nb"));
    assertThatIllegalArgumentException().isThrownBy(() -> event.id("a\0b"));
    assertThatIllegalArgumentException().isThrownBy(() -> event.retry(Duration.ofMillis(-1)));
  }

  @Test
  void reportsWhichEventWasTheLast() {
    HttpServer server =
        servers.start((request, response) -> response.text("" + EventStream.lastEventId(request)));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("null");
    client.send(Requests.lines("GET / HTTP/1.1", "Host: a", "Last-Event-ID: 7\u00c3\u00bc"));
    assertThat(client.read().text()).isEqualTo("7ü");
  }

  @Test
  void waitsForAClientThatIsBehindAndFailsWhenItGoes() throws Exception {
    BlockingQueue<Object> results = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  EventStream events = EventStream.open(response);
                  results.add(events);
                  try {
                    while (true) {
                      events.send(ABOVE_HIGH_WATER);
                    }
                  } catch (IOException gone) {
                    results.add(gone);
                  }
                }));
    RawClient client = servers.connect(server, 4096).get("/");
    EventStream events = (EventStream) results.take();
    Await.until("the client is behind", () -> !events.isWritable());

    client.reset();

    assertThat(results.take()).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsWhenTheTabIsClosed(boolean halfClosed) throws Exception {
    BlockingQueue<Object> results = new LinkedBlockingQueue<>();
    HttpServer server = servers.start(perhaps(halfClosed, subscribe(results)));
    RawClient client = subscribed(server);
    client.readUntil("\r\n\r\n");
    EventStream events = (EventStream) results.take();

    if (halfClosed) {
      client.halfClose();
    } else {
      client.close();
    }

    assertThat(results.take()).isEqualTo("closed");
    assertThat(events.isWritable()).isFalse();
    assertThatIOException().isThrownBy(() -> events.send("x")).withMessageContaining("client");
    Await.until("the connection is closed", () -> server.connectionCount() == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsInOrderWhenTheServerShutsDown(boolean compressed) throws Exception {
    BlockingQueue<Object> results = new LinkedBlockingQueue<>();
    HttpServer server = servers.start(perhaps(compressed, subscribe(results)));
    RawClient client = subscribed(server);
    EventStream events = (EventStream) results.take();
    for (int i = 0; i < 1000; i++) {
      events.send("event " + i);
    }

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    RawResponse response = client.read();
    String text = compressed ? inflated(response.content()) : response.text();
    assertThat(text).startsWith("data: event 0\n\n").endsWith("data: event 999\n\n");
    assertThat(results.take()).isEqualTo("closed");
    assertThatIOException().isThrownBy(() -> events.send("x")).withMessageContaining("shutting");
    client.expectEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  /** The handler waits in a call that the end of the stream doesn't interrupt. */
  @Test
  void endsThoughItsHandlerWaitsForSomethingElse() throws Exception {
    BlockingQueue<String> toSend = new LinkedBlockingQueue<>();
    CountDownLatch ended = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (EventStream events = EventStream.open(response)) {
                    while (true) {
                      events.send(toSend.take());
                    }
                  } finally {
                    ended.countDown();
                  }
                }));
    RawClient client = subscribed(server);
    toSend.add("one");
    client.readUntil("\r\n\r\n");
    client.readUntil("data: one\n\n");

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    assertThat(client.readUntil("0\r\n\r\n")).isEqualTo("\r\n0\r\n\r\n");
    client.close();
    assertThat(drained.join()).isTrue();
    toSend.add("nobody hears it");
    ended.await();
  }

  /** The handler fails because of the end, between the loop's decision to end and the end. */
  @Test
  void endsInOrderThoughItsHandlerHasFailedBefore() {
    BlockingQueue<String> toSend = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            OwnThread.blocking(
                (request, response) -> {
                  Thread own = Thread.currentThread();
                  Response delayed =
                      new ForwardingResponse(response) {
                        @Override
                        public void onLoop(Runnable work) {
                          if (!Thread.currentThread().equals(own)) {
                            toSend.add("too late");
                            Await.until("the handler has failed", () -> !own.isAlive());
                          }
                          super.onLoop(work);
                        }
                      };
                  EventStream events = EventStream.open(delayed);
                  while (true) {
                    events.send(toSend.take());
                  }
                }));
    RawClient client = subscribed(server);
    toSend.add("one");
    client.readUntil("\r\n\r\n");
    client.readUntil("data: one\n\n");

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    assertThat(client.readUntil("0\r\n\r\n")).isEqualTo("\r\n0\r\n\r\n");
    client.expectEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void endsThoughItsHandlerWaitsForTheClient() throws Exception {
    BlockingQueue<Object> results = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  EventStream events = EventStream.open(response);
                  results.add(events);
                  try {
                    while (true) {
                      events.send(ABOVE_HIGH_WATER);
                    }
                  } catch (IOException ended) {
                    results.add(ended);
                    throw ended;
                  }
                }));
    RawClient client = servers.connect(server, 4096).get("/");
    EventStream events = (EventStream) results.take();
    Await.until("the client is behind", () -> !events.isWritable());

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    assertThat(results.take()).isInstanceOf(IOException.class);
    assertThat(client.read().text()).endsWith("x\n\n");
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void callsBackAtOnceIfItHasEnded() throws Exception {
    BlockingQueue<Object> results = new LinkedBlockingQueue<>();
    HttpServer server = servers.start(subscribe(results));
    RawClient client = subscribed(server);
    EventStream events = (EventStream) results.take();

    events.close();
    events.onClose(() -> results.add("at once"));

    assertThat(results).containsExactly("closed", "at once");
    assertThat(client.read().text()).isEmpty();
  }

  private static Handler subscribe(BlockingQueue<Object> results) {
    return (request, response) -> {
      EventStream events = EventStream.open(response.async());
      events.onClose(() -> results.add("closed"));
      results.add(events);
    };
  }

  private static Handler perhaps(boolean compressed, Handler handler) {
    return compressed ? Compression.builder(handler).types(type -> true).build() : handler;
  }

  /** Returns a client that has subscribed, once the server's thread has opened its stream. */
  private RawClient subscribed(HttpServer server) {
    return servers
        .connect(server)
        .send(Requests.lines("GET / HTTP/1.1", "Host: a", "Accept-Encoding: gzip"));
  }

  private static String inflated(byte[] content) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(content))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
