package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Seeds;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects and memory are reused, but a request never sees the data of an earlier one. */
final class IsolationIT {
  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void showsTrailersToTheirOwnRequestOnly(boolean sameConnection) {
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receiveAll(
                        100, content -> response.text("" + request.body().trailer("X-Secret"))),
            options -> options.loops(1));
    RawClient first = servers.connect(server);
    RawClient second = sameConnection ? first : servers.connect(server);

    first.send(Requests.chunkedPost("/", new byte[1], 1, Map.of("X-Secret", "mine")));
    assertThat(first.read().text()).isEqualTo("mine");

    assertThat(second.get("/").read().text()).isEqualTo("null");
    assertThat(second.post("/", new byte[1]).read().text()).isEqualTo("null");
    second.send(Requests.chunkedPost("/", new byte[1], 1));
    assertThat(second.read().text()).isEqualTo("null");
    second.send(Requests.chunkedPost("/", new byte[0], 1));
    assertThat(second.read().text()).isEqualTo("null");
  }

  @Test
  void showsTrailersToAHandlerThatDoesNotReadTheContentNever() {
    HttpServer server =
        servers.start(
            (request, response) -> response.text("" + request.body().trailer("X-Secret")),
            options -> options.loops(1));
    RawClient client = servers.connect(server);

    client.send(Requests.chunkedPost("/", new byte[1], 1, Map.of("X-Secret", "mine")));
    assertThat(client.read().text()).isEqualTo("null");
    assertThat(client.get("/").read().text()).isEqualTo("null");
  }

  @Test
  void reportsContentThatBrokeOffToNoLaterRequest() {
    HttpServer server =
        servers.start(
            (request, response) ->
                request.body().receive(Listeners.of(data -> {}, () -> response.text("ended"))),
            options -> options.loops(1));
    RawClient broken = servers.connect(server);
    broken.send(Requests.postHead("/", 10) + "abc").halfClose();
    assertThat(broken.read().status()).isEqualTo(400);
    broken.expectEnd();

    RawClient client = servers.connect(server);
    for (int i = 0; i < 3; i++) {
      assertThat(client.get("/").read().text()).isEqualTo("ended");
      assertThat(client.post("/", new byte[3]).read().text()).isEqualTo("ended");
    }
  }

  @Test
  void startsEveryResponseAfresh() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/set")) {
                response
                    .status(404)
                    .header("X-Own", "value")
                    .contentType(ContentType.APPLICATION_JSON)
                    .header("Content-Length", "2")
                    .send(Requests.bytes("{}"));
              } else {
                response.send(Requests.bytes("plain"));
              }
            },
            options -> options.loops(1));
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/set"), Requests.get("/")));
    client.read();
    RawResponse response = client.read();

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("X-Own")).isNull();
    assertThat(response.header("Content-Type")).isNull();
    assertThat(response.text()).isEqualTo("plain");
  }

  @Test
  void startsAResponseAfreshAfterOneThatFailedHalfway() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/fail")) {
                response.status(201).header("X-Own", "value").header("Connection", "close");
                throw new HttpException(409, "failed");
              }
              response.text("fine");
            },
            options -> options.loops(1));
    assertThat(servers.connect(server).get("/fail").read().status()).isEqualTo(409);

    RawClient client = servers.connect(server);
    for (int i = 0; i < 2; i++) {
      RawResponse response = client.get("/").read();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.header("X-Own")).isNull();
      assertThat(response.saysClose()).isFalse();
    }
  }

  @Test
  void showsEachHandlerItsOwnRequestOnly() {
    Handler onLoop = IsolationIT::describe;
    Handler onThread = Handlers.blocking(IsolationIT::describeBlocking);
    HttpServer server =
        servers.start(
            (request, response) -> {
              boolean blocking = "yes".equals(request.header("Blocking"));
              (blocking ? onThread : onLoop).handle(request, response);
            },
            options -> options.loops(1));
    Seeds.each(
        20,
        random -> {
          RawClient[] clients = new RawClient[5];
          for (int i = 0; i < clients.length; i++) {
            clients[i] = servers.connect(server);
          }
          for (int round = 0; round < 20; round++) {
            Sent[] sent = new Sent[clients.length];
            for (int i = 0; i < clients.length; i++) {
              sent[i] = Sent.random(random);
              sendInPieces(clients[i], sent[i].bytes(), random);
            }
            for (int i = 0; i < clients.length; i++) {
              assertThat(clients[i].read().text()).isEqualTo(sent[i].description());
            }
          }
          for (RawClient client : clients) {
            client.close();
          }
        });
  }

  private static void sendInPieces(RawClient client, byte[] bytes, SplittableRandom random) {
    for (int from = 0; from < bytes.length; ) {
      int part =
          Math.min(bytes.length - from, 1 + random.nextInt(random.nextBoolean() ? 99 : 9999));
      client.send(bytes, from, part);
      from += part;
    }
  }

  private static void describe(Request request, Response response) {
    request.body().receiveAll(1 << 20, content -> response.text(description(request, content)));
  }

  private static void describeBlocking(Request request, Response response) throws Exception {
    byte[] content = request.body().inputStream().readAllBytes();
    response.text(description(request, content));
  }

  private static String description(Request request, byte[] content) {
    StringBuilder text = new StringBuilder();
    text.append(request.methodName()).append(' ').append(request.target());
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < request.headerCount(); i++) {
      fields.put(request.headerName(i), request.headerValue(i));
    }
    text.append(comparable(fields)).append('\n');
    text.append(new String(content, StandardCharsets.ISO_8859_1)).append('\n');
    for (String name : new String[] {"T0", "T1", "T2"}) {
      text.append(request.body().trailer(name)).append(' ');
    }
    return text.toString();
  }

  /** The fields whatever the version: without their order and case, and without a framing. */
  private static Map<String, String> comparable(Map<String, String> fields) {
    Map<String, String> comparable = new TreeMap<>();
    fields.forEach((name, value) -> comparable.put(name.toLowerCase(Locale.ROOT), value));
    comparable.remove("transfer-encoding");
    return comparable;
  }

  /** A request, and the response of a handler that sees only this request. */
  private record Sent(
      String method,
      String target,
      Map<String, String> fields,
      String content,
      Map<String, String> trailers) {
    static Sent random(SplittableRandom random) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("Host", word(random, 10));
      fields.put("Blocking", random.nextBoolean() ? "yes" : "no");
      for (int i = random.nextInt(10); i > 0; i--) {
        fields.put("X" + word(random, 5), word(random, random.nextInt(8) == 0 ? 2000 : 30));
      }
      String method = "M" + word(random, 6).toUpperCase(Locale.ROOT);
      String content = random.nextInt(3) == 0 ? "" : word(random, random.nextInt(20_000));
      Map<String, String> trailers = new LinkedHashMap<>();
      boolean chunked = random.nextInt(3) == 0;
      if (chunked) {
        fields.put("Transfer-Encoding", "chunked");
        for (int i = random.nextInt(4); i > 0; i--) {
          trailers.put("T" + (i - 1), word(random, 9));
        }
      } else if (!content.isEmpty()) {
        fields.put("Content-Length", "" + content.length());
      }
      return new Sent(method, "/" + word(random, 100), fields, content, trailers);
    }

    byte[] bytes() {
      StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
      fields.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
      byte[] bytes = Requests.bytes(content);
      return Requests.join(
          Requests.bytes(head + "\r\n"),
          fields.containsKey("Transfer-Encoding")
              ? Requests.chunks(bytes, 1 + Math.floorMod(target.hashCode(), 5000), trailers)
              : bytes);
    }

    String description() {
      StringBuilder text = new StringBuilder(method + " " + target + comparable(fields) + "\n");
      text.append(content).append('\n');
      for (String name : new String[] {"T0", "T1", "T2"}) {
        text.append(trailers.get(name)).append(' ');
      }
      return text.toString();
    }

    private static String word(SplittableRandom random, int lengthMax) {
      int length = 1 + random.nextInt(Math.max(lengthMax, 1));
      char[] word = new char[length];
      for (int i = 0; i < length; i++) {
        word[i] = (char) ('a' + random.nextInt(26));
      }
      return new String(word);
    }
  }
}
