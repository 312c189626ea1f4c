package dev.peregrine.cli;

import dev.peregrine.Peregrine;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.metrics.ServerMetrics;

/** Serves the metrics of a server on an address of their own, which clients don't reach. */
final class MetricsServer {
  private MetricsServer() {}

  /**
   * Has a server counted, and starts the one that serves the counts.
   *
   * @param endpoint where the metrics are served
   */
  static HttpServer start(Endpoint endpoint, HttpServerBuilder counted) {
    ServerMetrics metrics = new ServerMetrics();
    counted.serverListener(metrics);
    return Peregrine.builder()
        .name("peregrine-metrics")
        .endpoint(endpoint)
        .loops(1)
        .handler(Routes.builder().get("/metrics", metrics.prometheus()).build())
        .start();
  }
}
