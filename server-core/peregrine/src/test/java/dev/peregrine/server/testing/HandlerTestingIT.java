package dev.peregrine.server.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.filter.RequestId;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that are tested without a socket. */
final class HandlerTestingIT {

  private final ServerLog log = new ServerLog();

  @AfterEach
  void expectNothingLogged() {
    try (log) {
      assertThat(log.take(Level.WARNING)).isEmpty();
    }
  }

  @Test
  void reachesAHandlerInOneLine() throws Exception {
    Handler hello = (request, response) -> response.text("Hello, " + request.queryParameter("n"));

    TestResponse response = TestRequest.get("/?n=J%C3%BCrgen").send(hello);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(response.text()).isEqualTo("Hello, J\u00fcrgen");
    assertThat(response.isComplete()).isTrue();
  }

  @Test
  void sendsMethodFieldsAndContent() throws Exception {
    Handler show =
        (request, response) ->
            request
                .body()
                .receiveAll(
                    100,
                    content ->
                        response
                            .status(201)
                            .addHeader("X-Seen", request.methodName())
                            .addHeader("X-Seen", String.join("|", request.headers("X-Own")))
                            .addHeader("X-Seen", String.valueOf(request.host()))
                            .send(content));

    TestResponse response =
        TestRequest.of("PUT", "/x")
            .header("X-Own", "a")
            .header("X-Own", "b")
            .header("host", "example.com")
            .content("c\u00f6ntent")
            .send(show);

    assertThat(response.status()).isEqualTo(201);
    assertThat(response.headers("X-Seen")).containsExactly("PUT", "a|b", "example.com");
    assertThat(response.text()).isEqualTo("c\u00f6ntent");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16_384, 1_000_000})
  void runsBlockingHandlers(int bytes) throws Exception {
    byte[] content = Requests.content(bytes);
    Handler echo =
        Handlers.blocking(
            (request, response) ->
                request.body().inputStream().transferTo(response.outputStream()));

    TestResponse response = TestRequest.of("POST", "/").content(content).send(echo);

    assertThat(response.content()).isEqualTo(content);
    assertThat(response.isComplete()).isTrue();
  }

  @Test
  void waitsForResponsesThatAreCompletedElsewhere() throws Exception {
    TestResponse response =
        TestRequest.get("/")
            .send(
                (request, answer) -> {
                  answer.async();
                  Thread.ofVirtual().start(() -> answer.text("later"));
                });

    assertThat(response.text()).isEqualTo("later");
  }

  @Test
  void runsTimersAndCallbacks() throws Exception {
    BlockingQueue<Outcome> ends = new LinkedBlockingQueue<>();

    TestResponse response =
        TestRequest.get("/")
            .send(
                (request, answer) ->
                    answer
                        .async()
                        .onComplete(ends::add)
                        .onLoopAfter(Duration.ofMillis(1), () -> answer.text("in time")));

    assertThat(response.text()).isEqualTo("in time");
    assertThat(ends.take()).isEqualTo(Outcome.COMPLETED);
  }

  @Test
  void showsErrorsAsClientsSeeThem() throws Exception {
    Handler missing =
        (request, response) -> {
          throw new HttpException(404, "no such user");
        };

    TestResponse plain = TestRequest.get("/").send(missing);
    TestResponse problem =
        TestRequest.get("/")
            .send(Peregrine.builder().handler(missing).errors(ErrorRenderer.PROBLEM_JSON));
    TestResponse invalid = TestRequest.get("/a b").send(missing);

    assertThat(plain.status()).isEqualTo(404);
    assertThat(plain.text()).contains("no such user");
    assertThat(problem.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(invalid.status()).isEqualTo(400);
  }

  @Test
  void showsThatAResponseIsCutShort() throws Exception {
    TestResponse response =
        TestRequest.get("/")
            .send(
                (request, answer) -> {
                  answer.stream().write(Requests.bytes("begun")).flush();
                  throw new IllegalStateException("a defect");
                });

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo("begun");
    assertThat(response.isComplete()).isFalse();
    log.expectOne(Level.WARNING, "a defect");
  }

  @Test
  void keepsToTheLimitsOfItsOptions() throws Exception {
    ServerLimits limits = ServerLimits.builder().bodyBytesMax(3).build();
    Handler handler =
        (request, response) -> request.body().receiveAll(3, content -> response.send(content));

    assertThat(
            TestRequest.post("/", "123")
                .send(Peregrine.builder().limits(limits).handler(handler))
                .status())
        .isEqualTo(200);
    assertThat(
            TestRequest.post("/", "1234")
                .send(Peregrine.builder().limits(limits).handler(handler))
                .status())
        .isEqualTo(413);
  }

  @Test
  void leavesOutInterimResponsesAndContentThatIsNotSent() throws Exception {
    Handler handler =
        (request, response) -> response.earlyHints("</a.css>; rel=preload").text("content");

    TestResponse whole = TestRequest.get("/").send(handler);
    TestResponse head = TestRequest.of("HEAD", "/").send(handler);

    assertThat(whole.status()).isEqualTo(200);
    assertThat(whole.header("Link")).isNull();
    assertThat(whole.text()).isEqualTo("content");
    assertThat(head.header("Content-Length")).isEqualTo("7");
    assertThat(head.content()).isEmpty();
  }

  @Test
  void servesManyRequestsAtATime() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    Handler meeting =
        Handlers.blocking(
            (request, response) -> {
              both.countDown();
              both.await();
              response.text(String.valueOf(request.attribute(RequestId.KEY)));
            });
    List<String> ids = new ArrayList<>();
    try (InMemoryServer server =
        InMemoryServer.start(Peregrine.builder().handler(RequestId.of(meeting)))) {
      Thread other =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      TestRequest.get("/").send(server);
                    } catch (InterruptedException stop) {
                      throw new AssertionError(stop);
                    }
                  });
      ids.add(TestRequest.get("/").send(server).text());
      other.join();
      ids.add(TestRequest.get("/").send(server).text());
    }

    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[0-9a-f]{32}"));
  }

  @Test
  void saysThatItCannotOpenAWebSocket() {
    Handler sockets = (request, response) -> response.webSocket(new WebSocketListener() {});

    assertThatThrownBy(() -> handshake().send(Peregrine.builder().handler(sockets)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the connection was upgraded (101)")
        .hasMessageContaining("HttpServer on port 0");
  }

  @Test
  void showsHowAHandlerRejectsAWebSocket() throws Exception {
    Handler sockets =
        (request, response) -> {
          if (!"https://here".equals(request.header("Origin"))) {
            throw new HttpException(403, "another origin");
          }
          response.webSocket(new WebSocketListener() {});
        };

    TestResponse rejected = handshake().header("Origin", "https://there").send(sockets);

    assertThat(rejected.status()).isEqualTo(403);
  }

  private static TestRequest handshake() {
    return TestRequest.get("/")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        .header("Sec-WebSocket-Version", "13");
  }

  @Test
  void givesUpOnAResponseThatDoesNotCome() {
    TestRequest request = TestRequest.get("/").patience(Duration.ofMillis(20));

    assertThatThrownBy(() -> request.send((ignored, response) -> response.async()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("20 ms");
  }

  @Test
  void disconnectsTheClientThatHasGivenUp() throws Exception {
    BlockingQueue<Outcome> ends = new LinkedBlockingQueue<>();
    Handler hanging = (request, response) -> response.async().onComplete(ends::add);
    TestRequest request = TestRequest.get("/").patience(Duration.ofMillis(20));
    try (InMemoryServer server = InMemoryServer.start(Peregrine.builder().handler(hanging))) {
      assertThatThrownBy(() -> request.send(server)).isInstanceOf(IllegalStateException.class);

      assertThat(ends.take()).isEqualTo(Outcome.ABORTED);
    }
  }

  @Test
  void keepsABoundedNumberOfBytes() {
    byte[] piece = new byte[1024 * 1024];
    Handler endless =
        Handlers.blocking(
            (request, response) -> {
              OutputStream content = response.outputStream();
              while (true) {
                content.write(piece);
              }
            });

    assertThatThrownBy(() -> TestRequest.get("/").patience(Duration.ofMinutes(2)).send(endless))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("more than 67108864 bytes");
  }

  @Test
  void failsAtOnceWhenItsServerIsClosed() {
    InMemoryServer server =
        InMemoryServer.start(
            Peregrine.builder().handler((request, response) -> response.text("x")));
    server.close();

    assertThatThrownBy(() -> TestRequest.get("/").patience(Duration.ofDays(1)).send(server))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without a response");
  }

  @Test
  void rejectsWhatWouldEndALine() {
    assertThatThrownBy(() -> TestRequest.get("/\r\nX: y"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TestRequest.get("/").header("X", "a\r\nb"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TestRequest.get("/").header("X Y", "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
