package dev.peregrine.jdk.httpserver.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.spi.HttpServerProvider;
import io.avaje.jex.Jex;
import io.avaje.jex.Routing;
import io.avaje.jex.http.Context;
import io.avaje.jex.http.HttpResponseException;
import io.avaje.jex.http.sse.SseClient;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web framework avaje-jex, which asks the provider itself and calls its handlers in virtual
 * threads.
 */
@Timeout(120)
class JexIT {
  private static final int LARGE = 2_000_000;

  private final CountDownLatch open = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);

  @TempDir Path folder;

  private Jex.Server server;
  private Client client;

  @BeforeEach
  void start() throws IOException {
    Provider.requirePeregrine();
    Files.write(folder.resolve("sound.wav"), new byte[LARGE]);
    Jex jex = Jex.create().contextPath("/app").routing(this::routes);
    jex.config(config -> config.host("127.0.0.1").port(0));
    server = jex.start();
    client = Client.http(server.port());
    Provider.requirePeregrine(server.port());
  }

  @AfterEach
  void stop() {
    open.countDown();
    client.close();
    server.shutdown();
  }

  private void routes(Routing routes) {
    routes
        .get("/hello/{name}", JexIT::hello)
        .head("/hello/{name}", JexIT::hello)
        .post("/things", context -> context.status(201).json(grow(context)))
        .get("/list", context -> context.json(new int[5_000]))
        .get("/sound", this::sound)
        .get("/old", context -> context.redirect("/app/hello/new"))
        .get("/nothing", context -> {})
        .get("/empty", context -> context.text(""))
        .get("/gone", context -> gone())
        .get("/fail", context -> fail())
        .sse("/events", this::events)
        .sse("/endless", this::endless)
        .error(IllegalStateException.class, JexIT::explain)
        .filter(Filter.beforeHandler("by a filter of the JDK", JexIT::mark));
  }

  private static void hello(Context context) {
    context
        .cookie("seen", "yes")
        .text(
            String.join(
                " ",
                context.pathParam("name"),
                context.queryParam("by", "nobody"),
                context.cookieMap().getOrDefault("seen", "no"),
                context.contextPath(),
                context.ip(),
                "" + Thread.currentThread().isVirtual()));
  }

  private static Thing grow(Context context) {
    Thing thing = context.bodyAsClass(Thing.class);
    return new Thing(thing.name(), thing.size() + 1);
  }

  private void sound(Context context) throws IOException {
    context.contentType("audio/wav");
    try (InputStream file = Files.newInputStream(folder.resolve("sound.wav"))) {
      context.rangedWrite(file, LARGE);
    }
  }

  private static void gone() {
    throw new HttpResponseException(410, "it is gone");
  }

  private static void fail() {
    throw new IllegalStateException("on purpose");
  }

  private static void explain(Context context, IllegalStateException failure) {
    context.status(503).text(failure.getMessage());
  }

  private static void mark(HttpExchange exchange) {
    exchange.getResponseHeaders().set("X-Path", exchange.getHttpContext().getPath());
  }

  private void events(SseClient events) {
    events.sendEvent("first");
    try {
      assertThat(open.await(120, SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    events.sendEvent("thing", new Thing("ä", 2), "7");
  }

  private void endless(SseClient events) {
    long begun = System.nanoTime();
    events.onClose(left::countDown);
    while (!events.terminated() && System.nanoTime() - begun < Client.PATIENCE.toNanos()) {
      events.sendEvent("again");
    }
    assertThat(events.terminated()).isTrue();
  }

  @Test
  void routesByPathQueryAndCookie() throws Exception {
    HttpResponse<String> first = client.get("/app/hello/%C3%A4?by=a%20b");
    HttpResponse<String> second = client.get("/app/hello/b/", "Cookie", "seen=yes");

    assertThat(first.body()).isEqualTo("ä a b no /app 127.0.0.1 true");
    assertThat(first.headers().firstValue("Set-Cookie").orElse("")).startsWith("seen=yes");
    assertThat(first.headers().firstValue("X-Path")).contains("/app");
    assertThat(second.body()).isEqualTo("b nobody yes /app 127.0.0.1 true");
  }

  /** It writes a body then, which the server has to leave out. */
  @Test
  void answersHead() throws Exception {
    HttpResponse<String> head = client.method("HEAD", "/app/hello/a");

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(client.get("/app/hello/a").body()).startsWith("a nobody");
  }

  @Test
  void takesAndReturnsJson() throws Exception {
    HttpResponse<String> created =
        client.post("/app/things", "application/json", "{\"name\":\"ä\",\"size\":7}");

    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(created.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(created.body()).isEqualTo("{\"name\":\"ä\",\"size\":8}");
  }

  @Test
  void compressesWhatIsLarge() throws Exception {
    String plain = client.get("/app/list").body();
    HttpResponse<byte[]> compressed =
        client.send(
            client.request("/app/list", "Accept-Encoding", "gzip"), BodyHandlers.ofByteArray());

    assertThat(plain).startsWith("[0,0,").endsWith("]").hasSize(10_001);
    assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
    try (InputStream content = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
      assertThat(new String(content.readAllBytes(), UTF_8)).isEqualTo(plain);
    }
  }

  @Test
  void sendsFilesAndPartsOfThem() throws Exception {
    HttpResponse<byte[]> whole =
        client.send(client.request("/app/sound"), BodyHandlers.ofByteArray());
    HttpResponse<byte[]> part =
        client.send(
            client.request("/app/sound", "Range", "bytes=1000-1999"), BodyHandlers.ofByteArray());

    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(whole.body()).hasSize(LARGE);
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.headers().firstValue("Content-Range")).contains("bytes 1000-1999/" + LARGE);
    assertThat(part.headers().allValues("Content-Length")).containsExactly("1000");
    assertThat(part.body()).hasSize(1000);
  }

  @Test
  void answersWithoutContent() throws Exception {
    HttpResponse<String> old = client.get("/app/old");
    assertThat(old.statusCode()).isEqualTo(302);
    assertThat(old.headers().firstValue("Location")).contains("/app/hello/new");
    assertThat(client.get("/app/nothing").statusCode()).isEqualTo(204);
    HttpResponse<String> empty = client.get("/app/empty");
    assertThat(empty.statusCode()).isEqualTo(200);
    assertThat(empty.body()).isEmpty();
  }

  @Test
  void answersForFailures() throws Exception {
    HttpResponse<String> gone = client.get("/app/gone");
    assertThat(gone.statusCode()).isEqualTo(410);
    assertThat(gone.body()).isEqualTo("it is gone");
    HttpResponse<String> failed = client.get("/app/fail");
    assertThat(failed.statusCode()).isEqualTo(503);
    assertThat(failed.body()).isEqualTo("on purpose");
    assertThat(client.get("/app/none").statusCode()).isEqualTo(404);
    assertThat(client.get("/other").statusCode()).isEqualTo(404);
    assertThat(client.post("/app/things", "application/json", "{").statusCode()).isEqualTo(500);
    HttpResponse<String> tooLarge =
        client.send(
            client
                .request("/app/things")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[9]))));
    assertThat(tooLarge.statusCode()).isEqualTo(413);
  }

  @Test
  void sendsEventsWhenTheyHappen() throws Exception {
    HttpResponse<InputStream> response =
        client.send(
            client.request("/app/events", "Accept", "text/event-stream"),
            BodyHandlers.ofInputStream());

    assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
    assertThat(response.headers().allValues("Connection")).containsExactly("close");
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
      assertThat(lines.readLine()).isEqualTo("event: message");
      assertThat(lines.readLine()).isEqualTo("data: first");
      open.countDown();
      assertThat(lines.lines())
          .containsExactly("", "id: 7", "event: thing", "data: {\"name\":\"ä\",\"size\":2}", "");
    }
  }

  @Test
  void noticesThatTheReceiverOfEventsHasLeft() throws Exception {
    HttpResponse<InputStream> response =
        client.send(
            client.request("/app/endless", "Accept", "text/event-stream"),
            BodyHandlers.ofInputStream());
    assertThat(response.body().read()).isEqualTo('e');

    response.body().close();

    assertThat(left.await(120, SECONDS)).isTrue();
  }

  @Test
  void reportsItsHealth() throws Exception {
    assertThat(client.get("/app/health/readiness").body()).isEqualTo("ok");
  }

  @Test
  void takesTheProviderOfTheProgram() throws Exception {
    Jex jex = Jex.create().get("/", context -> context.text(context.protocol()));
    jex.config(
        config -> config.host("127.0.0.1").port(0).serverProvider(HttpServerProvider.provider()));
    Jex.Server other = jex.start();
    try (Client ofOther = Client.http(other.port())) {
      Provider.requirePeregrine(other.port());
      assertThat(ofOther.get("/").body()).isEqualTo("HTTP/1.1");
    } finally {
      other.shutdown();
    }
  }

  /** What is sent as JSON. */
  public record Thing(String name, int size) {}
}
