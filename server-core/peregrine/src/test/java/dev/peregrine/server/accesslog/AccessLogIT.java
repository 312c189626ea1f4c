package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.context.RpcStatus;
import dev.peregrine.http.filter.RequestId;
import dev.peregrine.http.route.Routes;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.accesslog.AccessLog.Format;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.UnixSocket;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines of an access log, over sockets. */
final class AccessLogIT {
  private static final String PROTOCOL = Servers.HTTP_2 ? "HTTP/2.0" : "HTTP/1.1";
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final AttributeKey<List<String>> USER =
      AttributeKey.logged("user", List::getFirst);
  private static final String TIME =
      "\\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}\\]";

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path dir;

  private final BlockingQueue<Response> open = new LinkedBlockingQueue<>();
  private final Handler handler =
      Routes.builder()
          .get("/users/{id}", (request, response) -> response.text("me"))
          .post(
              "/upload",
              Handlers.blocking(
                  (request, response) -> response.status(201).send(request.body().readAll(100))))
          .get("/later", (request, response) -> open.add(response.async()))
          .build();

  private final Handler named =
      (request, response) -> {
        if (request.path().equals("/named")) {
          request.attribute(USER, List.of("al \"\u00e9")).attribute(RequestId.KEY, "17");
        }
        response.send();
      };

  private Path file() {
    return dir.resolve("access.log");
  }

  private HttpServer serve(AccessLog log) {
    return servers.start(handler, options -> options.exchangeListener(log));
  }

  private static byte[] get(String target, String... fields) {
    return Requests.bytes(
        "GET "
            + target
            + " HTTP/1.1\r\nHost: test\r\n"
            + String.join("\r\n", fields)
            + (fields.length == 0 ? "\r\n" : "\r\n\r\n"));
  }

  @Test
  void writesTheCommonFormat() {
    try (AccessLog log = AccessLog.builder(file()).format(Format.COMMON).build()) {
      servers.connect(serve(log)).send(get("/users/7?key=secret")).read();

      assertThat(LogLines.await(file(), 1).getFirst())
          .matches("127\\.0\\.0\\.1 - - " + TIME + " \"GET /users/7 " + PROTOCOL + "\" 200 2");
    }
  }

  @Test
  void writesTheClientThatATrustedProxyReports() {
    try (AccessLog log = AccessLog.builder(file()).format(Format.COMMON).build()) {
      TrustedProxies proxies = TrustedProxies.xForwardedFor(TrustedPeers.of("127.0.0.1"));
      HttpServer server =
          servers.start(
              (request, response) -> response.send(),
              options -> options.exchangeListener(log).trustedProxies(proxies));
      RawClient client = servers.connect(server);
      client.send(get("/", "X-Forwarded-For: 2001:db8::17")).read();
      client.send(get("/")).read();

      List<String> lines = LogLines.await(file(), 2);
      assertThat(lines.getFirst()).startsWith("2001:db8::17 - - ");
      assertThat(lines.getLast()).startsWith("127.0.0.1 - - ");
    }
  }

  @Test
  void writesTheCombinedFormat() {
    try (AccessLog log = AccessLog.builder(file()).build()) {
      RawClient client = servers.connect(serve(log));
      client.send(get("/users/7", "User-Agent: a \"b\" \\ \u00e9", "Referer: http://x/?key=s"));
      client.read();
      client.send(get("/none")).read();

      List<String> lines = LogLines.await(file(), 2);
      assertThat(lines.getFirst())
          .endsWith(
              "/users/7 " + PROTOCOL + "\" 200 2 \"http://x/\" \"a \\x22b\\x22 \\x5C \\xE9\"");
      assertThat(lines.getLast())
          .contains("\"GET /none ")
          .contains(" 404 ")
          .endsWith(" \"-\" \"-\"");
    }
  }

  @Test
  void writesQueriesIfAsked() {
    try (AccessLog log = AccessLog.builder(file()).query(true).build()) {
      servers.connect(serve(log)).send(get("/users/7?a=b", "Referer: http://x/?c=d")).read();

      assertThat(LogLines.await(file(), 1).getFirst())
          .contains("\"GET /users/7?a=b ")
          .contains(" \"http://x/?c=d\" ");
    }
  }

