package dev.peregrine.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Response;
import dev.peregrine.http.context.RpcStatus;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.ServerListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The metrics of a server, over sockets. */
final class MetricsIT {
  private static final String VERSION = Servers.HTTP_2 ? "2" : "1.1";

  @RegisterExtension final Servers servers = new Servers();
  private ServerMetrics metrics = new ServerMetrics();

  private HttpServer serve(Handler handler) {
    return serve(handler, Servers.LIMITS);
  }

  private HttpServer serve(Handler handler, ServerLimits limits) {
    return servers.start(handler, options -> options.limits(limits).serverListener(metrics));
  }

  @AfterEach
  void noRequestIsActive() {
    Await.until("no request is active", () -> sum(Metric.HTTP_SERVER_ACTIVE_REQUESTS) == 0);
  }

  private long sum(Metric metric) {
    return metrics.snapshot().values().stream()
        .filter(value -> value.metric() == metric)
        .mapToLong(MetricValue::value)
        .sum();
  }

  private long value(Metric metric, String attribute, String expected) {
    return metrics.snapshot().values().stream()
        .filter(value -> value.metric() == metric)
        .filter(value -> expected.equals(value.attributes().get(attribute)))
        .mapToLong(MetricValue::value)
        .sum();
  }

  private List<MetricHistogram> histograms(Metric metric) {
    return metrics.snapshot().histograms().stream()
        .filter(histogram -> histogram.metric() == metric)
        .toList();
  }

  /** Waits for that many requests with one combination of attributes, and returns these. */
  private Map<String, String> only(int count) {
    Await.until(
        () -> "one series of " + count + ": " + metrics.snapshot().histograms(),
        () -> {
          var all = histograms(Metric.HTTP_SERVER_RESPONSE_BODY_SIZE); // the last one of a request
          return all.size() == 1 && all.getFirst().count() == count;
        });
    return histograms(Metric.HTTP_SERVER_REQUEST_DURATION).getFirst().attributes();
  }

  // ---- requests ----

  @Test
  void countsRequestsByTheirAttributes() {
    HttpServer server =
        serve(
            Routes.builder()
                .post(
                    "/users/{id}",
                    (request, response) ->
                        request.body().receiveAll(5000, content -> response.text("abc")))
                .build());
    RawClient client = servers.connect(server);
    client.send(Requests.post("/users/1", new byte[1024])).read();
    servers.connect(server).send(Requests.post("/users/2", new byte[1025])).read();

    assertThat(only(2))
        .isEqualTo(
            Map.of(
                "http.request.method", "POST",
                "url.scheme", Servers.TLS ? "https" : "http",
                "http.route", "/users/{id}",
                "http.response.status_code", "200",
                "network.protocol.version", VERSION));
    MetricHistogram sizes = histograms(Metric.HTTP_SERVER_REQUEST_BODY_SIZE).getFirst();
    assertThat(sizes.sum()).isEqualTo(2049);
    assertThat(sizes.counts()).startsWith(0L, 1L, 1L, 0L);
    assertThat(histograms(Metric.HTTP_SERVER_RESPONSE_BODY_SIZE).getFirst().sum()).isEqualTo(6);
    assertThat(histograms(Metric.HTTP_SERVER_REQUEST_DURATION).getFirst().sum()).isPositive();
  }

  @Test
  void countsCallsByTheirStatus() {
    HttpServer server =
        serve(
            (request, response) -> {
              request.attribute(RpcStatus.CODE, request.pathIs("/call") ? 16 : 17);
              response.send();
            });
    servers.connect(server).send(Requests.get("/call")).read();

    assertThat(only(1)).containsEntry("rpc.grpc.status_code", "16").doesNotContainKey("error.type");
    servers.connect(server).send(Requests.get("/unknown")).read();
    Await.until("two series", () -> histograms(Metric.HTTP_SERVER_REQUEST_DURATION).size() == 2);
    assertThat(histograms(Metric.HTTP_SERVER_REQUEST_DURATION))
        .filteredOn(series -> !series.attributes().containsKey("rpc.grpc.status_code"))
        .hasSize(1);
  }

