package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.filter.RequestId;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The error response of a failed handler is like any other: the connection persists, and fields
 * that were set stay.
 */
final class ErrorResponseIT {
  private static final int DRAINED_BYTES_MAX = 10_000;
  private static final ServerLimits LIMITS =
      Servers.LIMITS.toBuilder().drainBytesMax(DRAINED_BYTES_MAX).build();

  /** The ways in which a handler fails. */
  enum How {
    THROWN,
    THROWN_BLOCKING,
    PASSED_ON,
    PASSED_ON_FROM_ELSEWHERE;

    Handler run(Failing failing) {
      Handler thrower =
          (request, response) -> {
            throw failing.fail(request, response);
          };
      return switch (this) {
        case THROWN -> thrower;
        case THROWN_BLOCKING -> Handlers.blocking(thrower);
        case PASSED_ON -> (request, response) -> response.fail(failing.fail(request, response));
        case PASSED_ON_FROM_ELSEWHERE ->
            (request, response) -> {
              response.async();
              Thread.ofVirtual().start(() -> response.fail(failing.fail(request, response)));
            };
      };
    }
  }

  /** A handler that sets fields, then returns its failure. */
  @FunctionalInterface
  interface Failing {
    RuntimeException fail(Request request, Response response);
  }

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @EnumSource
  void keepsTheConnection(How how) {
    HttpServer server =
        servers.start(how.run((request, response) -> new HttpException(404, request.path())));
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/a"), Requests.get("/b"))).get("/c");

    for (String path : List.of("/a", "/b", "/c")) {
      RawResponse answer = client.read();
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.saysClose()).isFalse();
      assertThat(answer.text()).isEqualTo(path + "\n");
    }
  }

  @ParameterizedTest
  @EnumSource
  void keepsTheConnectionAfterWhatWasNotExpected(How how) {
    HttpServer server =
        servers.start(how.run((request, response) -> new IllegalStateException("intended")));
    RawClient client = servers.connect(server);

    for (int i = 0; i < 3; i++) {
      RawResponse answer = client.get("/").read();
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.text()).isEqualTo("Internal Server Error\n");
      assertThat(answer.saysClose()).isFalse();
    }
    servers.log().await(Level.SEVERE);
  }

  @ParameterizedTest
  @EnumSource
  void keepsTheFieldsThatWereSetExceptThoseOfTheAbandonedContent(How how) {
    HttpServer server =
        servers.start(
            how.run(
                (request, response) -> {
                  response
                      .status(201)
                      .header("Access-Control-Allow-Origin", "*")
                      .addHeader("Vary", "Origin")
                      .addHeader("Set-Cookie", "a=b")
                      .addHeader("Set-Cookie", "c=d")
                      .header("Content-Security-Policy", "default-src 'none'")
                      .header("WWW-Authenticate", "Basic realm=\"old\"")
                      .header("Cache-Control", "public, max-age=31536000")
                      .header("Content-Type", "image/png")
                      .header("Content-Length", "12345")
                      .header("Content-Encoding", "gzip")
                      .header("Content-Range", "bytes 0-1/2")
                      .header("Content-Disposition", "attachment")
                      .header("ETag", "\"x\"")
                      .header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
                      .header("Expires", "Sun, 06 Nov 2094 08:49:37 GMT")
                      .header("Location", "/new");
                  return new HttpException(401, "log in")
                      .header("WWW-Authenticate", "Basic realm=\"new\"")
                      .header("Retry-After", "5");
                }));
    RawClient client = servers.connect(server);

    for (int i = 0; i < 2; i++) {
      RawResponse answer = client.get("/").read();
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.text()).isEqualTo("log in\n");
      assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("*");
      assertThat(answer.header("Vary")).isEqualTo("Origin");
      assertThat(answer.headers("Set-Cookie")).containsExactly("a=b", "c=d");
      assertThat(answer.header("Content-Security-Policy")).isEqualTo("default-src 'none'");
      assertThat(answer.header("WWW-Authenticate")).isEqualTo("Basic realm=\"new\"");
      assertThat(answer.header("Retry-After")).isEqualTo("5");
      assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
      assertThat(answer.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
      for (String gone :
          List.of(
              "Content-Encoding",
              "Content-Range",
              "Content-Disposition",
              "ETag",
              "Last-Modified",
              "Expires",
              "Location")) {
        assertThat(answer.headers(gone)).isEmpty();
      }
    }
  }

  @Test
  void keepsNoFieldsThatWereSetWhenAnotherThreadMayBeSettingSome() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.header("Before", "b").async().header("After", "a");
              throw new HttpException(409, "no").header("Retry-After", "5");
            });
    RawClient client = servers.connect(server);

    RawResponse answer = client.get("/").read();

    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.header("Before")).isEqualTo("b");
    assertThat(answer.header("After")).isNull();
    assertThat(answer.header("Retry-After")).isEqualTo("5");
    assertThat(client.get("/").read().status()).isEqualTo(409);
  }

  @OnlyHttp1("Connection: close")
  @Test
  void closesTheConnectionIfTheHandlerWantedThat() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.header("Connection", "close");
              throw new HttpException(400, "no");
            });
    RawClient client = servers.connect(server).get("/");

    assertThat(client.read().saysClose()).isTrue();
    client.expectEnd();
  }

  @OnlyHttp1("Upgrade")
  @Test
  void offersAnUpgrade() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(426, null).header("Upgrade", "websocket");
            });

    RawResponse answer = servers.connect(server).get("/").read();

    assertThat(answer.text()).isEqualTo("Upgrade Required\n");
    assertThat(answer.header("Upgrade")).isEqualTo("websocket");
    assertThat(answer.header("Connection")).isEqualTo("Upgrade");
  }

  @OnlyHttp1("HTTP/1.0")
  @Test
  void keepsAnOldConnectionThatAsksForIt() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(404, "no");
            });
    RawClient client = servers.connect(server);
    String request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";

    assertThat(client.send(request).read().header("Connection")).isEqualTo("keep-alive");
    assertThat(client.send(request).read().status()).isEqualTo(404);
    assertThat(client.send("GET / HTTP/1.0\r\n\r\n").read().saysClose()).isTrue();
    client.expectEnd();
  }

  @Test
  void answersHeadWithoutContent() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(404, "no");
            });
    RawClient client = servers.connect(server);

    RawResponse head = client.send(Requests.head("/")).read("HEAD");

    assertThat(head.header("Content-Length")).isEqualTo("3");
    assertThat(client.get("/").read().text()).isEqualTo("no\n");
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, false"})
  void discardsUnreadContentWithinItsLimit(int beyond, boolean kept) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(403, request.path());
            },
            LIMITS);
    byte[] content = new byte[DRAINED_BYTES_MAX + beyond];
    RawClient client = servers.connect(server);

    client.send(Requests.post("/first", content));

    RawResponse answer = client.read();
    assertThat(answer.status()).isEqualTo(403);
    if (kept) {
      assertThat(answer.saysClose()).isFalse();
      assertThat(client.get("/second").read().text()).isEqualTo("/second\n");
    } else {
      client.expectLast(answer);
    }
  }

  @Test
  void closesIfTheClientStillWaitsFor100() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(403, "no");
            });
    RawClient client = servers.connect(server);

    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");

    client.expectLast(client.read());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsTheConnectionWhenTheContentIsWrongOrTooLarge(boolean chunked) {
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receiveAll(
                        100,
                        content -> {
                          throw new HttpException(422, "wrong");
                        }));
    RawClient client = servers.connect(server);

    for (int size : new int[] {10, 1000, 100}) {
      byte[] content = new byte[size];
      client.send(chunked ? Requests.chunkedPost("/", content, 7) : Requests.post("/", content));
      RawResponse answer = client.read();
      assertThat(answer.status()).isEqualTo(size > 100 ? 413 : 422);
      assertThat(answer.saysClose()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void logsAServersErrorWithItsStackAndCause(How how) {
    HttpServer server =
        servers.start(
            how.run(
                (request, response) ->
                    new HttpException(503, "busy", new IOException("no connection"))));

    RawResponse answer = servers.connect(server).get("/path?secret").read();

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.text()).isEqualTo("busy\n");
    List<LogRecord> records = servers.log().await(Level.WARNING);
    assertThat(records).hasSize(1);
    assertThat(records.getFirst().getMessage()).isEqualTo("handler failed: GET /path");
    Throwable thrown = records.getFirst().getThrown();
    assertThat(thrown).hasMessage("busy").hasRootCauseMessage("no connection");
    assertThat(thrown.getStackTrace()).isNotEmpty();
  }

  @Test
  void logsTheAttributesThatAreMeantForTheLog() {
    AttributeKey<String> user = AttributeKey.logged("user", name -> name);
    AttributeKey<String> secret = AttributeKey.of("secret");
    Handler failing =
        (request, response) -> {
          request.attribute(user, "eve\r\nhandler failed: GET /" + "x".repeat(200));
          request.attribute(secret, "intended");
          throw new IOException("no connection");
        };
    HttpServer server = servers.start(RequestId.of(failing));

    RawResponse answer = servers.connect(server).get("/path").read();

    List<LogRecord> records = servers.log().await(Level.WARNING);
    assertThat(records).hasSize(1);
    assertThat(records.getFirst().getMessage())
        .startsWith("handler failed: GET /path (request id: " + answer.header("X-Request-ID"))
        .contains(", user: eve??handler failed: GET /xxx")
        .endsWith("xxx...)")
        .doesNotContain("intended");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 499, 501})
  void logsNoErrorOfAClient(int status) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(status, null, new IOException("intended"));
            });

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(status);
  }

  @Test
  void boundsTheLogOfFailures() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new IllegalStateException("intended");
            },
            options -> options.limits(Servers.LIMITS).loops(1));
    RawClient client = servers.connect(server);
    long start = System.nanoTime();

    for (int i = 0; i < 500; i++) {
      assertThat(client.get("/").read().status()).isEqualTo(500);
    }

    assertThat(servers.log().await(Level.SEVERE))
        .hasSizeBetween(100, 101 * ServerLog.periodsSince(start));
  }

  @Test
  void answersOnceEvenIfACallbackCompletesTheResponse() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.onAbort(cause -> response.fail(new HttpException(410, "again")));
              response.onAbort(cause -> response.text("answered"));
              throw new HttpException(409, "first");
            });
    RawClient client = servers.connect(server);

    for (int i = 0; i < 3; i++) {
      RawResponse answer = client.get("/").read();
      assertThat(answer.status()).isEqualTo(409);
      assertThat(answer.text()).isEqualTo("first\n");
    }
    servers.log().take(Level.SEVERE); // a callback can't respond
  }

  @Test
  void endsAResponseThatHasFailed() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  response.fail(new HttpException(409, "no"));
                  response.complete();
                }));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().status()).isEqualTo(409);
    assertThat(client.get("/").read().status()).isEqualTo(409);
  }
}
