package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes that are not a request get an error response, then the end of the stream, and no later byte
 * is ever taken for a request. The parser's tests have the cases of syntax; this class has those of
 * connections.
 */
final class RejectedRequestIT {
  private static final String MARKER = "GET /marker HTTP/1.1\r\nHost: test\r\n\r\n";

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource({
    "'GET /\r\n\r\n',                                                            400",
    "'GET  / HTTP/1.1\r\nHost: a\r\n\r\n',                                       400",
    "'GET / HTTP/1.1\r\n\r\n',                                                   400",
    "'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n',                             400",
    "'GET / HTTP/1.1\nHost: a\n\n',                                              400",
    "'GET / HTTP/1.1\r\nHost : a\r\n\r\n',                                       400",
    "'GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n',                                  400",
    "'GET / HTTP/1.1\r\nHost: a\r\nX: NUL\r\n\r\n',                              400",
    "'GET / HTTP/2.0\r\nHost: a\r\n\r\n',                                        505",
    "'PRI / HTTP/2.0\r\n\r\nSM\r\n\r\n',                                         505",
    "'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nabcde',            400",
    "'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nabcde',          400",
    "'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nabcde', 400",
    "'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 400",
    "'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n',            400",
    "'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',   501",
    "'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n', 400",
    "'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',           400",
    "'\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',       400",
  })
  void answersAMalformedHeadThenEndsTheConnection(String bytes, int status) {
    AtomicInteger handled = new AtomicInteger();
    RawClient client = servers.connect(servers.start(counting(handled)));

    client.send(bytes.replace("NUL", "\0") + MARKER); // JUnit's CSV drops a NUL

    expectRejected(client, status);
    assertThat(handled).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n", // no chunk size
        "+5\r\nabcde\r\n0\r\n\r\n",
        "0x5\r\nabcde\r\n0\r\n\r\n",
        "5 \r\nabcde\r\n0\r\n\r\n;",
        "2;a\nxx\r\n0\r\n\r\n",
        "2\nab\r\n0\r\n\r\n",
        "1;ext=\"val\r\nX\r\n0\r\n\r\n",
        "5\r\nabcdeXX0\r\n\r\n",
        "5\r\nabcde\n0\r\n\r\n",
        "FFFFFFFFFFFFFFFF1\r\n",
        "10000000000000000\r\n",
        "0\r\nX : y\r\n\r\n",
        "0\r\nX: y\n\r\n",
        "0\r\n x\r\n\r\n",
      })
  void answersMalformedChunksThenEndsTheConnection(String chunks) {
    for (Handler handler : List.of(Echo.WHOLE.handler(), Echo.BLOCKING.handler())) {
      RawClient client = servers.connect(servers.start(handler));
      client.send(Requests.chunkedHead("/") + chunks + MARKER);
      expectRejected(client, 400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"no size\r\n", "5\r\nabcdeXX"})
  void takesNoBytesForARequestAfterBrokenChunksThatAreNotRead(String chunks) {
    AtomicInteger handled = new AtomicInteger();
    RawClient client = servers.connect(servers.start(counting(handled)));

    client.send(Requests.chunkedHead("/") + chunks + MARKER);

    assertThat(client.read().text()).isEqualTo("/");
    client.expectEnd();
    assertThat(handled).hasValue(1);
  }

  @Test
  void cutsAResponseThatHadBegunWhenTheChunksBreak() {
    RawClient client = servers.connect(servers.start(Echo.PIECES.handler()));
    client.send(Requests.chunkedHead("/") + "1\r\na\r\n");
    client.readUntil("1\r\na\r\n");

    client.send("no size\r\n" + MARKER);

    client.expectEnd(); // without the last chunk
  }

  @Test
  void answersTheRequestsBeforeItAndNoneAfterIt() {
    AtomicInteger handled = new AtomicInteger();
    RawClient client = servers.connect(servers.start(counting(handled)));

    client.send("GET /1 HTTP/1.1\r\nHost: test\r\n\r\nBAD\r\n\r\n" + MARKER);

    assertThat(client.read().text()).isEqualTo("/1");
    expectRejected(client, 400);
    assertThat(handled).hasValue(1);
  }

  @ParameterizedTest
  @CsvSource({"-1, 200", "0, 200", "1, 414", "100000, 414"})
  void answers414AboveTheLimitOfTheRequestLine(int over, int status) {
    RawClient client = servers.connect(servers.start((request, response) -> response.send()));
    int rest = "GET / HTTP/1.1".length();

    client.send("GET /" + "a".repeat(8192 - rest + over) + " HTTP/1.1\r\nHost: a\r\n\r\n");

    expectStatus(client, status);
  }

  @ParameterizedTest
  @CsvSource({"-1, 200", "0, 200", "1, 431", "100000, 431"})
  void answers431AboveTheLimitOfTheHeaderSection(int over, int status) {
    RawClient client = servers.connect(servers.start((request, response) -> response.send()));
    int rest = "Host: a\r\nX: \r\n".length();

    client.send(
        Requests.lines("GET / HTTP/1.1", "Host: a", "X: " + "a".repeat(32768 - rest + over)));

    expectStatus(client, status);
  }

  @ParameterizedTest
  @CsvSource({"-1, 200", "0, 200", "1, 431", "1000, 431"})
  void answers431AboveTheLimitOfFields(int over, int status) {
    RawClient client = servers.connect(servers.start((request, response) -> response.send()));

    client.send("GET / HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n".repeat(99 + over) + "\r\n");

    expectStatus(client, status);
  }

  @Test
  void answers400WhenTheStreamEndsWithinAHead() {
    byte[] head = Requests.get("/");
    HttpServer server = servers.start((request, response) -> response.send());
    for (int length = 1; length < head.length; length++) {
      RawClient client = servers.connect(server);
      client.send(head, 0, length).halfClose();
      expectRejected(client, 400);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answers400WhenTheStreamEndsWithinTheContent(boolean chunked) {
    HttpServer server = servers.start(Echo.WHOLE.handler());
    byte[] request =
        chunked
            ? Requests.chunkedPost("/", Requests.content(20), 7)
            : Requests.post("/", Requests.content(20));
    int head = new String(request, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n");
    for (int length = head + 4; length < request.length; length++) {
      RawClient client = servers.connect(server);
      client.send(request, 0, length).halfClose();
      expectRejected(client, 400);
    }
  }

  @Test
  void readsTheResponseThoughTheClientContinuesToSend() {
    RawClient client = servers.connect(servers.start((request, response) -> response.send()));

    var sent = client.sendMeanwhile(Requests.bytes("BAD\r\n\r\n" + "x".repeat(500_000)));

    expectRejected(client, 400);
    sent.join();
  }

  private static Handler counting(AtomicInteger handled) {
    return (request, response) -> {
      handled.incrementAndGet();
      response.text(request.path());
    };
  }

  private static void expectStatus(RawClient client, int status) {
    if (status == 200) {
      assertThat(client.read().status()).isEqualTo(200);
    } else {
      expectRejected(client, status);
    }
  }

  private static void expectRejected(RawClient client, int status) {
    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.saysClose()).isTrue();
    assertThat(response.text()).isNotBlank();
    client.expectEnd();
  }
}
