package dev.peregrine.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.metrics.Metric;
import dev.peregrine.server.metrics.ServerMetrics;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** The meters of a real server, as Prometheus and its tools read them. */
@Timeout(300)
class PeregrineMetricsIT {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(120);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ServerMetrics metrics = new ServerMetrics(3);
  private final PeregrineMetrics binder = new PeregrineMetrics(metrics);
  private final Handler scrape =
      (request, response) ->
          response
              .header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
              .send(registry.scrape().getBytes(StandardCharsets.UTF_8));
  private final HttpServer server =
      Peregrine.builder()
          .loops(2)
          .serverListener(metrics)
          .handler(
              Routes.builder()
                  .get("/metrics", scrape)
                  .get("/own", metrics.prometheus())
                  .get("/users/{id}", (request, response) -> response.text("me"))
                  .get("/fail", (request, response) -> response.status(503).send())
                  .build())
          .start();

  @TempDir Path folder;

  @AfterEach
  void closeServer() {
    server.close();
  }

  private String get(String path) throws Exception {
    return get(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private static String get(URI uri) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }

  /**
   * Requests a page, and waits until registries have counted it, which may be after its response.
   */
  private void count(String path, MeterRegistry... registries) throws Exception {
    long[] before = Arrays.stream(registries).mapToLong(PeregrineMetricsIT::counted).toArray();
    get(path);
    for (int i = 0; i < registries.length; i++) {
      while (counted(registries[i]) == before[i]) {
        Thread.onSpinWait();
      }
    }
  }

  /** Returns the number of requests in a registry, by the meter that is written last. */
  private static long counted(MeterRegistry in) {
    return in.find(Metric.HTTP_SERVER_RESPONSE_BODY_SIZE.metricName()).summaries().stream()
        .mapToLong(DistributionSummary::count)
        .sum();
  }

  /** Returns the names of the metrics in a page, with their types. */
  private static Set<String> types(String page) {
    Set<String> types = new TreeSet<>();
    page.lines()
        .filter(line -> line.startsWith("# TYPE ") && !line.contains("_max "))
        .forEach(types::add);
    return types;
  }

  @Test
  void hasTheChosenMetersOnly() throws Exception {
    PeregrineMetrics some =
        new PeregrineMetrics(metrics, Tags.empty(), metric -> metric == Metric.NETWORK_IO);
    some.bindTo(registry);
    get("/users/1");

    assertThat(registry.getMeters())
        .isNotEmpty()
        .allMatch(meter -> meter.getId().getName().equals(Metric.NETWORK_IO.metricName()));
    some.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void hasTheMetersOfTheServersOwnPage() throws Exception {
    binder.bindTo(registry);
    for (String path : new String[] {"/users/1", "/users/2", "/fail", "/none", "/metrics"}) {
      count(path, registry); // with more combinations than the limit
    }

    String page = get("/metrics");

    assertThat(page)
        .contains(
            "http_server_request_duration_seconds_bucket{error_type=\"none\","
                + "http_request_method=\"GET\",http_response_status_code=\"200\","
                + "http_route=\"/users/{id}\",network_protocol_version=\"1.1\","
                + "otel_metric_overflow=\"false\",url_scheme=\"http\",le=\"0.005\"} ",
            "http_server_request_duration_seconds_count{error_type=\"503\",",
            "otel_metric_overflow=\"true\"",
            "peregrine_open_connections{peregrine_loop=\"" + server.name() + "-loop-0\"} ");
    assertThat(types(page)).isEqualTo(types(get("/own"))).hasSize(Metric.values().length);
  }

  @Test
  void bindsToARunningServerAndLetsGo() throws Exception {
    try (PeregrineMetrics earlier = new PeregrineMetrics(metrics)) {
      MeterRegistry first = new SimpleMeterRegistry();
      earlier.bindTo(first);
      count("/users/1", first);
    }
    SimpleMeterRegistry other = new SimpleMeterRegistry();
    PeregrineMetrics tagged = new PeregrineMetrics(metrics, Tags.of("server", "a"));
    binder.bindTo(registry);
    tagged.bindTo(other);
    count("/users/1", other, registry); // or a loop may still add meters when they are removed

    assertThat(other.get("http.server.request.duration").tag("server", "a").timer().count())
        .isPositive();
    assertThat(registry.get("http.server.request.duration").timer().count()).isPositive();
    tagged.close();
    assertThat(other.getMeters()).isEmpty();
    binder.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void passesThePromtoolCheck() throws Exception {
    binder.bindTo(registry);
    for (String path : new String[] {"/users/1", "/fail", "/none", "/metrics"}) {
      count(path, registry);
    }
    for (String path : new String[] {"/metrics", "/own"}) {
      Path page = Files.writeString(folder.resolve("page"), get(path));
      Path output = folder.resolve("output");
      Process promtool =
          start(
              new ProcessBuilder("promtool", "check", "metrics")
                  .redirectInput(page.toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(output.toFile()));

      assertThat(promtool.waitFor()).as(Files.readString(output)).isZero();
    }
  }

  @Test
  void isScrapedByPrometheus() throws Exception {
    binder.bindTo(registry);
    count("/users/1", registry);
    int port = freePort();
    // The interval is also the time that a scrape may take.
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 5s}
            scrape_configs:
              - job_name: micrometer
                static_configs: [{targets: ["127.0.0.1:%1$d"]}]
              - job_name: own
                metrics_path: /own
                static_configs: [{targets: ["127.0.0.1:%1$d"]}]
            """
                .formatted(server.port()));
    Process prometheus =
        start(
            new ProcessBuilder(
                    "prometheus",
                    "--config.file=" + config,
                    "--storage.tsdb.path=" + folder.resolve("data"),
                    "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile()));
    try {
      for (String job : new String[] {"micrometer", "own"}) {
        String query =
            "http_server_request_duration_seconds_bucket{le=\"+Inf\",http_route=\"/users/{id}\","
                + "job=\"%s\"} == 1".formatted(job);
        awaitSeries(port, query, prometheus);
      }
    } finally {
      prometheus.destroy();
      if (!prometheus.waitFor(10, TimeUnit.SECONDS)) {
        prometheus.destroyForcibly().waitFor();
      }
    }
  }

  private void awaitSeries(int port, String query, Process prometheus) throws Exception {
    URI uri =
        URI.create(
            "http://127.0.0.1:"
                + port
                + "/api/v1/query?query="
                + URLEncoder.encode(query, StandardCharsets.UTF_8));
    long begun = System.nanoTime();
    String answer = "";
    while (!answer.contains("\"http_route\":\"/users/{id}\"")) {
      assertThat(prometheus.isAlive()).as(Files.readString(folder.resolve("log"))).isTrue();
      assertThat(System.nanoTime() - begun).as("%s: %s", query, answer).isLessThan(NANOS_MAX);
      TimeUnit.MILLISECONDS.sleep(50); // between two queries of a series that is to come
      try {
        answer = get(uri);
      } catch (IOException notYetListening) {
        answer = "";
      }
    }
  }

  private static Process start(ProcessBuilder command) {
    try {
      return command.start();
    } catch (IOException absent) {
      throw new TestAbortedException(
          command.command().getFirst() + " is not installed (Debian: prometheus)", absent);
    }
  }

  /** Returns a port below those that systems give to whoever asks for any, as other tests do. */
  private static int freePort() throws IOException {
    for (int attempt = 1; ; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_768);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException taken) {
        if (attempt == 100) {
          throw taken;
        }
      }
    }
  }
}
