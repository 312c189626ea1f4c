package dev.peregrine.server.metrics;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The metrics of a server. The names that begin with {@code http.} are those of OpenTelemetry's
 * semantic conventions for HTTP.
 */
public enum Metric {
  HTTP_SERVER_REQUEST_DURATION(
      "http.server.request.duration",
      "s",
      MetricKind.HISTOGRAM,
      "Duration of HTTP server requests"),
  HTTP_SERVER_REQUEST_BODY_SIZE(
      "http.server.request.body.size",
      "By",
      MetricKind.HISTOGRAM,
      "Size of the request content, without its framing"),
  HTTP_SERVER_RESPONSE_BODY_SIZE(
      "http.server.response.body.size",
      "By",
      MetricKind.HISTOGRAM,
      "Size of the response content, without its framing"),
  HTTP_SERVER_ACTIVE_REQUESTS(
      "http.server.active_requests",
      "{request}",
      MetricKind.UP_DOWN_COUNTER,
      "HTTP requests that have begun and not ended"),
  REJECTED_REQUESTS(
      "peregrine.rejected_requests",
      "{request}",
      MetricKind.COUNTER,
      "Error responses to bytes that did not become a request"),
  OPENED_CONNECTIONS(
      "peregrine.opened_connections",
      "{connection}",
      MetricKind.COUNTER,
      "Connections that were opened"),
  CLOSED_CONNECTIONS(
      "peregrine.closed_connections",
      "{connection}",
      MetricKind.COUNTER,
      "Connections that were closed"),
  FAILED_HANDSHAKES(
      "peregrine.failed_handshakes",
      "{handshake}",
      MetricKind.COUNTER,
      "TLS handshakes that failed"),
  OPEN_CONNECTIONS(
      "peregrine.open_connections",
      "{connection}",
      MetricKind.UP_DOWN_COUNTER,
      "Connections that are open"),
  NETWORK_IO(
      "peregrine.network.io",
      "By",
      MetricKind.COUNTER,
      "Bytes that connections received and sent, with heads and framing"),
  BUFFER_USED(
      "peregrine.buffer.used",
      "By",
      MetricKind.UP_DOWN_COUNTER,
      "Direct memory that connections hold"),
  BUFFER_RESERVED(
      "peregrine.buffer.reserved",
      "By",
      MetricKind.UP_DOWN_COUNTER,
      "Direct memory taken from the system, in use or not"),
  BUFFER_RETURNED(
      "peregrine.buffer.returned",
      "By",
      MetricKind.COUNTER,
      "Direct memory returned to the system"),
  BLOCKED_TURNS(
      "peregrine.blocked_turns",
      "{turn}",
      MetricKind.COUNTER,
      "Reports of the watchdog about blocked turns of event loops");

  private static final List<Double> SECONDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);
  private static final List<Double> BYTES =
      LongStream.of(0, 1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536)
          .mapToObj(kibibytes -> kibibytes * 1024.0)
          .toList();

  private final String text;
  private final String unit;
  private final MetricKind kind;
  private final String description;

  Metric(String text, String unit, MetricKind kind, String description) {
    this.text = text;
    this.unit = unit;
    this.kind = kind;
    this.description = description;
  }

  /** Returns the name of OpenTelemetry's style: {@code http.server.request.duration}. */
  public String metricName() {
    return text;
  }

  /** Returns the unit in UCUM's notation: {@code s}, {@code By}, {@code {request}}. */
  public String unit() {
    return unit;
  }

  /** Returns how values are combined. */
  public MetricKind kind() {
    return kind;
  }

  /** Returns a sentence without a full stop. */
  public String description() {
    return description;
  }

  /**
   * Returns the inclusive upper bounds of the buckets, in the unit of the metric; the last bucket
   * has none. Empty unless the kind is {@link MetricKind#HISTOGRAM}.
   */
  public List<Double> bounds() {
    return kind != MetricKind.HISTOGRAM ? List.of() : unit.equals("s") ? SECONDS : BYTES;
  }
}
