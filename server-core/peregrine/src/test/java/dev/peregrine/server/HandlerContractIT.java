package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.PathSegments;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The contract of handlers: which calls of request and response are valid, when, and on which
 * thread.
 */
final class HandlerContractIT {
  private record Exchange(Request request, Response response) {}

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void rejectsUseAfterTheEnd() throws Exception {
    BlockingQueue<Exchange> kept = new LinkedBlockingQueue<>();
    BlockingQueue<ResponseStream> streams = new LinkedBlockingQueue<>();
    BlockingQueue<RequestBody> bodies = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              bodies.add(request.body());
              kept.add(new Exchange(request, response));
              ResponseStream stream = response.stream();
              streams.add(stream);
              stream.complete();
            });
    servers.connect(server).get("/").read();
    Exchange ended = kept.take();
    ResponseStream stream = streams.take();

    for (ThrowingCallable use : otherUsesOf(ended.request, ended.response)) {
      expectIllegal(use, "");
    }
    for (ThrowingCallable read : readsOfTheHead(ended.request)) {
      assertThatNoException().isThrownBy(read); // an async request keeps its head
    }
    expectIllegal(() -> stream.write(new byte[1]), "");
    expectIllegal(() -> stream.write(ByteBuffer.allocate(1)), "");
    expectIllegal(stream::flush, "");
    expectIllegal(() -> stream.trailer("X", "y"), "");
    expectIllegal(() -> stream.onWritable(() -> {}), "");
    stream.complete(); // the stream has ended already
    ended.response.complete();
    bodies.take().resume();
  }

  @Test
  void rejectsUseOnAnotherThreadUnlessTheExchangeIsAsync() throws Exception {
    List<Throwable> wrong = new ArrayList<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              Thread other =
                  Thread.ofPlatform()
                      .unstarted(
                          () -> {
                            for (ThrowingCallable use : usesOf(request, response)) {
                              expectIllegal(use, "async()");
                            }
                          });
              other.setUncaughtExceptionHandler((thread, thrown) -> wrong.add(thrown));
              other.start();
              other.join();
              response.text("unharmed");
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("unharmed");
    assertThat(wrong).isEmpty();
  }

  @Test
  void rejectsUseAfterTheEndOfAnExchangeThatStayedOnItsLoop() throws Exception {
    BlockingQueue<Exchange> kept = new LinkedBlockingQueue<>();
    BlockingQueue<RequestBody> bodies = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              bodies.add(request.body());
              kept.add(new Exchange(request, response));
              response.text("content");
            });
    servers.connect(server).get("/").read();
    Exchange ended = kept.take();

    for (ThrowingCallable use : usesOf(ended.request, ended.response)) {
      expectIllegal(use, "");
    }
    ended.response.fail(new IllegalArgumentException("not reported"));
    ended.response.complete();
    bodies.take().resume();
  }

  @Test
  void rejectsAViewThatWasKeptInsteadOfShowingAnotherRequest() {
    List<Exchange> kept = new ArrayList<>();
    List<PathSegments> paths = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              for (Exchange before : kept) {
                for (ThrowingCallable use : usesOf(before.request, before.response)) {
                  note(use, shown);
                }
                before.response.onLoop(() -> shown.add("executed"));
                before.response.complete();
                before.response.fail(new IllegalArgumentException("not reported"));
              }
              paths.forEach(path -> note(() -> path.segment(0), shown));
              kept.add(new Exchange(request, response));
              paths.add(request.pathSegments());
              response.text("content of " + request.path());
            },
            options -> options.loops(1));

    for (int i = 0; i < 8; i++) {
      RawClient client = servers.connect(server);
      assertThat(client.get("/" + i).read().text()).isEqualTo("content of /" + i);
    }
    assertThat(shown).isEmpty();
  }

  private static void note(ThrowingCallable use, List<String> shown) {
    try {
      use.call();
      shown.add("use " + use);
    } catch (IllegalStateException asItShould) {
      // The exchange has ended.
    } catch (Throwable other) {
      shown.add(other.toString());
    }
  }

  @Test
  void rejectsAnotherConnectionsExchangeOnTheSameLoop() throws Exception {
    BlockingQueue<Exchange> waiting = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/wait")) {
                waiting.add(new Exchange(request, response));
                request.body().receiveAll(10, content -> response.send(content));
                return;
              }
              Exchange other = waiting.take();
              for (ThrowingCallable use : usesOf(other.request, other.response)) {
                expectIllegal(use, "async()");
              }
              response.text("refused");
            },
            options -> options.loops(1));
    RawClient first = servers.connect(server);
    first.send("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na");

    Await.until("the first request has come", () -> !waiting.isEmpty());
    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("refused");
    assertThat(first.send("b").read().text()).isEqualTo("ab");
  }

  @Test
  void neverShowsLaterBytesInEarlierOnes() {
    List<Bytes> kept = new ArrayList<>();
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receive(
                        Listeners.of(
                            data -> {
                              kept.forEach(earlier -> expectIllegal(earlier::toArray, "during"));
                              kept.add(data);
                            },
                            () -> response.text("content"))),
            options -> options.loops(1));
    RawClient client = servers.connect(server);

    for (int i = 0; i < 20; i++) {
      assertThat(client.post("/", Requests.bytes("abc")).read().text()).isEqualTo("content");
    }
    assertThat(kept).hasSize(20);
  }

  @Test
  void letsReceivedBytesBeReadDuringTheirCallOnly() {
    List<Bytes> kept = new ArrayList<>();
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receive(
                        Listeners.of(
                            data -> {
                              kept.add(data);
                              assertThat(data.length()).isEqualTo(3);
                              assertThat(data.get(1)).isEqualTo((byte) 'b');
                              assertThat(data.toArray()).isEqualTo(Requests.bytes("abc"));
                              assertThat(data.toString(StandardCharsets.US_ASCII)).isEqualTo("abc");
                              ByteBuffer part = ByteBuffer.allocate(2);
                              assertThat(data.copyTo(1, part)).isEqualTo(2);
                              assertThat(part.position()).isEqualTo(2);
                              assertThat(part.array()).isEqualTo(Requests.bytes("bc"));
                              byte[] array = new byte[5];
                              data.copyTo(1, array, 2, 2);
                              assertThat(array).isEqualTo(new byte[] {0, 0, 'b', 'c', 0});
                              assertThatThrownBy(() -> data.get(3))
                                  .isInstanceOf(IndexOutOfBoundsException.class);
                              assertThatThrownBy(() -> data.get(-1))
                                  .isInstanceOf(IndexOutOfBoundsException.class);
                              assertThatThrownBy(() -> data.copyTo(2, array, 0, 2))
                                  .isInstanceOf(IndexOutOfBoundsException.class);
                              assertThatThrownBy(() -> data.copyTo(4, part))
                                  .isInstanceOf(IndexOutOfBoundsException.class);
                            },
                            () -> {
                              Bytes data = kept.getFirst();
                              expectIllegal(data::length, "during the call");
                              expectIllegal(() -> data.get(0), "during the call");
                              expectIllegal(data::toArray, "during the call");
                              expectIllegal(() -> data.copyTo(0, new byte[1], 0, 1), "during");
                              expectIllegal(() -> data.copyTo(0, ByteBuffer.allocate(1)), "during");
                              response.text("unharmed");
                            })));

    assertThat(servers.connect(server).post("/", Requests.bytes("abc")).read().text())
        .isEqualTo("unharmed");
  }

  @Test
  void setsItsOwnLimitBeforeTheContentIsRead() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  RequestBody body = request.body();
                  assertThatThrownBy(() -> body.maxBytes(-1))
                      .isInstanceOf(IllegalArgumentException.class);
                  InputStream in = body.maxBytes(10).inputStream();
                  expectIllegal(() -> body.maxBytes(20), "before");
                  in.transferTo(OutputStream.nullOutputStream());
                  response.text("read");
                }));

    assertThat(servers.connect(server).post("/", new byte[10]).read().text()).isEqualTo("read");
    assertThat(servers.connect(server).post("/", new byte[11]).read().status()).isEqualTo(413);
  }

  @Test
  void pausesAndResumesContent() throws Exception {
    BlockingQueue<RequestBody> paused = new LinkedBlockingQueue<>();
    byte[] content = Requests.content(300_000);
    HttpServer server =
        servers.start(
            (request, response) -> {
              RequestBody body = request.body();
              ResponseStream out = response.async().stream();
              body.receive(
                  new BodyListener() {
                    @Override
                    public void onData(Bytes data) {
                      body.pause();
                      out.write(data);
                      paused.add(body);
                    }

                    @Override
                    public void onEnd() {
                      out.complete();
                    }

                    @Override
                    public void onError(IOException cause) {
                      throw new AssertionError(cause);
                    }
                  });
            });
    RawClient client = servers.connect(server);
    var sent = client.sendMeanwhile(Requests.post("/", content));
    Thread resumer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    while (true) {
                      paused.take().resume();
                    }
                  } catch (InterruptedException done) {
                    Thread.currentThread().interrupt();
                  }
                });

    assertThat(client.read().content()).isEqualTo(content);
    sent.join();
    resumer.interrupt();
    resumer.join();
  }

  private static List<ThrowingCallable> usesOf(Request request, Response response) {
    return Stream.concat(readsOfTheHead(request).stream(), otherUsesOf(request, response).stream())
        .toList();
  }

  private static List<ThrowingCallable> readsOfTheHead(Request request) {
    return List.of(
        request::method,
        request::methodName,
        request::version,
        request::target,
        request::path,
        () -> request.pathIs("/"),
        request::query,
        () -> request.header("Host"),
        () -> request.header(KnownHeader.HOST),
        () -> request.headers("Host"),
        () -> request.hasHeader(KnownHeader.HOST),
        request::headerCount,
        () -> request.headerName(0),
        () -> request.headerValue(0));
  }

  private static List<ThrowingCallable> otherUsesOf(Request request, Response response) {
    return List.of(
        request::pathSegments,
        request::routedSegments,
        request::host,
        request::isUpgrade,
        request::body,
        request::remoteAddress,
        request::localAddress,
        () -> response.status(404),
        () -> response.header("X", "y"),
        () -> response.addHeader("X", "y"),
        response::send,
        () -> response.send(new byte[1]),
        () -> response.send(ByteBuffer.allocate(1)),
        () -> response.text("text"),
        () -> response.html("text"),
        response::stream,
        response::outputStream,
        response::async);
  }

  private static void expectIllegal(ThrowingCallable use, String message) {
    assertThatThrownBy(use).isInstanceOf(IllegalStateException.class).hasMessageContaining(message);
  }
}
