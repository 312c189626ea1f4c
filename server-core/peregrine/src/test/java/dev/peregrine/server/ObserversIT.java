package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.Response;
import dev.peregrine.http.route.Routes;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.IgnoringListener;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The listeners for connections and exchanges, over sockets. */
final class ObserversIT {
  private static final int SMALL_WINDOW_BYTES = 4 * 1024;
  private static final AttributeKey<String> USER = AttributeKey.of("user");

  @RegisterExtension final Servers servers = new Servers();

  private final ObserverNotes notes = new ObserverNotes();

  private HttpServer serve(Handler handler) {
    return serve(handler, Servers.LIMITS);
  }

  private HttpServer serve(Handler handler, ServerLimits limits) {
    return servers.start(
        handler,
        options -> options.limits(limits).exchangeListener(notes).connectionListener(notes));
  }

  // ---- exchanges ----

  @Test
  void reportEachExchangeWithItsRoute() throws Exception {
    Handler user = (request, response) -> response.text("me");
    Handler upload =
        Handlers.blocking(
            (request, response) -> response.status(201).send(request.body().readAll(100)));
    Routes users = Routes.builder().get("/users/{id}", user).build();
    HttpServer server =
        serve(
            Routes.builder()
                .get("/users/{id}", user)
                .post("/upload", upload)
                .mount("/admin", users)
                .build());
    RawClient client = servers.connect(server);

    client.send(Requests.get("/users/7?a=b")).read();
    assertThat(notes.begun.take()).isEqualTo("GET /users/7?a=b");
    assertThat(notes.end())
        .isEqualTo("GET /users/7?a=b /users/{id} 200 0 in 2 out LOOP COMPLETED null");
    client.send(Requests.post("/upload", new byte[10])).read();
    assertThat(notes.end())
        .isEqualTo("POST /upload /upload 201 10 in 10 out BLOCKING COMPLETED null");
    client.send(Requests.get("/admin/users/1")).read();
    assertThat(notes.end())
        .isEqualTo("GET /admin/users/1 /admin/users/{id} 200 0 in 2 out LOOP COMPLETED null");
    client.send(Requests.get("/none")).read();
    assertThat(notes.end()).startsWith("GET /none null 404 0 in ").endsWith("LOOP COMPLETED null");
    client.send(Requests.head("/users/8")).read("HEAD");
    assertThat(notes.end())
        .isEqualTo("HEAD /users/8 /users/{id} 200 0 in 0 out LOOP COMPLETED null");
  }

  @Test
  void reportContentThatIsSentPieceByPiece() throws Exception {
    HttpServer server =
        serve(
            (request, response) -> {
              var stream = response.async().stream();
              stream.write(new byte[70_000]);
              response.onLoopAfter(
                  Duration.ofMillis(5),
                  () -> {
                    stream.write(new byte[5]);
                    stream.complete();
                  });
            });

    assertThat(servers.connect(server).send(Requests.get("/")).read().content()).hasSize(70_005);

    assertThat(notes.end()).isEqualTo("GET / null 200 0 in 70005 out ASYNC COMPLETED null");
  }

  @Test
  void reportEveryExchangeOnceHoweverItEnds() throws Exception {
    BlockingQueue<Response> open = new LinkedBlockingQueue<>();
    HttpServer server =
        serve(
            (request, response) -> {
              switch (request.path()) {
                case "/throw" -> throw new IllegalStateException("test");
                case "/reject" -> throw new HttpException(403, null);
                case "/break" -> {
                  response.stream().write(new byte[3]);
                  throw new IllegalStateException("test");
                }
                case "/limit" ->
                    request.body().maxBytes(3).receiveAll(10, content -> response.send());
                default -> open.add(response.async());
              }
            });
    RawClient client = servers.connect(server);
    client.send(Requests.get("/throw")).read();
    assertThat(notes.end()).startsWith("GET /throw null 500 ").endsWith("LOOP FAILED null");
    client.send(Requests.get("/reject")).read();
    assertThat(notes.end()).startsWith("GET /reject null 403 ").endsWith("LOOP COMPLETED null");
    client.send(Requests.chunkedPost("/limit", new byte[5], 5)).read();
    assertThat(notes.end()).startsWith("POST /limit null 413 5 in ").endsWith("LOOP REJECTED null");

    servers.connect(server).send(Requests.get("/break")).readToEnd();
    assertThat(notes.end())
        .isEqualTo("GET /break null 200 0 in 3 out LOOP FAILED " + CloseReason.APPLICATION_FAILED);

    RawClient vanishing = servers.connect(server).send(Requests.get("/vanish"));
    Response answer = open.take();
    answer.onLoop(() -> answer.stream().write(new byte[1]));
    assertThat(vanishing.readUntil("\r\n\r\n")).contains("200");
    vanishing.reset();
    assertThat(notes.end())
        .isEqualTo("GET /vanish null 200 0 in 1 out ASYNC ABORTED " + CloseReason.CLIENT_RESET);

    servers.connect(server).send(Requests.get("/shutdown"));
    open.take();
    server.close();
    assertThat(notes.end())
        .isEqualTo("GET /shutdown null 0 0 in 0 out ASYNC ABORTED " + CloseReason.SHUTDOWN);
    assertThat(notes.begun).hasSize(6);
    assertThat(notes.ended).isEmpty();
    servers.log().await(Level.SEVERE);
  }

