package dev.peregrine.server.metrics;

import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.LoopListener;
import dev.peregrine.server.observe.ServerListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one start of a server, with the names, units and attributes of OpenTelemetry;
 * {@link Metric} lists them.
 *
 * <pre>{@code
 * ServerMetrics metrics = new ServerMetrics();
 * HttpServer server =
 *     HttpServer.builder()
 *         .serverListener(metrics)
 *         .handler(Routes.builder().get("/metrics", metrics.prometheus()).mount("/", app).build())
 *         .start();
 * }</pre>
 *
 * <p>Each event loop writes counters of its own, without locks or allocation, and a reader adds
 * them up. All methods may be called from any thread.
 *
 * <p>A request counts when it ends. One that upgrades its connection, to a WebSocket for example,
 * ends with the response that does so; the connection then counts as open. Bytes that did not
 * become a request count in {@link Metric#REJECTED_REQUESTS} only.
 */
public final class ServerMetrics implements ServerListener {
  /** The number of combinations of attributes by default. */
  public static final int SERIES_MAX_DEFAULT = 2000;

  private static final int SERIES_LIMIT = 1_000_000;

  private final SeriesLimit limit;
  private final AtomicReference<Exporters> exporters =
      new AtomicReference<>(Exporters.NONE); // written under this
  private volatile @Nullable String serverName; // null before the start
  private volatile List<LoopMetrics> loops = List.of();
  private volatile List<Instrument> instruments = List.of();
  private boolean ended; // guarded by this
  private @Nullable MetricsBean bean; // guarded by this

  /** Creates metrics with up to {@link #SERIES_MAX_DEFAULT} combinations of attributes. */
  public ServerMetrics() {
    this(SERIES_MAX_DEFAULT);
  }

  /**
   * Creates metrics that count requests separately for a number of combinations of their
   * attributes: method, scheme, route, status, version and error. Requests with other combinations
   * are counted together, with the attribute {@code otel.metric.overflow=true} only. A combination
   * takes about 600 bytes on each event loop that has served it.
   *
   * @param seriesMax 1 to 1,000,000
   */
  public ServerMetrics(int seriesMax) {
    limit = new SeriesLimit(Range.check("seriesMax", seriesMax, 1, SERIES_LIMIT));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if these metrics were passed to a server before that has started,
   *     or failed to do so after this call
   */
  @Override
  public synchronized List<? extends LoopListener> onStart(String name, List<LoopInfo> started) {
    if (serverName != null) {
      throw new IllegalStateException(
          "these metrics belong to the server "
              + serverName
              + (ended ? ", which has ended or failed to start" : "")
              + "; create new ones for each start");
    }
    List<LoopMetrics> created = new ArrayList<>();
    for (LoopInfo loop : started) {
      created.add(new LoopMetrics(loop, exporters, limit));
    }
    loops = List.copyOf(created);
    instruments = Instruments.of(loops);
    serverName = name;
    Exporters present = exporters.get();
    instruments.forEach(present::onInstrument);
    return loops;
  }

  @Override
  public synchronized void onEnd() {
    ended = true;
    unregisterMBean();
  }

  /** Returns the present metrics; without a server they are empty. */
  public MetricsSnapshot snapshot() {
    List<MetricHistogram> histograms = new ArrayList<>();
    Map<Map<String, String>, long[]> sums = sums();
    for (Metric metric : Metric.values()) {
      if (metric.kind() == MetricKind.HISTOGRAM) {
        sums.forEach(
            (attributes, cells) -> histograms.add(Series.histogram(metric, attributes, cells)));
      }
    }
    List<MetricValue> values =
        instruments.stream()
            .map(one -> new MetricValue(one.metric(), one.attributes(), one.value()))
            .toList();
    return new MetricsSnapshot(histograms, values);
  }

  /** Returns the sums of all loops for each series. */
  private Map<Map<String, String>, long[]> sums() {
    Map<Map<String, String>, long[]> sums = new LinkedHashMap<>();
    for (LoopMetrics loop : loops) {
      for (Series series = loop.newest(); series != null; series = series.next) {
        series.addTo(sums.computeIfAbsent(series.attributes(), absent -> new long[Series.CELLS]));
      }
    }
    return sums;
  }

  /**
   * Returns a handler that responds with the metrics in the text format of Prometheus, version
   * 0.0.4. It runs on a virtual thread. The metrics name the routes of the application, so serve
   * them to operators only.
   */
  public Handler prometheus() {
    return Handlers.blocking(
        (request, response) ->
            response
                .header("Content-Type", PrometheusText.CONTENT_TYPE)
                .send(PrometheusText.of(snapshot()).getBytes(StandardCharsets.UTF_8)));
  }

  /** Passes the metrics to a library from now on. */
  public synchronized void addExporter(MetricsExporter exporter) {
    instruments.forEach(Objects.requireNonNull(exporter)::onInstrument);
    exporters.set(exporters.get().with(exporter));
  }

  /** Takes back {@link #addExporter}; requests that are ending may still be passed. */
  public synchronized void removeExporter(MetricsExporter exporter) {
    exporters.set(exporters.get().without(exporter));
  }

  /**
   * Registers an MBean {@code dev.peregrine:type=Server,name=NAME} with the platform's server,
   * where NAME is the name of the HTTP server. It has an attribute for each metric, a table whose
   * rows are indexed by the attributes of the metric. It is unregistered when the HTTP server
   * closes.
   *
   * @throws IllegalStateException if no server was started with these metrics, it has closed, or
   *     the name is taken
   */
  public synchronized void registerMBean() {
    String name = serverName;
    if (name == null || ended) {
      throw new IllegalStateException("the server is not running");
    }
    if (bean == null) {
      bean = MetricsBean.register(this::snapshot, name);
    }
  }

  /** Unregisters the MBean, if it is registered. */
  public synchronized void unregisterMBean() {
    MetricsBean registered = bean;
    bean = null;
    if (registered != null) {
      registered.unregister();
    }
  }
}
