package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.metrics.ServerMetrics;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.RejectedRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/** Filters that wrap, and listeners, as docs/guide shows them. See {@link GuideTextTest}. */
class GuideObserversTest extends GuideCase {
  private static final Routes ROUTES =
      Routes.builder().get("/", (request, response) -> response.text("in")).build();

  // snippet: timing
  record Timing(ObjLongConsumer<String> report, Handler next) implements Handler {
    @Override
    public void handle(Request request, Response response) throws Exception {
      long began = System.nanoTime();
      response.onComplete( // on the event loop, so the report must not block
          outcome ->
              report.accept(
                  request.routeTemplate() + " " + response.status() + " " + outcome,
                  System.nanoTime() - began));
      next.handle(request, response);
    }
  }

  // end

  @Test
  void timesEachExchange() throws Exception {
    BlockingQueue<String> reports = new LinkedBlockingQueue<>();
    Client client = serve(new Timing((what, nanos) -> reports.add(what), ROUTES));

    client.get("/");
    assertThat(reports.take()).isEqualTo("/ 200 COMPLETED");
    client.get("/none");
    assertThat(reports.take()).isEqualTo("null 404 COMPLETED");
  }

  @Test
  void tellsTheClientHowLongItTook() throws Exception {
    Handler handler = ROUTES;
    // snippet: before-commit
    Handler timed =
        (request, response) -> {
          long began = System.nanoTime();
          response.beforeCommit(
              () -> {
                long micros = (System.nanoTime() - began) / 1000;
                response.header("Server-Timing", "app;dur=" + micros / 1000.0);
              });
          handler.handle(request, response);
        };
    // end

    Client client = serve(timed);
    assertThat(client.get("/").headers().firstValue("Server-Timing")).isPresent();
    var missing = client.get("/none");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.headers().firstValue("Server-Timing")).isPresent();
  }

  @Test
  void changesTheResponseOnItsWay() throws Exception {
    // snippet: wrapper
    Handler exclaiming =
        (request, response) ->
            ROUTES.handle(
                request,
                new ForwardingResponse(response) {
                  @Override
                  public void send(byte[] content) { // what text, html and redirect call, too
                    byte[] longer = Arrays.copyOf(content, content.length + 1);
                    longer[content.length] = '!';
                    super.send(longer);
                  }
                });
    // end

    assertThat(serve(exclaiming).get("/").body()).isEqualTo("in!");
  }

  // snippet: observer
  record Journal(BlockingQueue<String> lines) implements ExchangeListener, ConnectionListener {
    @Override
    public void onEnd(ExchangeInfo exchange) {
      long micros = (exchange.endNanos() - exchange.beginNanos()) / 1000;
      lines.offer( // never waits; a line is lost if the queue is full
          exchange.connection().remoteAddress()
              + (" " + exchange.methodName() + " " + exchange.routeTemplate())
              + (" " + exchange.status() + " " + exchange.outcome())
              + (" " + exchange.responseContentBytes() + " bytes " + micros + " us"));
    }

    @Override
    public void onRejected(RejectedRequest rejected) {
      lines.offer(rejected.connection().remoteAddress() + " " + rejected.status());
    }

    @Override
    public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
      lines.offer(connection.remoteAddress() + " closed: " + reason);
    }
  }

  // end

  @Test
  void writesAJournal() throws IOException, InterruptedException {
    Handler handler = ROUTES;
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    // snippet: observe
    Journal journal = new Journal(lines);
    HttpServer server =
        Peregrine.builder()
            .port(0)
            .exchangeListener(journal)
            .connectionListener(journal)
            .handler(handler)
            .start();
    // end
    open(server);
    try (Client client = new Client(server.port())) {
      client.get("/");
      assertThat(lines.take()).contains(" GET / 200 COMPLETED 2 bytes ").endsWith(" us");
    }
    assertThat(lines.take()).contains(" closed: ");
  }

  @Test
  void servesItsMetrics() throws Exception {
    // snippet: metrics
    ServerMetrics metrics = new ServerMetrics();
    Handler routes =
        Routes.builder()
            .get("/users/{id}", (request, response) -> response.text("me"))
            .get("/metrics", metrics.prometheus()) // for operators only
            .build();
    HttpServer server = Peregrine.builder().serverListener(metrics).handler(routes).start();
    // end

    open(server);
    try (Client client = new Client(server.port())) {
      client.get("/users/1");
      assertThat(client.get("/metrics").body())
          .contains(
              "http_server_active_requests{http_request_method=\"GET\",url_scheme=\"http\"} 1");
    }
  }
}