  /** An outcome says what the server has done, because it doesn't wait for the client. */
  @Test
  void reportADownloadThatItsClientLeavesAsPassedOn() throws Exception {
    byte[] large = new byte[30_000_000];
    HttpServer server = serve((request, response) -> response.send(large));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES).send(Requests.get("/large"));
    assertThat(client.readUntil("\r\n\r\n")).contains("200");

    client.reset();

    assertThat(notes.end())
        .startsWith("GET /large null 200 0 in " + large.length + " out LOOP COMPLETED ")
        .endsWith(Servers.HTTP_2 ? " " + CloseReason.CLIENT_RESET : " null");
  }

  @Test
  void reportALateResponse() throws Exception {
    HttpServer server =
        serve(
            (request, response) -> response.async(),
            Servers.LIMITS.toBuilder().responseBeginTime(Duration.ofMillis(50)).build());

    assertThat(servers.connect(server).send(Requests.get("/")).read().status()).isEqualTo(503);

    assertThat(notes.end()).startsWith("GET / null 503 0 in ").endsWith("ASYNC LATE null");
    servers.log().await(Level.WARNING);
  }

  @Test
  void reportAnUpgrade() throws Exception {
    HttpServer server =
        serve(
            (request, response) ->
                response.upgrade(
                    "x",
                    new IgnoringListener() {
                      @Override
                      public void onOpen(RawConnection connection) {
                        connection.end();
                      }
                    }));
    RawClient client = servers.connect(server);
    client.send(Requests.lines("GET / HTTP/1.1", "Host: t", "Connection: Upgrade", "Upgrade: x"));
    assertThat(client.read().status()).isEqualTo(101);
    client.expectEnd();
    client.close();

    String seen = Servers.HTTP_2 ? "CONNECT / null 200" : "GET / null 101";
    assertThat(notes.end()).isEqualTo(seen + " 0 in 0 out LOOP COMPLETED null");
    assertThat(notes.connections.take()).startsWith("open");
    CloseReason reason =
        Servers.HTTP_2 ? CloseReason.CLIENT_CLOSED : CloseReason.APPLICATION_CLOSED;
    assertThat(notes.connections.take()).startsWith(reason + " 1 ");
  }

  @Test
  void giveFieldsAndAttributes() throws Exception {
    BlockingQueue<String> notes = new LinkedBlockingQueue<>();
    ExchangeListener listener =
        new ExchangeListener() {
          @Override
          public void onBegin(ExchangeInfo exchange) {
            exchange.attribute(USER, "by the listener");
          }

          @Override
          public void onEnd(ExchangeInfo exchange) {
            byte[] copied = new byte[8];
            int target = exchange.copyTarget(copied, 0);
            int agent = exchange.copyRequestHeader(KnownHeader.USER_AGENT, copied, target);
            notes.add(
                new String(copied, 0, target + agent, StandardCharsets.US_ASCII)
                    + " "
                    + exchange.copyRequestHeader(KnownHeader.REFERER, copied, 0)
                    + " "
                    + exchange.requestHeader("x-two")
                    + " "
                    + exchange.host()
                    + " "
                    + exchange.attribute(USER)
                    + " "
                    + exchange.connection().requests());
          }
        };
    HttpServer server =
        servers.start(
            (request, response) -> {
              request.attribute(USER, request.attribute(USER) + ", and the handler");
              response.send();
            },
            options -> options.exchangeListener(listener));

    servers
        .connect(server)
        .send(Requests.lines("GET /ab HTTP/1.1", "Host: t", "User-Agent: 123456789", "X-Two: 2"))
        .read();

    assertThat(notes.take()).isEqualTo("/ab12345 -1 2 t by the listener, and the handler 1");
  }

  // ---- what isn't a request ----

  @Test
  void reportMalformedAndLargeRequests() throws Exception {
    HttpServer server = serve((request, response) -> response.send());

    servers.connect(server).send(Requests.get("/\u00e9")).readToEnd();
    assertThat(notes.end()).startsWith("rejected 400 " + Rejection.TARGET_CHARACTER_INVALID);
    servers.connect(server).send(Requests.lines("GET / HTTP/1.1", "X: " + "y".repeat(40_000)));
    assertThat(notes.end()).startsWith("rejected 431 " + Rejection.HEADER_SECTION_TOO_LARGE);
    assertThat(notes.begun).isEmpty();
  }

  @OnlyHttp1("lines of a head")
  @Test
  void reportHeadsThatAreRejected() throws Exception {
    HttpServer server = serve((request, response) -> response.send());
    servers.connect(server).send("GET / HTTP/1.1\r\nHost: a\r\nnocolon\r\n\r\n").read();
    assertThat(notes.end()).startsWith("rejected 400 FIELD_");
    servers.connect(server).send("GET / HT").halfClose().read();
    assertThat(notes.end()).isEqualTo("rejected 400 null the stream ended within the request head");
    HttpServer impatient =
        serve(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().requestHeadTime(Duration.ofMillis(100)).build());
    servers.connect(impatient).send("GET / HT").read();
    assertThat(notes.end()).isEqualTo("rejected 408 null the request head took too long");
    assertThat(notes.begun).isEmpty();
  }

  @OnlyHttp1("the response is sent before the client has chosen a version")
  @Test
  void reportConnectionsAboveTheLimit() throws Exception {
    HttpServer server =
        serve(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().connectionsMax(1).build());
    RawClient first = servers.connect(server).send(Requests.get("/"));
    first.read();
    assertThat(servers.connect(server).read().status()).isEqualTo(503);

    assertThat(notes.end()).startsWith("GET / ");
    assertThat(notes.end()).isEqualTo("rejected 503 null too many connections");
  }

  // ---- connections ----

  @Test
  void reportEachConnectionWithWhyItWasClosed() throws Exception {
    HttpServer server = serve((request, response) -> response.send());

    RawClient closing = servers.connect(server);
    String address = String.valueOf(closing.localAddress());
    byte[] get = Requests.get("/");
    closing.send(Requests.join(get, get)).read();
    closing.read();
    closing.close();
    assertThat(notes.connections.take()).isEqualTo("open " + address);
    String bytes = Servers.HTTP_2 ? "[0-9]+" : "" + 2 * get.length;
    assertThat(notes.connections.take())
        .matches(CloseReason.CLIENT_CLOSED + " 2 " + bytes + " " + address);

    HttpServer impatient =
        serve(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().keepAliveTime(Duration.ofMillis(200)).build());
    servers.connect(impatient).expectEnd();
    assertThat(notes.connections.take()).startsWith("open ");
    assertThat(notes.connections.take()).startsWith(CloseReason.IDLE + " 0 ");
  }

  @OnlyHttp1("the server of HTTP/2 ends no connection for one request")
  @Test
  void reportConnectionsThatEndWithARequest() throws Exception {
    HttpServer server = serve((request, response) -> response.send());

    RawClient last = servers.connect(server);
    last.send(Requests.lines("GET / HTTP/1.1", "Host: t", "Connection: close")).read();
    last.expectEnd();
    last.close();
    assertThat(notes.connections.take()).startsWith("open ");
    assertThat(notes.connections.take()).startsWith(CloseReason.LAST_RESPONSE + " 1 ");

    servers.connect(server).send("\0\r\n\r\n").readToEnd();
    assertThat(notes.connections.take()).startsWith("open ");
    Await.until("the connection is closed", () -> !notes.connections.isEmpty());
    assertThat(notes.connections.take()).startsWith(CloseReason.REQUEST_REJECTED + " 0 5 ");
  }
}
