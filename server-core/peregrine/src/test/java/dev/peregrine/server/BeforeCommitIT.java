package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.IgnoringListener;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callbacks right before the head of a response is sent, over sockets. */
final class BeforeCommitIT {
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final ServerLimits SMALL = Servers.LIMITS.toBuilder().bodyBytesMax(10).build();

  @RegisterExtension final Servers servers = new Servers();

  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  /** A filter that adds a field with the status, as it is when the head is sent. */
  private Handler marking(Handler handler) {
    return (request, response) -> {
      response.beforeCommit(
          () -> {
            seen.add(Thread.currentThread().getName());
            assertThat(response.isCommitted()).isFalse();
            response.header("X-Status", response.status() + "");
          });
      handler.handle(request, response);
    };
  }

  private RawResponse answer(Handler handler) {
    HttpServer server = servers.start(marking(handler), options -> options.limits(SMALL));
    RawResponse answer = servers.connect(server).get("/").read();
    assertThat(seen).singleElement().asString().contains("-loop-").doesNotContain("handler");
    seen.clear();
    return answer;
  }

  private void assertMarked(Handler handler, int status) {
    RawResponse answer = answer(handler);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.headers("X-Status")).containsExactly(status + "");
  }

  @Test
  void comeBeforeEachKindOfResponse() {
    List<Consumer<Response>> kinds =
        List.of(
            Response::send,
            response -> response.text("text"),
            response -> response.send(new byte[100_000]),
            response -> response.send(ByteBuffer.allocate(10)),
            response -> {
              ResponseStream stream = response.stream();
              stream.write(new byte[10]).write(new byte[10]);
              stream.complete();
            },
            response -> {
              ResponseStream stream = response.contentLength(10).stream();
              stream.flush();
              stream.write(new byte[10]);
              stream.complete();
            },
            response -> response.stream().complete());
    for (Consumer<Response> kind : kinds) {
      assertMarked((request, response) -> kind.accept(response.status(201)), 201);
      assertMarked(
          Handlers.blocking((request, response) -> kind.accept(response.status(201))), 201);
    }
  }

  @Test
  void comeBeforeAnOutputStreamOfAnyLength() {
    for (int bytes : new int[] {0, 10, 100_000}) {
      assertMarked(
          Handlers.blocking(
              (request, response) -> {
                try (OutputStream out = response.outputStream()) {
                  out.write(new byte[bytes]);
                }
              }),
          200);
    }
  }

  @Test
  void comeBeforeErrorResponses() {
    Handler throwing =
        (request, response) -> {
          throw new IllegalStateException("planned");
        };
    Handler rejecting =
        (request, response) -> {
          throw new HttpException(418, "planned").header("X-Known", "yes");
        };
    assertMarked(throwing, 500);
    assertMarked(rejecting, 418);
    assertMarked(Handlers.blocking(throwing), 500);
    assertMarked(Handlers.blocking(rejecting), 418);
    assertMarked((request, response) -> {}, 500);
    assertMarked(Routes.builder().get("/other", throwing).build(), 404);
    assertMarked((request, response) -> response.async(SHORT), 503);
    assertMarked(
        (request, response) -> {
          ResponseStream stream = response.stream();
          stream.complete();
          throw new IllegalStateException("planned");
        },
        500);
    assertMarked((request, response) -> response.contentLength(5).send(new byte[6]), 500);
    assertMarked(
        (request, response) ->
            response.async(() -> CompletableFuture.failedFuture(new HttpException(409, "late"))),
        409);
    assertThat(servers.log().take(Level.WARNING)).hasSize(6); // not what clients cause
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void comeBeforeTheRejectionOfContent(boolean blocking) {
    Handler reading =
        blocking
            ? Handlers.blocking(
                (request, response) -> response.send(request.body().readAll(1_000_000)))
            : (request, response) -> request.body().receiveAll(1_000_000, response::send);
    HttpServer server = servers.start(marking(reading), options -> options.limits(SMALL));
    RawClient client =
        servers
            .connect(server)
            .send(
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n"
                    + "x".repeat(20)
                    + "\r\n0\r\n\r\n");

    RawResponse answer = client.read();

    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.headers("X-Status")).containsExactly("413");
  }

  @Test
  void comeBeforeAnUpgradeButNotBeforeInterimResponses() {
    HttpServer server =
        servers.start(
            marking(
                (request, response) -> {
                  response.earlyHints("</a.css>; rel=preload");
                  response.upgrade(
                      "raw",
                      new IgnoringListener() {
                        @Override
                        public void onOpen(RawConnection connection) {
                          connection.end();
                        }
                      });
                }));
    RawClient client =
        servers
            .connect(server)
            .send("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: raw\r\nConnection: upgrade\r\n\r\n");

    assertThat(client.read().headers("X-Status")).isEmpty();
    String status = Servers.HTTP_2 ? "200" : "101";
    assertThat(client.read().headers("X-Status")).containsExactly(status);
  }

  @Test
  void comeInReverseOrder() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(
                  () -> response.header("X-Order", response.headers("X-Order") + " outer"));
              response.beforeCommit(() -> response.header("X-Order", "inner"));
              response.text("fine");
            });

    assertThat(servers.connect(server).get("/").read().headers("X-Order"))
        .containsExactly("[inner] outer");
  }

  @Test
  void canSetFieldsAndTheContentType() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(
                  () -> {
                    assertThat(response.header("Content-Type")).startsWith("text/plain");
                    response.contentType(ContentType.TEXT_HTML_UTF_8).addHeader("X-A", "1");
                    response.addHeader("X-A", "2").header("Connection", "close");
                  });
              response.text("fine");
            });

    RawResponse answer = servers.connect(server).get("/").read();
    assertThat(answer.headers("X-A")).containsExactly("1", "2");
    assertThat(answer.headers("Content-Type")).containsExactly("text/html; charset=utf-8");
    assertThat(answer.saysClose()).isEqualTo(!Servers.HTTP_2);
  }

  @Test
  @SuppressWarnings("resource")
  void canNotSetWhatIsDecided() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(
                  () -> {
                    List<Runnable> calls =
                        List.of(
                            () -> response.status(201),
                            () -> response.contentLength(1),
                            () -> response.header("content-length", "1"),
                            () -> response.text("other"),
                            response::send,
                            response::stream,
                            () -> response.json("other"),
                            () -> response.earlyHints("</a>"),
                            () -> response.beforeCommit(() -> {}));
                    for (Runnable call : calls) {
                      assertThatIllegalStateException().isThrownBy(call::run);
                    }
                    seen.add("checked");
                  });
              if (request.path().equals("/throws")) {
                throw new HttpException(400, "planned");
              }
              response.text("fine");
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("fine");
    assertThat(client.get("/throws").read().status()).isEqualTo(400);
    assertThat(seen).containsExactly("checked", "checked");
  }

  @Test
  void canNotBeAddedOnceTheResponseHasBegun() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  response.text("fine");
                  assertThatIllegalStateException()
                      .isThrownBy(() -> response.beforeCommit(() -> {}));
                }));

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("fine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "stream", "file"})
  void oneThatThrowsFailsTheExchangeAndTheOthersComeBeforeItsError(String kind) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(
                  () -> {
                    seen.add("outer");
                    response.header("X-Status", response.status() + "");
                  });
              response.beforeCommit(
                  () -> {
                    seen.add("broken");
                    throw new IllegalStateException("planned");
                  });
              response.beforeCommit(
                  () -> {
                    seen.add("inner");
                    response.header("X-Inner", "kept");
                  });
              switch (kind) {
                case "whole" -> response.text("text");
                case "file" -> response.send(Path.of("pom.xml"));
                default -> {
                  ResponseStream stream = response.stream();
                  stream.write(new byte[10]);
                  stream.write(new byte[10]);
                  stream.complete();
                }
              }
            });
    RawClient client = servers.connect(server).get("/");

    RawResponse answer = client.read();
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.headers("X-Status")).containsExactly("500");
    if (!kind.equals("file")) { // as for any failure of an async response
      assertThat(answer.headers("X-Inner")).containsExactly("kept");
    }
    assertThat(seen).containsExactly("inner", "broken", "outer");
    seen.clear();
    servers.log().expectOne(Level.SEVERE, "planned");
    assertThat(client.get("/").read().status()).isEqualTo(500);
    servers.log().expectOne(Level.SEVERE, "planned");
  }

  @Test
  void oneThatThrowsBeforeAnErrorIsLogged() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(() -> response.header("X-Outer", "yes"));
              response.beforeCommit(
                  () -> {
                    throw new IllegalStateException("planned");
                  });
              throw new HttpException(404, "nothing here");
            });

    RawResponse answer = servers.connect(server).get("/").read();
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.headers("X-Outer")).containsExactly("yes");
    servers.log().expectOne(Level.SEVERE, "beforeCommit failed: GET /");
  }

  @Test
  void oneThatFailsTheExchangeIsAnswered() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(() -> response.fail(new HttpException(409, "conflict")));
              response.text("fine");
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().status()).isEqualTo(409);
    assertThat(client.get("/").read().status()).isEqualTo(409);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void comeWithCompressionAroundAndInside(boolean blocking) {
    Handler page =
        (request, response) -> {
          assertThat(request.path()).isNotEmpty();
          if (request.path().equals("/stream")) {
            response.contentType(ContentType.TEXT_HTML_UTF_8);
            try (OutputStream out = response.outputStream()) {
              out.write("page ".repeat(10_000).getBytes(StandardCharsets.UTF_8));
            }
          } else {
            response.html("page ".repeat(1000));
          }
        };
    Handler inside = marking(page);
    HttpServer server =
        servers.start(marking(Compression.of(blocking ? Handlers.blocking(inside) : inside)));
    RawClient client = servers.connect(server);
    for (String path : blocking ? List.of("/", "/stream") : List.of("/")) {
      client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");

      RawResponse answer = client.read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.headers("Content-Encoding")).containsExactly("gzip");
      assertThat(answer.headers("X-Status")).containsExactly("200");
      assertThat(seen).hasSize(2);
      seen.clear();
    }
  }

  /** Its handler still sets fields while the server answers that it is late. */
  @Test
  void aLateResponseHasItsOwnFields() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    CountDownLatch tried = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(() -> response.header("X-Late", response.status() + ""));
              response.async(SHORT);
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          response.header("X-Mine", "yes");
                          answered.await();
                          response.text("too late");
                        } catch (IllegalStateException | InterruptedException expected) {
                          tried.countDown();
                        }
                      });
            });

    RawResponse answer = servers.connect(server).get("/").read();
    answered.countDown();
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.headers("X-Late")).containsExactly("503");
    assertThat(answer.headers("X-Mine")).isEmpty();
    tried.await();
    servers.log().expectOne(Level.WARNING, "no response began in time");
  }

  @Test
  void doNotComeIfNoHeadIsSent() throws Exception {
    CompletableFuture<IOException> aborted = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(() -> seen.add("called"));
              response.async().onAbort(aborted::complete);
              begun.countDown();
            });
    RawClient client = servers.connect(server).send(Requests.get("/"));
    begun.await();
    client.reset();

    assertThat(aborted.get()).isNotNull();
    assertThat(seen).isEmpty();
  }
}
