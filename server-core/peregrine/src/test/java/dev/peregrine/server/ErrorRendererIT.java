package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpError;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.route.Routes;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ErrorRendererIT {
  /** A request with more fields than the limit. */
  private static final String TOO_LARGE =
      "GET / HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n".repeat(101) + "\r\n";

  @RegisterExtension final Servers servers = new Servers();

  private static final Handler ROUTES =
      Routes.builder()
          .get("/ok", (request, response) -> response.text("ok"))
          .get(
              "/thrown",
              (request, response) -> {
                throw new HttpException(409, "say \"no\"\n");
              })
          .get(
              "/unexpected",
              (request, response) -> {
                throw new IllegalStateException("intended");
              })
          .post(
              "/small",
              (request, response) ->
                  request.body().receiveAll(10, content -> response.text("read")))
          .post(
              "/blocking",
              Handlers.blocking((request, response) -> response.text("" + request.readForm(10))))
          .build();

  private HttpServer serve(ErrorRenderer renderer) {
    return servers.start(ROUTES, options -> options.errors(renderer));
  }

  @Test
  void writesProblemDetailsForEveryErrorOfARequest() {
    HttpServer server = serve(ErrorRenderer.PROBLEM_JSON);
    RawClient client = servers.connect(server);

    expectProblem(
        client.get("/thrown").read(),
        409,
        "{\"title\":\"Conflict\",\"status\":409,\"detail\":\"say \\\"no\\\"\\u000a\"}\n");
    expectProblem(
        client.get("/unexpected").read(),
        500,
        "{\"title\":\"Internal Server Error\",\"status\":500}\n");
    servers.log().await(Level.SEVERE);
    expectProblem(client.get("/none").read(), 404, "{\"title\":\"Not Found\",\"status\":404}\n");
    RawResponse notAllowed = client.post("/ok", new byte[0]).read();
    expectProblem(notAllowed, 405, "{\"title\":\"Method Not Allowed\",\"status\":405}\n");
    assertThat(notAllowed.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
    expectProblem(
        client.get("//").read(),
        400,
        "{\"title\":\"Bad Request\",\"status\":400,"
            + "\"detail\":\"the path has an empty segment\"}\n");
    for (String path : List.of("/small", "/blocking")) {
      String type = "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 11";
      RawResponse answer =
          client
              .send("POST " + path + " HTTP/1.1\r\nHost: a" + type + "\r\n\r\n12345678901")
              .read();
      expectProblem(
          answer,
          413,
          "{\"title\":\"Content Too Large\",\"status\":413,"
              + "\"detail\":\"content of more than 10 bytes\"}\n");
    }
    assertThat(client.get("/ok").read().text()).isEqualTo("ok");
  }

  @OnlyHttp1("HTTP/2 resets the stream of what isn't a request")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "400 BAD\r\n\r\n",
        "400 GET / HTTP/1.1\r\n\r\n",
        "505 GET / HTTP/3.0\r\nHost: a\r\n\r\n",
        "400 POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      })
  void writesProblemDetailsForBytesThatAreNotARequest(String statusAndBytes) {
    HttpServer server = serve(ErrorRenderer.PROBLEM_JSON);
    int status = Integer.parseInt(statusAndBytes.substring(0, 3));
    RawClient client = servers.connect(server).send(statusAndBytes.substring(4));

    RawResponse answer = client.read();

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(answer.text()).contains("\"status\":" + status).contains("\"detail\":\"");
    assertThat(answer.saysClose()).isTrue();
    client.expectEnd();
  }

  @Test
  void writesProblemDetailsForALargeHead() {
    RawClient large = servers.connect(serve(ErrorRenderer.PROBLEM_JSON));

    large.send(TOO_LARGE);

    RawResponse answer = large.read();
    assertThat(answer.text()).contains("\"status\":431");
    large.expectLast(answer);
  }

  @OnlyHttp1("HTTP/2 has no response to a head that is incomplete")
  @Test
  void writesProblemDetailsForIncompleteHeads() {
    HttpServer server =
        servers.start(
            ROUTES,
            options ->
                options
                    .errors(ErrorRenderer.PROBLEM_JSON)
                    .limits(
                        Servers.LIMITS.toBuilder()
                            .requestHeadTime(Duration.ofMillis(100))
                            .build()));
    RawClient slow = servers.connect(server).send("GET / HT");
    RawResponse tooLate = slow.read();
    expectProblem(
        tooLate,
        408,
        "{\"title\":\"Request Timeout\",\"status\":408,"
            + "\"detail\":\"the request head took too long\"}\n");
    slow.expectEnd();
    RawClient cut = servers.connect(serve(ErrorRenderer.PROBLEM_JSON)).send("GET /").halfClose();
    assertThat(cut.read().text()).contains("the stream ended within the request head");
    cut.expectEnd();
  }

  @OnlyHttp1("the response is sent before the client has chosen a version")
  @Test
  void writesProblemDetailsForConnectionsAboveTheLimit() {
    HttpServer server =
        servers.start(
            ROUTES,
            options ->
                options
                    .errors(ErrorRenderer.PROBLEM_JSON)
                    .limits(Servers.LIMITS.toBuilder().connectionsMax(1).build()));
    RawClient first = servers.connect(server);
    assertThat(first.get("/ok").read().status()).isEqualTo(200);
    RawClient second = servers.connect(server);
    expectProblem(
        second.read(),
        503,
        "{\"title\":\"Service Unavailable\",\"status\":503,"
            + "\"detail\":\"too many connections\"}\n");
    second.expectEnd();
  }

  @Test
  void getsWhatIsKnownOfTheError() throws Exception {
    record Seen(HttpError error, String path) {}
    BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    HttpServer server =
        serve(
            error -> {
              Request request = error.request();
              seen.add(new Seen(error, request == null ? "none" : request.path()));
              return ErrorContent.plain(error);
            });
    RawClient client = servers.connect(server);

    client.get("/thrown").get("/unexpected").get("/none");
    client.send(TOO_LARGE);

    Seen thrown = seen.take();
    assertThat(thrown.path).isEqualTo("/thrown");
    assertThat(thrown.error.cause()).isInstanceOf(HttpException.class);
    Seen unexpected = seen.take();
    assertThat(unexpected.path).isEqualTo("/unexpected");
    assertThat(unexpected.error.detail()).isNull();
    assertThat(unexpected.error.cause()).isInstanceOf(IllegalStateException.class);
    assertThat(seen.take().path).isEqualTo("/none");
    Seen rejected = seen.take();
    assertThat(rejected.path).isEqualTo("none");
    assertThat(rejected.error.status()).isEqualTo(431);
    assertThat(rejected.error.cause()).isNull();
    servers.log().await(Level.SEVERE);
  }

  @Test
  void addsFieldsBesideThoseOfTheResponse() {
    PreparedFields vary = PreparedFields.of("Vary", "Accept");
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.addHeader("Vary", "Origin");
              throw new HttpException(404, "no");
            },
            options -> options.errors(error -> ErrorContent.plain(error).withHeaders(vary)));

    assertThat(servers.connect(server).get("/").read().headers("Vary"))
        .containsExactly("Origin", "Accept");
    assertThat(servers.connect(server).send(TOO_LARGE).read().headers("Vary"))
        .containsExactly("Accept");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1024, 1025, 100_000})
  void sendsContentOfAnyLength(int length) {
    String text = "x".repeat(length);
    HttpServer server = serve(error -> ErrorContent.of(ContentType.TEXT_HTML_UTF_8, text));
    RawClient client = servers.connect(server);

    for (int i = 0; i < 2; i++) {
      RawResponse answer = client.get("/none").read();
      assertThat(answer.text()).isEqualTo(text);
      assertThat(answer.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
      RawResponse head = client.send(Requests.head("/none")).read("HEAD");
      assertThat(head.header("Content-Length")).isEqualTo("" + length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exception", "error", "null", "overflow"})
  void isReplacedIfItFails(String how) {
    HttpServer server =
        serve(
            error ->
                switch (how) {
                  case "exception" -> throw new java.io.IOException("intended");
                  case "error" -> throw new AssertionError("intended");
                  case "overflow" -> overflow(error);
                  default -> nothing();
                });
    RawClient client = servers.connect(server);

    assertThat(client.get("/thrown").read().text()).isEqualTo("say \"no\"\n\n");
    assertThat(ServerLog.describe(servers.log().await(Level.SEVERE).getFirst()))
        .contains("the error renderer failed");
    assertThat(client.get("/ok").read().text()).isEqualTo("ok");
    RawResponse rejected = client.send(TOO_LARGE).read();
    assertThat(rejected.status()).isEqualTo(431);
    client.expectLast(rejected);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @SuppressWarnings({"NullAway", "DataFlowIssue"}) // as an application without checks may do
  private static ErrorContent nothing() {
    return null;
  }

  @SuppressWarnings("InfiniteRecursion")
  private static ErrorContent overflow(HttpError error) {
    return overflow(new HttpError(error.status() + 1, "", null, null, null));
  }

  @Test
  void cannotReadBytesOutsideItsRange() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(409, "no");
            },
            options ->
                options.errors(
                    error -> {
                      Request request = error.request();
                      if (request != null) {
                        request.body().receiveAll(100, content -> {});
                      }
                      return ErrorContent.plain(error);
                    }));
    RawClient client = servers.connect(server);

    for (int i = 0; i < 2; i++) {
      client.post("/", new byte[20]);
      assertThat(client.read().status()).isEqualTo(409);
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(409);
    }
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    RawResponse last = client.read();
    assertThat(last.status()).isEqualTo(409);
    client.expectLast(last);
  }

  private static void expectProblem(RawResponse answer, int status, String json) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(answer.text()).isEqualTo(json);
  }
}