  @Test
  void countsAnUnknownMethodAsOther() {
    HttpServer server = serve((request, response) -> response.status(204).send());
    servers.connect(server).send(Requests.lines("BREW /pot HTTP/1.1", "Host: t")).read();

    assertThat(only(1))
        .containsEntry("http.request.method", "_OTHER")
        .doesNotContainKey("http.route");
  }

  @Test
  void countsARequestWithoutRouteAsNoError() {
    servers
        .connect(serve(Routes.builder().get("/", (request, response) -> response.send()).build()))
        .send(Requests.get("/none"))
        .read();

    assertThat(only(1))
        .containsEntry("http.response.status_code", "404")
        .doesNotContainKeys("http.route", "error.type");
  }

  @Test
  void countsAStatusOfTheServersErrorsAsError() {
    HttpServer server = serve((request, response) -> response.status(502).send());
    servers.connect(server).send(Requests.get("/")).read();

    assertThat(only(1)).containsEntry("error.type", "502");
  }

  @Test
  void countsAHandlerThatThrows() {
    HttpServer server =
        serve(
            (request, response) -> {
              throw new IllegalStateException("test");
            });
    servers.connect(server).send(Requests.get("/")).read();

    assertThat(only(1))
        .containsEntry("http.response.status_code", "500")
        .containsEntry("error.type", "failed");
    servers.log().await(Level.SEVERE);
  }

  @Test
  void countsContentThatIsRejectedAsNoError() {
    HttpServer server =
        serve(
            (request, response) ->
                request.body().maxBytes(3).receiveAll(10, content -> response.send()));
    servers.connect(server).send(Requests.chunkedPost("/", new byte[5], 5)).read();

    assertThat(only(1))
        .containsEntry("http.response.status_code", "413")
        .doesNotContainKey("error.type");
  }

  @Test
  void countsAClientThatVanishesAndRequestsUnderWay() throws Exception {
    BlockingQueue<Response> open = new LinkedBlockingQueue<>();
    HttpServer server = serve((request, response) -> open.add(response.async()));
    RawClient client = servers.connect(server).send(Requests.get("/"));
    Response answer = open.take();
    Await.until("it is active", () -> sum(Metric.HTTP_SERVER_ACTIVE_REQUESTS) == 1);
    assertThat(value(Metric.HTTP_SERVER_ACTIVE_REQUESTS, "http.request.method", "GET")).isOne();
    assertThat(sum(Metric.OPEN_CONNECTIONS)).isOne();
    answer.onLoop(() -> answer.stream().write(new byte[1]));
    assertThat(client.readUntil("\r\n\r\n")).contains("200");
    client.reset();

    assertThat(only(1))
        .containsEntry("http.response.status_code", "200")
        .containsEntry("error.type", "client_reset");
    Await.until(
        "its connection counts as reset",
        () -> value(Metric.CLOSED_CONNECTIONS, "error.type", "client_reset") == 1);
    assertThat(sum(Metric.OPENED_CONNECTIONS)).isOne();
  }