  @Test
  void writesTheStatusOfACall() {
    try (AccessLog log = AccessLog.builder(file()).format(Format.JSON).build()) {
      Handler calls =
          (request, response) -> {
            request.attribute(RpcStatus.CODE, 5);
            response.send();
          };
      HttpServer server = servers.start(calls, options -> options.exchangeListener(log));
      servers.connect(server).send(get("/a.Service/Method")).read();

      assertThat(JsonObject.parse(LogLines.await(file(), 1).getFirst()))
          .containsEntry("status", 200L)
          .containsEntry("rpcStatus", 5L);
    }
  }

  @Test
  void writesJson() {
    try (AccessLog log = AccessLog.builder(file()).format(Format.JSON).build()) {
      RawClient client = servers.connect(serve(log));
      client.send(get("/users/7", "User-Agent: \"\\\u00e9", "Referer: r", "traceparent: " + TRACE));
      client.read();
      client.send(Requests.post("/upload", new byte[10])).read();

      List<String> lines = LogLines.await(file(), 2);
      Map<String, Object> first = JsonObject.parse(lines.getFirst());
      assertThat(first.remove("time"))
          .asString()
          .matches("\\d{4}(-\\d\\d){2}T\\d\\d(:\\d\\d){2}\\.\\d{3}Z");
      assertThat(first.remove("durationMicros"))
          .asInstanceOf(InstanceOfAssertFactories.LONG)
          .isNotNegative();
      assertThat(first.remove("timeToFirstByteMicros"))
          .asInstanceOf(InstanceOfAssertFactories.LONG)
          .isNotNegative();
      assertThat(first)
          .containsExactly(
              Map.entry("peer", "127.0.0.1"),
              Map.entry("method", "GET"),
              Map.entry("target", "/users/7"),
              Map.entry("protocol", PROTOCOL),
              Map.entry("status", 200L),
              Map.entry("requestContentBytes", 0L),
              Map.entry("responseContentBytes", 2L),
              Map.entry("runMode", "LOOP"),
              Map.entry("outcome", "COMPLETED"),
              Map.entry("routeTemplate", "/users/{id}"),
              Map.entry("host", "test"),
              Map.entry("referer", "r"),
              Map.entry("userAgent", "\"\\\u00e9"),
              Map.entry("traceparent", TRACE));
      assertThat(JsonObject.parse(lines.getLast()))
          .containsEntry("runMode", "BLOCKING")
          .containsEntry("status", 201L)
          .containsEntry("requestContentBytes", 10L)
          .containsEntry("responseContentBytes", 10L)
          .doesNotContainKeys("referer", "userAgent", "traceparent", "closeReason");
    }
  }

  @Test
  void writesRejectedRequests() {
    Path json = dir.resolve("json");
    try (AccessLog log = AccessLog.builder(file()).build();
        AccessLog other = AccessLog.builder(json).format(Format.JSON).build()) {
      HttpServer server =
          servers.start(handler, options -> options.exchangeListener(log).exchangeListener(other));
      RawClient client = servers.connect(server).send(Requests.get("/\u00e9"));
      // HTTP/2 resets the stream of a malformed request, without a response.
      int sent = Servers.HTTP_2 ? 0 : client.read().content().length;
      assertThat(sent > 0).isNotEqualTo(Servers.HTTP_2);
      client.readToEnd();

      assertThat(LogLines.await(file(), 1).getFirst())
          .matches("127\\.0\\.0\\.1 - - " + TIME + " \"-\" 400 " + sent + " \"-\" \"-\"");
      Map<String, Object> rejected = JsonObject.parse(LogLines.await(json, 1).getFirst());
      assertThat(rejected)
          .containsOnlyKeys(
              "time", "peer", "status", "responseContentBytes", "rejection", "reason");
      assertThat(rejected).containsEntry("responseContentBytes", (long) sent);
      assertThat(rejected).containsEntry("rejection", "TARGET_CHARACTER_INVALID");
    }
  }

