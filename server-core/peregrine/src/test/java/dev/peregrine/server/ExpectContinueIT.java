package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expect: 100-continue (RFC 9110 section 10.1.1). */
final class ExpectContinueIT {
  private static final String EVIL = "GET /evil HTTP/1.1\r\nHost: test\r\n\r\n";

  /** The server waits longer for content that it discards than a slow client takes to send it. */
  private static final ServerLimits LINGERING =
      Servers.LIMITS.toBuilder().lingerTime(Duration.ofMinutes(2)).build();

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @EnumSource
  void sends100WhenTheHandlerReads(Echo echo) {
    RawClient client = servers.connect(servers.start(echo.handler()));
    for (int i = 0; i < 3; i++) {
      client.send(head("Content-Length: 3"));
      expectContinue(client);
      client.send("abc");
      assertThat(client.read().text()).isEqualTo("abc");
    }
  }

  @ParameterizedTest
  @EnumSource
  void sends100ForChunkedContent(Echo echo) {
    RawClient client = servers.connect(servers.start(echo.handler()));

    client.send(head("Transfer-Encoding: chunked"));
    expectContinue(client);
    client.send("3\r\nabc\r\n0\r\n\r\n");

    assertThat(client.read().text()).isEqualTo("abc");
  }

  @Test
  void sends100WhenTheHandlerReadsTheContent() throws Exception {
    BlockingQueue<String> go = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  go.take();
                  response.send(request.body().inputStream().readAllBytes());
                }),
            options -> options.loops(1));
    RawClient waiting = servers.connect(server).send(head("Content-Length: 3"));
    // The loop has served a later connection, so the head was handled, and no response was sent.
    servers.expectUnharmed(server);
    assertThat(waiting.available()).isZero();

    go.add("on");

    expectContinue(waiting);
    assertThat(waiting.send("abc").read().text()).isEqualTo("abc");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 401, 417})
  void sendsNo100WhenTheHandlerAnswersAtOnce(int status) {
    HttpServer server =
        servers.start((request, response) -> response.status(status).text("no need"), LINGERING);
    RawClient client = servers.connect(server).send(head("Content-Length: " + EVIL.length()));

    RawResponse response = client.read();

    assertThat(response.status()).isEqualTo(status);
    client.send(EVIL); // content of a client that didn't wait, not a request
    client.expectLast(response);
  }

  @Test
  void sendsNo100WhenTheHandlerFails() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(403, "not you");
            },
            LINGERING);
    RawClient client = servers.connect(server);

    client.send(head("Content-Length: " + EVIL.length())).send(EVIL);

    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(403);
    client.expectLast(response);
  }

  @Test
  void sendsNo100ForContentAboveTheLimit() {
    HttpServer server =
        servers.start(Echo.WHOLE.handler(), Servers.LIMITS.toBuilder().bodyBytesMax(10).build());
    RawClient client = servers.connect(server).send(head("Content-Length: 11"));

    RawResponse response = client.read();

    assertThat(response.status()).isEqualTo(413);
    client.expectLast(response);
  }

  @ParameterizedTest
  @EnumSource
  void acceptsContentThatArrivesWithoutWaiting(Echo echo) {
    RawClient client = servers.connect(servers.start(echo.handler()));

    client.send(Requests.join(head("Content-Length: 3"), Requests.bytes("abc"), Requests.get("/")));

    RawResponse response = client.read();
    while (response.status() == 100) { // may be left out (RFC 9110 section 10.1.1)
      response = client.read();
    }
    assertThat(response.text()).isEqualTo("abc");
    assertThat(client.read().text()).isEmpty();
  }

  @Test
  void sendsNo100WithoutContent() {
    RawClient client = servers.connect(servers.start(Echo.WHOLE.handler()));

    client.send(head("Content-Length: 0")).send(head("X: y")).get("/");

    for (int i = 0; i < 3; i++) {
      RawResponse response = client.read();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.saysClose()).isFalse();
    }
  }

  @OnlyHttp1("HTTP/1.0")
  @Test
  void sendsNo100ToAnHttp10Client() {
    RawClient client = servers.connect(servers.start(Echo.WHOLE.handler()));

    client.send(Requests.lines("POST / HTTP/1.0", "Expect: 100-continue", "Content-Length: 3"));
    client.send("abc");

    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo("abc");
  }

  @ParameterizedTest
  @ValueSource(strings = {"200-ok", "100-continue, x", "100-continued"})
  void answers417ToAnotherExpectation(String expectation) {
    RawClient client = servers.connect(servers.start(Echo.WHOLE.handler()));

    client.send(
        Requests.lines(
            "POST / HTTP/1.1", "Host: test", "Expect: " + expectation, "Content-Length: 3"));

    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(417);
    client.expectLast(response);
  }

  @Test
  void understandsTheExpectationInAnyCase() {
    RawClient client = servers.connect(servers.start(Echo.WHOLE.handler()));

    client.send(
        Requests.lines("POST / HTTP/1.1", "Host: a", "expect: 100-Continue", "Content-Length: 1"));

    expectContinue(client);
    assertThat(client.send("a").read().text()).isEqualTo("a");
  }

  @Test
  void holdsNoMemoryForClientsThatWaitAndNeverContinue() {
    Handler handler = Echo.WHOLE.handler();
    HttpServer server = servers.start(handler);
    long idle = server.bufferBytesInUse();
    for (int i = 0; i < 200; i++) {
      RawClient client = servers.connect(server).send(head("Content-Length: 1000000"));
      expectContinue(client);
    }

    Await.until("no buffer is in use", () -> server.bufferBytesInUse() <= idle + 2 * 64 * 1024);
  }

  private static byte[] head(String field) {
    return Requests.lines("POST / HTTP/1.1", "Host: test", "Expect: 100-continue", field);
  }

  private static void expectContinue(RawClient client) {
    RawResponse interim = client.read();
    assertThat(interim.status()).isEqualTo(100);
    assertThat(interim.headers("Content-Length")).isEmpty();
  }
}
