package dev.peregrine.bench.blocking;

import dev.peregrine.bench.compare.server.CachedDate;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Vert.x: one verticle on one event loop, or on virtual threads. The handlers of a verticle run one
 * after the other, so that work which waits is run by {@code executeBlocking} on other virtual
 * threads.
 */
final class VertxBlocking implements BlockingServer {
  private static final long DATE_MILLIS = 1000;
  private static final long PATIENCE_SECONDS = 10;
  private static final CharSequence TYPE = HttpHeaders.createOptimized(TEXT);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Work work;
  private final boolean virtual;
  private volatile CharSequence date = HttpHeaders.createOptimized(CachedDate.now());

  VertxBlocking(Work work, boolean virtual) {
    this.work = work;
    this.virtual = virtual;
  }

  @Override
  public int start(int port) throws Exception {
    vertx.setPeriodic(DATE_MILLIS, timer -> date = HttpHeaders.createOptimized(CachedDate.now()));
    Listening verticle = new Listening(port);
    vertx
        .deployVerticle(
            verticle,
            new DeploymentOptions()
                .setThreadingModel(
                    virtual ? ThreadingModel.VIRTUAL_THREAD : ThreadingModel.EVENT_LOOP))
        .await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return verticle.port;
  }

  private void handle(HttpServerRequest request) {
    String path = Objects.requireNonNullElse(request.path(), "/");
    if (virtual && Work.mayWait(path)) {
      vertx
          .executeBlocking(() -> work.at(path), false)
          .onComplete(content -> answer(request, content), failure -> fail(request));
      return;
    }
    try {
      answer(request, work.at(path));
    } catch (Exception failure) {
      fail(request);
    }
  }

  private void answer(HttpServerRequest request, byte[] content) {
    request
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, TYPE)
        .putHeader(HttpHeaders.DATE, date)
        .end(Buffer.buffer(content));
  }

  private static void fail(HttpServerRequest request) {
    request.response().setStatusCode(500).end();
  }

  @Override
  public void close() throws Exception {
    vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private final class Listening extends AbstractVerticle {
    private volatile int port;

    Listening(int port) {
      this.port = port;
    }

    @Override
    public void start(Promise<Void> started) {
      vertx
          .createHttpServer(new HttpServerOptions().setAcceptBacklog(BACKLOG))
          .requestHandler(VertxBlocking.this::handle)
          .listen(port, HOST)
          .onSuccess(server -> port = server.actualPort())
          .<Void>mapEmpty()
          .onComplete(started);
    }
  }
}