  @Test
  void belongsToOneStartAlsoOfAServerThatFailsToStart() {
    ServerListener failing =
        (name, loops) -> {
          throw new UnsupportedOperationException("no");
        };
    HttpServerBuilder options =
        Peregrine.builder().port(0).handler((request, response) -> response.send());
    options.name("failing").serverListener(metrics).serverListener(failing);

    assertThatThrownBy(options::start).hasMessage("no");
    assertThatThrownBy(metrics::registerMBean).hasMessage("the server is not running");
    assertThatThrownBy(() -> serve((request, response) -> response.send()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("these metrics belong to .* ended or failed to start; create new .*");
  }

  @Test
  void countsAnUpgradeWhenItsResponseIsSent() {
    HttpServer server = serve((request, response) -> response.upgrade("x", new RawEcho()));
    RawClient client = servers.connect(server);
    client.send(Requests.lines("GET / HTTP/1.1", "Host: t", "Connection: Upgrade", "Upgrade: x"));
    client.read();

    assertThat(only(1))
        .containsEntry("http.response.status_code", Servers.HTTP_2 ? "200" : "101")
        .doesNotContainKey("error.type");
    assertThat(sum(Metric.HTTP_SERVER_ACTIVE_REQUESTS)).isZero();
    assertThat(sum(Metric.OPEN_CONNECTIONS)).isOne();
    client.halfClose().expectEnd();
  }

  @Test
  void endsActiveRequestsWithTheServer() throws Exception {
    BlockingQueue<Response> open = new LinkedBlockingQueue<>();
    HttpServer server = serve((request, response) -> open.add(response.async()));
    RawClient client = servers.connect(server).send(Requests.get("/"));
    open.take();
    server.close();
    client.expectClosed();

    assertThat(only(1))
        .containsEntry("error.type", "shutdown")
        .doesNotContainKey("http.response.status_code");
  }

  @Test
  void countsCombinationsAboveTheLimitTogether() {
    metrics = new ServerMetrics(1);
    HttpServer server =
        serve((request, response) -> response.status(request.pathIs("/a") ? 200 : 404).send());
    RawClient client = servers.connect(server);
    for (String path : List.of("/a", "/b", "/a", "/b", "/b")) {
      client.send(Requests.get(path)).read();
    }

    Await.until(
        "all are counted",
        () ->
            histograms(Metric.HTTP_SERVER_REQUEST_DURATION).stream()
                    .mapToLong(MetricHistogram::count)
                    .sum()
                == 5);
    assertThat(histograms(Metric.HTTP_SERVER_REQUEST_DURATION))
        .filteredOn(one -> one.attributes().equals(Map.of("otel.metric.overflow", "true")))
        .singleElement()
        .satisfies(one -> assertThat(one.count()).isEqualTo(3));
    servers.log().expectOne(Level.WARNING, "metrics have 1 combinations");
  }

  // ---- what isn't a request ----

  @Test
  void countsRejectedHeads() {
    HttpServer server = serve((request, response) -> response.send());
    servers.connect(server).send(Requests.get("/\u00e9")).readToEnd();

    Await.until(
        "it is counted",
        () -> value(Metric.REJECTED_REQUESTS, "error.type", "target_character_invalid") == 1);
    assertThat(sum(Metric.REJECTED_REQUESTS)).isOne();
    assertThat(histograms(Metric.HTTP_SERVER_REQUEST_DURATION)).isEmpty();
  }

  @OnlyHttp1("lines of a head")
  @Test
  void countsHeadsThatAreCutShort() {
    HttpServer server = serve((request, response) -> response.send());
    servers.connect(server).send("GET / HT").halfClose().read();

    Await.until("it is counted", () -> sum(Metric.REJECTED_REQUESTS) == 1);
    assertThat(value(Metric.REJECTED_REQUESTS, "error.type", "request_head_incomplete")).isOne();
  }

  @OnlyHttp1("lines of a head")
  @Test
  void countsHeadsThatAreLate() {
    HttpServer server =
        serve(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().requestHeadTime(Duration.ofMillis(100)).build());
    servers.connect(server).send("GET / HT").read();

    Await.until("it is counted", () -> sum(Metric.REJECTED_REQUESTS) == 1);
    assertThat(value(Metric.REJECTED_REQUESTS, "error.type", "request_head_late")).isOne();
  }

  @OnlyHttp1("the response is sent before the client has chosen a version")
  @Test
  void countsConnectionsAboveTheLimit() {
    HttpServer server =
        serve(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().connectionsMax(1).build());
    servers.connect(server).send(Requests.get("/")).read();
    assertThat(servers.connect(server).read().status()).isEqualTo(503);

    Await.until(
        "it is counted",
        () -> value(Metric.REJECTED_REQUESTS, "error.type", "too_many_connections") == 1);
  }

  @OnlyHttp1("clients without TLS send the preface of HTTP/2")
  @Test
  void countsRequestsWithoutTlsOnAPortWithTls() {
    HttpServer server =
        servers.watch(
            Peregrine.builder()
                .port(0)
                .with(Certificates.TLS)
                .transport(Servers.TRANSPORT)
                .serverListener(metrics)
                .handler((request, response) -> response.send())
                .start());
    try (RawClient client = RawClient.connect(server.address()).send(Requests.get("/"))) {
      assertThat(client.read().status()).isEqualTo(400);
    }

    Await.until(
        "it is counted", () -> value(Metric.REJECTED_REQUESTS, "error.type", "plain_http") == 1);
  }

  // ---- loops ----

  @Test
  void countsBytesAndMemoryOfLoops() throws Exception {
    BlockingQueue<Response> open = new LinkedBlockingQueue<>();
    HttpServer server = serve((request, response) -> open.add(response.async()));
    byte[] request = Requests.get("/");
    RawClient client = servers.connect(server).send(request);
    Response answer = open.take();
    Await.until(
        "bytes of an open connection",
        () -> value(Metric.NETWORK_IO, "network.io.direction", "receive") >= request.length);
    assertThat(sum(Metric.BUFFER_RESERVED)).isEqualTo(server.bufferBytesReserved());
    answer.onLoop(answer::send);
    client.read();
    Await.until(
        "bytes sent", () -> value(Metric.NETWORK_IO, "network.io.direction", "transmit") > 0);
    server.close();
    client.close();

    Await.until("nothing is held", () -> sum(Metric.BUFFER_RESERVED) == 0);
    assertThat(sum(Metric.BUFFER_USED)).isZero();
    assertThat(sum(Metric.BUFFER_RETURNED)).isPositive();
    assertThat(metrics.snapshot().values())
        .filteredOn(value -> value.metric() == Metric.BUFFER_USED)
        .extracting(value -> value.attributes().get("peregrine.loop"))
        .containsExactly(server.name() + "-loop-0", server.name() + "-loop-1");
  }

  @Test
  void countsBlockedTurns() {
    Semaphore blocked = new Semaphore(0);
    HttpServer server =
        serve(
            (request, response) -> {
              blocked.acquire();
              response.send();
            },
            Servers.LIMITS.toBuilder().loopBlockedTime(Duration.ofMillis(20)).build());
    RawClient client = servers.connect(server).send(Requests.get("/"));
    Await.until("the turn is reported", () -> sum(Metric.BLOCKED_TURNS) >= 1);
    blocked.release();
    client.read();

    servers.log().awaitReports();
  }

  // ---- readers ----

  @Test
  void areServedInTheFormatOfPrometheus() {
    HttpServer server = serve(Routes.builder().get("/metrics", metrics.prometheus()).build());
    RawClient client = servers.connect(server);
    client.send(Requests.get("/metrics")).read();
    only(1);

    var response = client.send(Requests.get("/metrics")).read();

    assertThat(response.header("Content-Type")).isEqualTo(PrometheusText.CONTENT_TYPE);
    assertThat(response.text())
        .contains(
            "# TYPE http_server_request_duration_seconds histogram\n",
            "http_server_request_duration_seconds_count{http_request_method=\"GET\",",
            "http_route=\"/metrics\",http_response_status_code=\"200\"",
            "le=\"+Inf\"} 1\n",
            "peregrine_open_connections{peregrine_loop=\"" + server.name() + "-loop-0\"} ",
            "peregrine_closed_connections_total{peregrine_close_reason=\"idle\"} 0\n");
  }

  @Test
  void belongToOneServer() {
    HttpServer first = serve((request, response) -> response.send());

    assertThatThrownBy(() -> serve((request, response) -> response.send()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(first.name());
  }
}
