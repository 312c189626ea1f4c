package dev.peregrine.http.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.filter.ConcurrencyLimit;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SubmissionPublisher;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A context surrounds each call of a handler, and is gone between them. */
final class CallContextIT {
  private static final ScopedValue<String> SCOPED = ScopedValue.newInstance();
  private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();

  @RegisterExtension final Servers servers = new Servers();
  private final Set<String> notes = new ConcurrentSkipListSet<>();
  private final CountDownLatch completed = new CountDownLatch(1);
  private final CountDownLatch sent = new CountDownLatch(1);

  /** Calls a handler in a context that has the path of the request, by both kinds of variables. */
  private static Handler in(Handler handler) {
    return (request, response) -> {
      String path = request.path();
      CallContext context =
          call -> {
            LOCAL.set(path);
            try {
              ScopedValue.where(SCOPED, path).call(call::callable);
            } finally {
              LOCAL.remove();
            }
          };
      InContext.handle(context, handler, request, response);
    };
  }

  private static String current() {
    return LOCAL.get() + " " + SCOPED.orElse("null");
  }

  private void note(String place) {
    notes.add(place + ": " + current());
  }

  private void expectNotes(String path, String... places) throws InterruptedException {
    completed.await();
    Set<String> expected = new TreeSet<>();
    for (String place : places) {
      expected.add(place + ": " + path + " " + path);
    }
    assertThat(notes).isEqualTo(expected);
  }

  /** Notes the calls that every response has. */
  private void noteEnd(Response response) {
    response.beforeCommit(() -> note("commit"));
    response.onComplete(
        outcome -> {
          note("end");
          completed.countDown();
        });
  }

  @Test
  void callbacksOfAHandlerOnTheLoopRunInIt() throws Exception {
    HttpServer server =
        servers.start(
            in(
                (request, response) -> {
                  note("handler");
                  noteEnd(response);
                  request
                      .body()
                      .receiveAll(
                          10,
                          content -> {
                            note("content");
                            response
                                .async()
                                .onLoop(
                                    () -> {
                                      note("loop");
                                      respondLater(response, content);
                                    });
                          });
                }));

    RawClient client = servers.connect(server);
    client.send(Requests.post("/a", Requests.bytes("content")));

    assertThat(client.read().text()).isEqualTo("content");
    expectNotes("/a", "handler", "content", "loop", "timer", "writable", "commit", "end");
  }

  private void respondLater(Response response, byte[] content) {
    response.onLoopAfter(
        Duration.ofMillis(1),
        () -> {
          note("timer");
          ResponseStream stream = response.stream();
          stream.onWritable(
              () -> {
                note("writable");
                stream.write(content).complete();
              });
        });
  }

  @Test
  void listenersAndPublishersRunInIt() throws Exception {
    HttpServer server =
        servers.start(
            in(
                (request, response) -> {
                  noteEnd(response);
                  response.async();
                  request
                      .body()
                      .receive(
                          new BodyListener() {
                            @Override
                            public void onData(Bytes data) {
                              note("data");
                            }

                            @Override
                            public void onEnd() {
                              note("no more");
                              send(response);
                            }
                          });
                }));

    RawClient client = servers.connect(server);
    client.send(Requests.post("/a", Requests.bytes("content")));

    assertThat(client.read().text()).isEqualTo("published");
    sent.await();
    expectNotes("/a", "data", "no more", "commit", "sent", "end");
  }

  private void send(Response response) {
    SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>(Runnable::run, 1);
    response.send(
        publisher,
        buffer -> {
          note("sent");
          sent.countDown();
        });
    publisher.submit(ByteBuffer.wrap("published".getBytes(StandardCharsets.UTF_8)));
    publisher.close();
  }

  @Test
  void workOfAnotherThreadStartsInIt() throws Exception {
    HttpServer server =
        servers.start(
            in(
                (request, response) -> {
                  noteEnd(response);
                  response.async(
                      () -> {
                        note("work");
                        return CompletableFuture.runAsync(() -> response.text("later"));
                      });
                }));

    assertThat(servers.connect(server).get("/a").read().text()).isEqualTo("later");
    expectNotes("/a", "work", "commit", "end");
  }

  @Test
  void aBlockingHandlerRunsInIt() throws Exception {
    expectBlocking(in(Handlers.blocking(this::block)));
  }

  @Test
  void aBlockingHandlerWithALimitAroundTheContextRunsInIt() throws Exception {
    expectBlocking(ConcurrencyLimit.builder(in(Handlers.blocking(this::block))).build());
  }

  @Test
  void aBlockingHandlerWithALimitInsideTheContextRunsInIt() throws Exception {
    expectBlocking(in(ConcurrencyLimit.builder(Handlers.blocking(this::block)).build()));
  }

  private void block(Request request, Response response) throws Exception {
    noteEnd(response);
    note("before");
    Thread.sleep(1); // parks, so that the loop serves others
    note("after");
    response.outputStream().write(request.body().readAll(10));
  }

  private void expectBlocking(Handler handler) throws Exception {
    HttpServer server = servers.start(handler);
    RawClient client = servers.connect(server);
    client.send(Requests.post("/a", Requests.bytes("content")));

    assertThat(client.read().text()).isEqualTo("content");
    expectNotes("/a", "before", "after", "commit", "end");
  }

  @Test
  void exchangesThatALoopInterleavesHaveTheirOwn() throws Exception {
    BlockingQueue<Response> waiting = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            in((request, response) -> waiting.add(response.async())), options -> options.loops(1));
    RawClient first = servers.connect(server).get("/1");
    Response one = waiting.take();
    RawClient second = servers.connect(server).get("/2");
    Response two = waiting.take();

    for (int i = 0; i < 3; i++) {
      one.onLoop(() -> note("one"));
      two.onLoop(() -> note("two"));
    }
    one.onLoop(() -> one.text(current()));
    two.onLoop(() -> two.text(current()));

    assertThat(first.read().text()).isEqualTo("/1 /1");
    assertThat(second.read().text()).isEqualTo("/2 /2");
    assertThat(notes).containsExactly("one: /1 /1", "two: /2 /2");
  }

  @Test
  void aHandlerThatIsLeftKeepsItAndTheLoopHasNone() {
    CountDownLatch released = new CountDownLatch(1);
    Handler stuck =
        in(
            (request, response) -> {
              released.await();
              response.text(current());
            });
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/slow")) {
                stuck.handle(request, response);
              } else {
                response.text(current());
              }
            },
            options ->
                options.loops(1).limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build()));
    RawClient slow = servers.connect(server).get("/slow");

    assertThat(servers.connect(server).get("/other").read().text()).isEqualTo("null null");
    released.countDown();
    assertThat(slow.read().text()).isEqualTo("/slow /slow");
    assertThat(slow.get("/other").read().text()).isEqualTo("null null");
  }

  @Test
  void aFailurePassesThroughIt() {
    HttpServer server =
        servers.start(
            in(
                (request, response) -> {
                  if (request.pathIs("/later")) {
                    response.async().onLoop(() -> fail("later"));
                  } else {
                    throw new IOException("at once");
                  }
                }));
    RawClient client = servers.connect(server);

    assertThat(client.get("/now").read().status()).isEqualTo(500);
    servers.log().expectOne(Level.SEVERE, "at once");
    assertThat(client.get("/later").read().status()).isEqualTo(500);
    servers.log().expectOne(Level.SEVERE, "later");
  }

  private static void fail(String text) {
    throw new IllegalStateException(text);
  }
}
