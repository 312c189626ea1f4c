package dev.peregrine.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Observations of requests over sockets, as handlers of a registry see them. */
final class HttpObservationsIT {
  private final ObservationRegistry registry = ObservationRegistry.create();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final BlockingQueue<RequestContext> stopped = new LinkedBlockingQueue<>();
  private final List<String> parents = new CopyOnWriteArrayList<>();
  private final List<String> baggage = new CopyOnWriteArrayList<>();
  private HttpServer server = HttpServer.builder().handler((request, response) -> {}).start();

  HttpObservationsIT() {
    // The first is told of an end last.
    registry.observationConfig().observationHandler(new Stopped());
    registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
  }

  private final class Stopped implements ObservationHandler<RequestContext> {
    @Override
    public void onStart(RequestContext context) {
      parents.add(String.valueOf(context.getGetter().get(context.request(), "traceparent")));
      baggage.add(String.valueOf(context.getGetter().get(context.request(), "baggage")));
    }

    @Override
    public void onStop(RequestContext context) {
      stopped.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return context instanceof RequestContext;
    }
  }

  private void start(TransportKind transport, Handler handler) {
    server.close();
    server = Peregrine.builder().transport(transport).loops(1).handler(handler).start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return get(path, "traceparent", "00-a-b-01");
  }

  private HttpResponse<String> get(String path, String... fields) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return client.send(
          HttpRequest.newBuilder(uri).headers(fields).build(), BodyHandlers.ofString());
    }
  }

  private RequestContext take() throws InterruptedException {
    RequestContext context = stopped.poll(1, TimeUnit.MINUTES);
    assertThat(context).as("an observation that has stopped").isNotNull();
    return Objects.requireNonNull(context);
  }

  private static String value(RequestContext context, String key) {
    return String.valueOf(
        context.getAllKeyValues().stream()
            .filter(pair -> pair.getKey().equals(key))
            .map(KeyValue::getValue)
            .findFirst()
            .orElse("absent"));
  }

  private Handler current() {
    return (request, response) ->
        response.text(registry.getCurrentObservation() == null ? "none" : "current");
  }

  @ParameterizedTest
  @EnumSource(names = {"NIO", "EPOLL"})
  void hasNamesAndKeyValues(TransportKind transport) throws Exception {
    start(
        transport,
        HttpObservations.around(Routes.builder().get("/users/{id}", current()).build(), registry));

    assertThat(get("/users/7?a=b").body()).isEqualTo("current");

    RequestContext context = take();
    assertThat(context.getName()).isEqualTo("http.server.requests");
    assertThat(context.getContextualName()).isEqualTo("GET /users/{id}");
    assertThat(parents).containsExactly("00-a-b-01");
    assertThat(value(context, "http.request.method")).isEqualTo("GET");
    assertThat(value(context, "http.route")).isEqualTo("/users/{id}");
    assertThat(value(context, "http.response.status_code")).isEqualTo("200");
    assertThat(value(context, "network.protocol.version")).isEqualTo("1.1");
    assertThat(value(context, "url.scheme")).isEqualTo("http");
    assertThat(value(context, "url.path")).isEqualTo("/users/7");
    assertThat(value(context, "url.query")).isEqualTo("a=b");
    assertThat(value(context, "server.port")).isEqualTo("" + server.port());
    assertThat(value(context, "client.address")).isEqualTo("127.0.0.1");
    assertThat(value(context, "error.type")).isEqualTo("none");
    assertThat(
            meters
                .get("http.server.requests")
                .tag("http.route", "/users/{id}")
                .tag("http.response.status_code", "200")
                .timer()
                .count())
        .isEqualTo(1);
  }

  @Test
  void onlyFailuresOfTheServerAreErrors() throws Exception {
    start(
        TransportKind.NIO,
        HttpObservations.around(
            Routes.builder()
                .get(
                    "/fail",
                    Handlers.blocking(
                        (request, response) -> {
                          throw new IOException("a defect");
                        }))
                .get(
                    "/client",
                    (request, response) -> {
                      throw new HttpException(409, "a conflict");
                    })
                .build(),
            registry));

    assertThat(get("/fail").statusCode()).isEqualTo(500);
    RequestContext failed = take();
    assertThat(failed.getError()).isInstanceOf(IOException.class);
    assertThat(value(failed, "error.type")).isEqualTo("failed");
    assertThat(get("/client").statusCode()).isEqualTo(409);
    RequestContext rejected = take();
    assertThat(rejected.getError()).isNull();
    assertThat(value(rejected, "error.type")).isEqualTo("none");
  }

  @Test
  void isCurrentInBlockingHandlersAndInCallbacksAndNotBetween() throws Exception {
    start(
        TransportKind.NIO,
        HttpObservations.builder(
                Routes.builder()
                    .get("/blocking", Handlers.blocking(current()))
                    .get("/none", current())
                    .get(
                        "/later",
                        (request, response) -> {
                          response.async();
                          Thread.startVirtualThread(
                              () ->
                                  response.onLoop(
                                      () ->
                                          response.text(
                                              registry.getCurrentObservation() == null
                                                  ? "none"
                                                  : "current")));
                        })
                    .build(),
                registry)
            .only(request -> !request.pathIs("/none"))
            .build());

    assertThat(get("/blocking").body()).isEqualTo("current");
    assertThat(get("/none").body()).isEqualTo("none");
    assertThat(get("/later").body()).isEqualTo("current");
    assertThat(get("/none").body()).isEqualTo("none");
    take();
    take();
    assertThat(stopped).isEmpty();
  }

  @Test
  void aRequestHasOneObservationAndNoneWithoutARegistry() throws Exception {
    Handler inner = HttpObservations.around(current(), registry);
    start(TransportKind.NIO, HttpObservations.around(inner, registry));
    assertThat(get("/").body()).isEqualTo("current");
    take();
    assertThat(stopped).isEmpty();

    start(TransportKind.NIO, HttpObservations.around(current(), ObservationRegistry.NOOP));
    assertThat(get("/").body()).isEqualTo("none");
    assertThat(stopped).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyATrustedClientNamesTheTraceAndBringsBaggage(boolean trusted) throws Exception {
    start(
        TransportKind.NIO,
        HttpObservations.builder(current(), registry).untrusted(request -> !trusted).build());
    String malformed = "a=%zz,,=;".repeat(1_500);

    HttpResponse<String> response =
        get("/", "traceparent", "00-zz", "baggage", malformed, "baggage", "~");

    assertThat(response.body()).isEqualTo("current");
    take();
    assertThat(parents).containsExactly(trusted ? "00-zz" : "null");
    assertThat(baggage).containsExactly(trusted ? malformed + ",~" : "null");
  }
}
