package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.server.TransportKind;
import dev.peregrine.server.accesslog.AccessLog.Format;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The options of Peregrine that Spring Boot doesn't have among its {@code server} properties.
 *
 * @param loops Number of event loops; one per available processor by default.
 * @param transport How socket I/O is done. By default epoll where it works, else java.nio.
 * @param backlog Connections that the system holds before they are accepted.
 * @param reusePort Whether every loop listens for itself (SO_REUSEPORT).
 * @param lameDuck Time for which a graceful shutdown still accepts connections, so that a balancer
 *     learns of it from the application's readiness.
 * @param limits Limits on clients.
 * @param accessLog A file with a line for each request.
 * @param unixSocket A Unix domain socket to listen on beside the port, or alone with
 *     server.port=-1.
 * @param handOver The hand-over of the listening sockets to the next process.
 * @param forwarded The proxies that are believed with server.forward-headers-strategy=native.
 * @param metrics Meters of the server.
 */
@ConfigurationProperties("peregrine")
public record PeregrineProperties(
    @Nullable Integer loops,
    @DefaultValue("auto") TransportKind transport,
    @DefaultValue("1024") int backlog,
    @DefaultValue("false") boolean reusePort,
    @DefaultValue("0s") Duration lameDuck,
    @DefaultValue Limits limits,
    @DefaultValue AccessLog accessLog,
    @DefaultValue UnixSocket unixSocket,
    @DefaultValue HandOver handOver,
    @DefaultValue Forwarded forwarded,
    @DefaultValue Metrics metrics) {

  /**
   * Limits on clients; those of Boot's own servers where they have the same limit.
   *
   * @param maxContentSize Largest content of a request; more gets 413. Unlimited by default.
   * @param minRequestRate Bytes per second of its content that a client must send; 0 for no limit.
   * @param minResponseRate Bytes per second of a response that a client must receive; 0 for no
   *     limit.
   * @param rateGrace Time that a client has at least before its rate counts.
   * @param headTimeout Time from a request's first byte to the end of its head; more gets 408.
   * @param idleTimeout Time from a response to the next request of its connection.
   * @param responseBeginTimeout Time until a response must begin; more gets 503. 0 for no limit.
   * @param handshakeTimeout Time for the TLS handshake of a connection.
   * @param maxConnections Open connections; one more gets 503. 0 for no limit.
   * @param maxRequestsPerConnection Requests of a connection; 0 for no limit.
   * @param maxHeaderFields Header fields of a request; more gets 431.
   * @param maxRetainedSize Received content that the application may keep at a time on each event
   *     loop; more gets 503.
   * @param maxHttp2Streams Requests of a connection of HTTP/2 at a time.
   * @param maxWebSocketMessageSize Largest message of a WebSocket; a longer one closes it.
   * @param blockedLoopTime Time after which a handler that keeps its event loop is logged.
   */
  public record Limits(
      @Nullable DataSize maxContentSize,
      @DefaultValue("0B") DataSize minRequestRate,
      @DefaultValue("0B") DataSize minResponseRate,
      @DefaultValue("5s") Duration rateGrace,
      @DefaultValue("30s") Duration headTimeout,
      @DefaultValue("130s") Duration idleTimeout,
      @DefaultValue("0s") Duration responseBeginTimeout,
      @DefaultValue("10s") Duration handshakeTimeout,
      @DefaultValue("0") int maxConnections,
      @DefaultValue("0") int maxRequestsPerConnection,
      @DefaultValue("100") int maxHeaderFields,
      @DefaultValue("64MB") DataSize maxRetainedSize,
      @DefaultValue("100") int maxHttp2Streams,
      @DefaultValue("1MB") DataSize maxWebSocketMessageSize,
      @DefaultValue("1s") Duration blockedLoopTime) {}

  /**
   * A file with a line for each request.
   *
   * @param file File to append to, in a directory that exists; without it, no log is written.
   * @param format Format of the lines.
   * @param query Whether queries are written, which may contain secrets.
   */
  public record AccessLog(
      @Nullable Path file,
      @DefaultValue("combined") Format format,
      @DefaultValue("false") boolean query) {}

  /**
   * A Unix domain socket to listen on.
   *
   * @param path The socket's file, in a directory that exists.
   * @param permissions Who may connect, as ls prints it.
   */
  public record UnixSocket(@Nullable Path path, @DefaultValue("rw-------") String permissions) {}

  /**
   * The hand-over of the listening sockets, which needs epoll.
   *
   * @param path Socket by which the next process takes the listening sockets over.
   * @param patience Time for the requests under way in the old process.
   */
  public record HandOver(@Nullable Path path, @DefaultValue("30s") Duration patience) {}

  /**
   * The proxies that are believed.
   *
   * @param trustedProxies Addresses, or ranges in CIDR notation; by default all private ones, and
   *     the clients of a Unix domain socket.
   * @param field Field by which they report the client: X-Forwarded-For with its companions for
   *     scheme and host, or Forwarded.
   */
  public record Forwarded(
      @Nullable List<String> trustedProxies, @DefaultValue("x-forwarded") ForwardedField field) {}

  /** The field by which proxies report the client. */
  public enum ForwardedField {
    /** X-Forwarded-For, with X-Forwarded-Proto and X-Forwarded-Host. */
    X_FORWARDED,
    /** Forwarded (RFC 7239). */
    FORWARDED
  }

  /**
   * Meters of the server.
   *
   * @param enabled Whether the meters of connections, buffers and event loops are registered, if
   *     there is a registry. Requests are counted by Spring's own http.server.requests.
   */
  public record Metrics(@DefaultValue("true") boolean enabled) {}
}
