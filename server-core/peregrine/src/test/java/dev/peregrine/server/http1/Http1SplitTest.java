package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The responses are the same however the bytes are cut, on the way in and on the way out. */
final class Http1SplitTest {
  private static final byte[] MARKER = Requests.get("/marker");

  private final ScriptedServer server = new ScriptedServer(Http1SplitTest::answer);

  @AfterEach
  void end() {
    server.checkIdleMemory();
    server.close();
  }

  /** Returns requests. Each is followed by another one, whose first byte it must not consume. */
  static List<byte[]> requests() {
    byte[] content = Requests.content(30);
    List<byte[]> requests = new ArrayList<>();
    requests.add(Requests.get("/path?query"));
    requests.add(Requests.join(Requests.bytes("\r\n\r\n"), Requests.get("/")));
    requests.add(Requests.head("/head"));
    requests.add(Requests.lines("GET http://a:1/b?c HTTP/1.1", "Host: a:1", "X:", "Y: \t z \t"));
    requests.add(Requests.lines("OPTIONS * HTTP/1.1", "Host: a"));
    for (String path : new String[] {"/whole", "/pieces", "/unread"}) {
      requests.add(Requests.post(path, content));
      requests.add(Requests.chunkedPost(path, content, 7, Map.of("T", "v")));
    }
    requests.add(
        Requests.bytes(
            Requests.chunkedHead("/whole") + "3;e;f=\"g\\\"\"\r\nabc\r\n000\r\nT: v\r\n\r\n"));
    requests.add(
        Requests.join(
            Requests.lines(
                "POST /whole HTTP/1.1", "Host: a", "Expect: 100-continue", "Content-Length: 3"),
            Requests.bytes("abc")));
    return requests;
  }

  /** Returns requests that are rejected, each at some byte. */
  static List<byte[]> brokenRequests() {
    List<byte[]> requests = new ArrayList<>();
    for (String bytes :
        new String[] {
          "GET\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
          "GET / HTTP/1.1\nHost: a\r\n\r\n",
          "GET / HTTP/3.0\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
          Requests.chunkedHead("/whole") + "2\r\nabX\r\n0\r\n\r\n",
          Requests.chunkedHead("/whole") + "2;a=\"\n\"\r\nab\r\n0\r\n\r\n",
          Requests.chunkedHead("/whole") + "0\r\nT : v\r\n\r\n",
          Requests.chunkedHead("/unread") + "zz\r\n",
        }) {
      requests.add(Requests.bytes(bytes));
    }
    return requests;
  }

  @ParameterizedTest
  @MethodSource("requests")
  void answersTheSameWhereverARequestIsCut(byte[] request) {
    byte[] all = Requests.join(request, MARKER);
    String whole = server.exchange(all);
    assertThat(whole).endsWith("/marker");
    for (int cut = 1; cut < all.length; cut++) {
      assertThat(server.exchange(Arrays.copyOf(all, cut), tail(all, cut)))
          .as("cut at %d", cut)
          .isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @MethodSource("requests")
  void answersTheSameWhenARequestArrivesByteByByte(byte[] request) {
    byte[] all = Requests.join(request, MARKER);
    byte[][] bytes = new byte[all.length][];
    for (int i = 0; i < all.length; i++) {
      bytes[i] = new byte[] {all[i]};
    }

    assertThat(server.exchange(bytes)).isEqualTo(server.exchange(all));
  }

  @ParameterizedTest
  @MethodSource("brokenRequests")
  void rejectsTheSameWhereverARequestIsCut(byte[] request) {
    byte[] all = Requests.join(request, MARKER);
    String whole = server.exchange(all);
    assertThat(whole).startsWith("HTTP/1.1 ").doesNotContain("/marker");
    for (int cut = 1; cut < all.length; cut++) {
      String answer = server.exchange(Arrays.copyOf(all, cut), tail(all, cut));
      // If the handler doesn't read the content, the response may be sent before the fault arrives.
      if (!whole.contains("/unread")) {
        assertThat(answer).as("cut at %d", cut).isEqualTo(whole);
      }
      assertThat(answer).doesNotContain("/marker");
    }
  }

  @Test
  void answersTheSameHoweverManyBytesAreReadAndWrittenAtATime() {
    Seeds.each(
        150,
        random -> {
          List<byte[]> requests = new ArrayList<>();
          for (int i = random.nextInt(30); i >= 0; i--) {
            requests.add(randomRequest(random));
          }
          byte[] all = Requests.join(requests.toArray(byte[][]::new));
          String whole = server.exchange(all);
          ScriptedSocket socket = server.connect();
          int most = 1 + random.nextInt(random.nextBoolean() ? 50 : 70_000);
          socket.takePerWrite(
              () -> random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(1 + most));
          for (int from = 0; from < all.length; ) {
            int part = Math.min(all.length - from, 1 + random.nextInt(most));
            socket.receive(Arrays.copyOfRange(all, from, from + part));
            from += part;
          }
          server.serve(socket);
          socket.receiveEnd();
          server.serve(socket);

          assertThat(ScriptedServer.withoutDates(socket.text())).isEqualTo(whole);
          server.checkIdleMemory();
        });
  }

  private static byte[] randomRequest(SplittableRandom random) {
    byte[] content = Requests.content(random.nextInt(random.nextInt(5) == 0 ? 100_000 : 100));
    String path = random.nextBoolean() ? "/whole" : "/pieces";
    return switch (random.nextInt(5)) {
      case 0 -> Requests.get("/" + "p".repeat(random.nextInt(1000)));
      case 1 -> Requests.head("/h");
      case 2 -> Requests.get("/large");
      case 3 -> Requests.post(path, content);
      default -> Requests.chunkedPost(path, content, 1 + random.nextInt(30_000));
    };
  }

  /** Answers in a way that doesn't depend on how the bytes arrive. */
  private static void answer(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/whole" ->
          request
              .body()
              .receiveAll(
                  1 << 20,
                  content ->
                      response.text(
                          new String(content, StandardCharsets.ISO_8859_1)
                              + request.body().trailer("T")));
      case "/pieces" -> {
        // With a length, since chunks would show the pieces.
        if (request.body().length() >= 0) {
          response.header("Content-Length", "" + request.body().length());
          Echo.PIECES.handler().handle(request, response);
        } else {
          Echo.WHOLE.handler().handle(request, response);
        }
      }
      case "/large" -> response.send(Requests.content(100_000));
      default -> response.text(request.methodName() + " " + request.target());
    }
  }

  private static byte[] tail(byte[] bytes, int from) {
    return Arrays.copyOfRange(bytes, from, bytes.length);
  }
}