  /** The layer of TLS answers it, before HTTP has seen any byte. */
  @Test
  void writesARequestWithoutTlsOnAPortWithTls() {
    try (AccessLog log = AccessLog.builder(file()).build()) {
      HttpServer server =
          servers.watch(
              Peregrine.builder()
                  .port(0)
                  .with(Certificates.TLS)
                  .limits(Servers.LIMITS)
                  .transport(Servers.TRANSPORT)
                  .exchangeListener(log)
                  .handler(handler)
                  .start());
      try (RawClient client = RawClient.connect(server.address()).send(get("/users/7"))) {
        int sent = client.read().content().length;

        assertThat(LogLines.await(file(), 1).getFirst())
            .matches("127\\.0\\.0\\.1 - - " + TIME + " \"-\" 400 " + sent + " \"-\" \"-\"");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"COMMON, ''", "COMBINED, ' \"-\" \"-\" \"17\"'"})
  void writesTheUserAndTheIdOfARequest(Format format, String end) {
    try (AccessLog log = withUserAndId(format)) {
      RawClient client = servers.connect(servers.start(named, o -> o.exchangeListener(log)));
      client.send(get("/named")).read();
      client.send(get("/")).read();

      List<String> lines = LogLines.await(file(), 2);
      assertThat(lines.getFirst())
          .matches("127\\.0\\.0\\.1 - \\Qal\\x20\\x22\\xC3\\xA9\\E " + TIME + " .* 200 0" + end);
      assertThat(lines.getLast()).startsWith("127.0.0.1 - - [").endsWith(end.replace("17", "-"));
    }
  }

  @Test
  void writesTheUserAndTheIdOfARequestInJson() {
    try (AccessLog log = withUserAndId(Format.JSON)) {
      RawClient client = servers.connect(servers.start(named, o -> o.exchangeListener(log)));
      client.send(get("/named")).read();
      client.send(get("/")).read();

      List<String> lines = LogLines.await(file(), 2);
      assertThat(JsonObject.parse(lines.getFirst()))
          .containsEntry("user", "al \"\u00e9")
          .containsEntry("requestId", "17");
      assertThat(JsonObject.parse(lines.getLast())).doesNotContainKeys("user", "requestId");
    }
  }

  @Test
  void writesALineWithoutAUserWhoseTextFails() {
    AttributeKey<String> broken =
        AttributeKey.logged(
            "user",
            name -> {
              throw new IllegalStateException("intended");
            });
    Handler handled =
        (request, response) -> {
          request.attribute(broken, "x");
          response.send();
        };
    try (AccessLog log = AccessLog.builder(file()).user(broken).build()) {
      servers.connect(servers.start(handled, o -> o.exchangeListener(log))).get("/").read();

      assertThat(LogLines.await(file(), 1).getFirst()).startsWith("127.0.0.1 - - [");
    }
  }

  private AccessLog withUserAndId(Format format) {
    return AccessLog.builder(file()).format(format).user(USER).requestId(RequestId.KEY).build();
  }

  @Test
  void writesRequestsWithoutAResponse() throws Exception {
    Path json = dir.resolve("json");
    try (AccessLog log = AccessLog.builder(file()).build();
        AccessLog other = AccessLog.builder(json).format(Format.JSON).build()) {
      HttpServer server =
          servers.start(handler, options -> options.exchangeListener(log).exchangeListener(other));
      RawClient leaving = servers.connect(server).send(Requests.get("/later"));
      Response unsent = open.take();
      leaving.reset();
      assertThat(LogLines.await(file(), 1).getFirst()).contains("\" 499 0 ");
      unsent.complete();
      servers.connect(server).send(Requests.get("/later"));
      open.take();
      server.close();

      assertThat(LogLines.await(file(), 2).getLast()).contains("\" 000 0 ");
      assertThat(JsonObject.parse(LogLines.await(json, 2).getLast()))
          .containsEntry("outcome", "ABORTED")
          .containsEntry("closeReason", "SHUTDOWN")
          .doesNotContainKeys("status", "timeToFirstByteMicros");
    }
  }

  @Test
  void cutsLongValuesAndStaysValid() {
    Path json = dir.resolve("json");
    int most = 2048;
    try (AccessLog log = AccessLog.builder(file()).lineBytesMax(most).query(true).build();
        AccessLog other =
            AccessLog.builder(json).format(Format.JSON).lineBytesMax(most).query(true).build()) {
      HttpServer server =
          servers.start(handler, options -> options.exchangeListener(log).exchangeListener(other));
      String quotes = "\"\u00ff".repeat(2000);
      String[] fields = {"User-Agent: " + quotes, "Referer: " + quotes, "traceparent: " + TRACE};
      servers.connect(server).send(get("/users/7?" + "x".repeat(7000), fields)).read();

      String line = LogLines.await(file(), 1).getFirst();
      assertThat(line.length()).isBetween(most - Line.FIXED_BYTES, most - 1);
      assertThat(line)
          .matches(
              ".* \"GET /users/7\\?x+\\.\\.\\. "
                  + PROTOCOL
                  + "\" 200 2( \"(\\\\x22|\\\\xFF)+\\.\\.\\.\"){2}");
      String object = LogLines.await(json, 1).getFirst();
      assertThat(object.length()).isBetween(most - Line.FIXED_BYTES, most - 1);
      assertThat(JsonObject.parse(object))
          .containsEntry("traceparent", TRACE)
          .containsEntry("host", "test")
          .hasEntrySatisfying("target", cut -> assertThat((String) cut).endsWith("x..."))
          .hasEntrySatisfying("referer", cut -> assertThat((String) cut).endsWith("..."));
    }
  }

  @OnlyHttp1("the client has no gateway to HTTP/2")
  @Test
  void writesClientsOnUnixDomainSockets() throws Exception {
    Path socket = Files.createTempDirectory("al").resolve("s"); // an address is short
    try (AccessLog log = AccessLog.builder(file()).build();
        HttpServer server =
            Peregrine.builder()
                .endpoint(Endpoint.unix(socket))
                .transport(Servers.TRANSPORT)
                .handler(handler)
                .exchangeListener(log)
                .start()) {
      assertThat(server.addresses()).hasSize(1);
      try (UnixSocket client = new UnixSocket(socket)) {
        client.getOutputStream().write(Requests.get("/none"));

        assertThat(LogLines.await(file(), 1).getFirst()).startsWith("unix: - - [");
      }
    } finally {
      Files.deleteIfExists(socket.resolveSibling("s.lock"));
      Files.deleteIfExists(socket.getParent());
    }
  }

  @Test
  void writesWhatWaitsWhenItIsClosed() {
    AccessLog log = AccessLog.builder(file()).closeTime(Duration.ofMinutes(2)).build();
    EndCount ended = new EndCount(); // the last exchange may end after its bytes
    HttpServer server =
        servers.start(handler, options -> options.exchangeListener(log).exchangeListener(ended));
    RawClient client = servers.connect(server);
    for (int i = 0; i < 100; i++) {
      client.send(Requests.get("/users/" + i)).read();
    }
    ended.await(100);
    log.close();

    assertThat(LogLines.read(file())).hasSize(100);
    assertThat(log.droppedLines()).isZero();
  }

  @Test
  void refusesAFileThatCannotBeOpened() {
    Path file = dir.resolve("none/access.log");

    assertThatThrownBy(AccessLog.builder(file)::build)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file.toString())
        .hasCauseInstanceOf(NoSuchFileException.class);
  }

  @Test
  void startsNoThreadBeforeTheFirstLine() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet(); // of other tests, about to end
    try (AccessLog log = AccessLog.builder(file()).build()) {
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !before.contains(thread))
          .noneMatch(thread -> thread.getName().equals("access-log"));
      log.reopen();
    }
    assertThat(Files.size(file())).isZero();
  }
}
