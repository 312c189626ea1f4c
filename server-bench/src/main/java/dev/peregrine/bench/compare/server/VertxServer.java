package dev.peregrine.bench.compare.server;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Vert.x core on one event loop, set up as in its TechEmpower entry: cached field values and Date.
 * The flags are Netty's, and those that turn off its metrics, its checks of threads and field
 * lines, and its timing of tasks.
 */
final class VertxServer implements ComparedServer {
  static final List<String> FLAGS =
      Stream.concat(
              NettyServer.FLAGS.stream(),
              Stream.of(
                  "-Dvertx.disableMetrics=true",
                  "-Dvertx.threadChecks=false",
                  "-Dvertx.disableContextTimings=true",
                  "-Dvertx.disableHttpHeadersValidation=true"))
          .toList();

  private static final long DATE_MILLIS = 1000;
  private static final long PATIENCE_SECONDS = 10;
  private static final Buffer HELLO_BYTES = Buffer.buffer(HELLO);
  private static final CharSequence HELLO_LENGTH =
      HttpHeaders.createOptimized(Integer.toString(HELLO.length()));
  private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain");
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence OCTETS =
      HttpHeaders.createOptimized("application/octet-stream");

  private final Vertx vertx =
      Vertx.vertx(
          new VertxOptions()
              .setEventLoopPoolSize(1)
              .setWorkerPoolSize(1)
              .setInternalBlockingPoolSize(1));
  private volatile CharSequence date = HttpHeaders.createOptimized(CachedDate.now());

  @Override
  public int start(int port) throws Exception {
    vertx.setPeriodic(DATE_MILLIS, timer -> date = HttpHeaders.createOptimized(CachedDate.now()));
    HttpServer server =
        vertx
            .createHttpServer(new HttpServerOptions().setTcpNoDelay(true).setAcceptBacklog(BACKLOG))
            .requestHandler(this::handle)
            .listen(port, HOST)
            .await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return server.actualPort();
  }

  private void handle(HttpServerRequest request) {
    if ("/plaintext".equals(request.path())) {
      answer(request.response(), TEXT, HELLO_LENGTH, HELLO_BYTES);
    } else if ("/json".equals(request.path())) {
      byte[] json = Message.json(HELLO);
      answer(request.response(), JSON, Integer.toString(json.length), Buffer.buffer(json));
    } else {
      request.bodyHandler(
          content ->
              answer(request.response(), OCTETS, Integer.toString(content.length()), content));
    }
  }

  private void answer(
      HttpServerResponse response, CharSequence type, CharSequence length, Buffer content) {
    response
        .headers()
        .add(HttpHeaders.CONTENT_TYPE, type)
        .add(HttpHeaders.DATE, date)
        .add(HttpHeaders.CONTENT_LENGTH, length);
    response.end(content);
  }

  @Override
  public void close() throws Exception {
    vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
