package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers with defects: the client sees a clear end, and no other client is affected. */
final class FailingHandlerIT {
  /** The threads that a handler runs on. */
  enum Where {
    ON_THE_LOOP,
    BLOCKING;

    Handler run(Handler handler) {
      return this == BLOCKING ? Handlers.blocking(handler) : handler;
    }
  }

  private static final byte[] LARGE = Requests.content(3_000_000);
  private static final int SMALL_WINDOW_BYTES = 4 * 1024;

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @EnumSource
  void answers500WhenAHandlerThrowsBeforeItsResponse(Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  response.status(201).header("Content-Length", "7");
                  throw new IOException("intended");
                }));
    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.status()).isEqualTo(500);
    assertThat(response.text()).isEqualTo("Internal Server Error\n");
    servers.log().expectOne(Level.WARNING, "intended");
    servers.expectUnharmed(server);
  }

  @ParameterizedTest
  @EnumSource
  void answersHeadWith500WithoutContent(Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  throw new HttpException(500, "intended");
                }));
    RawClient client = servers.connect(server).send(Requests.head("/"));

    assertThat(client.read("HEAD").status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "intended");
    assertThat(client.send(Requests.head("/")).read("HEAD").status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "intended");
  }

  @ParameterizedTest
  @EnumSource
  void cutsTheResponseShortWhenAHandlerThrowsAmidItsResponse(Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  ResponseStream stream = response.stream();
                  stream.write(Requests.bytes("beginning"));
                  stream.flush();
                  throw new IOException("intended");
                }));
    RawClient client = servers.connect(server).get("/");

    client.expectCutShort();

    servers.log().expectOne(Level.WARNING, "intended");
    servers.expectUnharmed(server);
  }

  @ParameterizedTest
  @EnumSource
  void cutsTheResponseShortWhenAHandlerThrowsAmidAnOutputStream(Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  OutputStream out = response.outputStream();
                  out.write(Requests.content(100_000));
                  throw new IOException("intended");
                }));

    servers.connect(server).get("/").expectCutShort();

    servers.log().expectOne(Level.WARNING, "intended");
    servers.expectUnharmed(server);
  }

  @ParameterizedTest
  @EnumSource
  void sendsWhatWasCompleteBeforeAResponseThatFails(Where where) throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  if (request.pathIs("/complete")) {
                    response.send(LARGE);
                    return;
                  }
                  response.stream().write(Requests.bytes("beginning")).flush();
                  failed.countDown();
                  throw new IOException("intended");
                }));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES);

    client.get("/complete").get("/failing");

    client.readUntil("\r\n\r\n");
    assertThat(client.readBytes(LARGE.length)).isEqualTo(LARGE);
    client.expectCutShort();
    failed.await();
    servers.log().expectOne(Level.WARNING, "intended");
  }

  @OnlyHttp1("HTTP/1.0")
  @Test
  void resetsAFailedResponseThatTheEndOfTheStreamWouldComplete() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/complete")) {
                response.text("complete");
                return;
              }
              response.stream().write(Requests.bytes("beginning")).flush();
              throw new IOException("intended");
            });
    RawClient client = servers.connect(server);

    client.send("GET /complete HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    client.send("GET /failing HTTP/1.0\r\n\r\n");

    assertThat(client.read().text()).isEqualTo("complete");
    client.readUntil("\r\n\r\nbeginning");
    client.expectReset();
    servers.log().expectOne(Level.WARNING, "intended");
  }

  @ParameterizedTest
  @EnumSource
  void answers500WhenAHandlerThrowsWhileItsOutputIsStillBuffered(Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  OutputStream out = response.outputStream();
                  out.write(Requests.content(1000));
                  throw new IOException("intended");
                }));
    RawClient client = servers.connect(server).get("/");

    assertThat(client.read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "intended");
  }

  @ParameterizedTest
  @EnumSource
  void keepsAResponseThatWasCompleteBeforeTheHandlerThrew(Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  response.text("complete");
                  throw new IOException("intended");
                }));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("complete");
    servers.log().expectOne(Level.WARNING, "intended");
    assertThat(client.get("/").read().text()).isEqualTo("complete");
    servers.log().expectOne(Level.WARNING, "intended");
  }

  @Test
  void survivesErrorsThatAreNotExceptions() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/overflow" -> response.text("" + overflow(1));
                default -> throw new AssertionError("intended");
              }
            });
    for (String path : List.of("/overflow", "/")) {
      RawClient client = servers.connect(server).get(path);
      assertThat(client.read().status()).isEqualTo(500);
      assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
    }
  }

  @Test
  void answers500WhenAHandlerForgetsToAnswer() {
    HttpServer server = servers.start((request, response) -> response.status(404));
    RawClient client = servers.connect(server).get("/");

    assertThat(client.read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "without a response");
  }

  @Test
  void answers500WhenABlockingHandlerForgetsToAnswer() {
    HttpServer server = servers.start(Handlers.blocking((request, response) -> {}));
    RawClient client = servers.connect(server).get("/");

    assertThat(client.read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "without a response");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10})
  void answers500WhenAHandlerForgetsToAnswerAfterTheContent(int size) {
    HttpServer server =
        servers.start((request, response) -> request.body().receiveAll(100, content -> {}));
    RawClient client = servers.connect(server).post("/", new byte[size]);

    assertThat(client.read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "without a response");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 409, 418, 429, 499})
  void answersWithTheStatusOfAnHttpExceptionAndLogsNothing(int status) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(status, "the reason");
            });
    RawClient client = servers.connect(server).get("/");

    RawResponse response = client.read();

    assertThat(response.status()).isEqualTo(status);
    assertThat(response.text()).isEqualTo("the reason\n");
    assertThat(response.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"onData", "onEnd", "whenRead"})
  void answers500AndLogsOnceWhenABodyListenerThrows(String where) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (where.equals("whenRead")) {
                request
                    .body()
                    .receiveAll(
                        100_000,
                        content -> {
                          throw new IllegalArgumentException("intended");
                        });
              } else {
                request.body().receive(new ThrowingListener(where));
              }
            });
    RawClient client = servers.connect(server);

    client.send(Requests.chunkedPost("/", Requests.content(1000), 10));

    assertThat(client.read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "intended");
  }

  @Test
  void survivesABodyListenerThatThrowsWhenTheClientGoes() throws Exception {
    BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receive(
                        new ThrowingListener("onError") {
                          @Override
                          public void onData(Bytes data) {
                            calls.add("onData");
                          }

                          @Override
                          public void onError(IOException cause) {
                            calls.add("onError");
                            super.onError(cause);
                          }
                        }));
    RawClient client = servers.connect(server).send(Requests.postHead("/", 10) + "abc");
    assertThat(calls.take()).isEqualTo("onData");

    client.reset();

    assertThat(calls.take()).isEqualTo("onError");
    servers.log().expectOne(Level.WARNING, "intended");
  }

  @Test
  void endsAnExchangeWhoseConnectionWasCutForAllItsUsers() throws Exception {
    BlockingQueue<Request> kept = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              kept.add(request);
              ResponseStream stream = response.async().stream();
              stream.write(Requests.bytes("beginning")).flush();
              throw new IOException("intended");
            });
    servers.connect(server).get("/").expectCutShort();

    Request request = kept.take();
    Await.until("the exchange has ended", () -> hasEnded(request));
    servers.log().expectOne(Level.WARNING, "intended");
  }

  private static boolean hasEnded(Request request) {
    try {
      request.remoteAddress();
      return false;
    } catch (IllegalStateException ended) {
      return true;
    }
  }

  @Test
  void answersPipelinedRequestsAfterAFailure() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/bad")) {
                throw new HttpException(409, "no");
              }
              response.text("good");
            });
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/"), Requests.get("/bad"), Requests.get("/")));

    assertThat(client.read().text()).isEqualTo("good");
    assertThat(client.read().status()).isEqualTo(409);
    assertThat(client.read().text()).isEqualTo("good");
  }

  private static int overflow(int depth) {
    return depth == 0 ? 0 : 1 + overflow(depth + 1);
  }

  private static class ThrowingListener implements BodyListener {
    private final String where;

    ThrowingListener(String where) {
      this.where = where;
    }

    @Override
    public void onData(Bytes data) {
      call("onData");
    }

    @Override
    public void onEnd() {
      call("onEnd");
    }

    @Override
    public void onError(IOException cause) {
      call("onError");
    }

    private void call(String name) {
      if (name.equals(where)) {
        throw new IllegalArgumentException("intended");
      }
    }
  }
}
