package dev.peregrine.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans of requests over sockets, as an SDK exports them. */
final class HttpSpansIT {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";

  private final Recorded recorded = new Recorded();
  private HttpServer server = HttpServer.builder().handler((request, response) -> {}).start();

  private void start(Wire wire, Handler handler) {
    start(wire, HttpSpans.around(handler, recorded.telemetry()));
  }

  private void start(Wire wire, HttpSpans spans) {
    server.close();
    server = wire.start(spans);
  }

  @AfterEach
  void close() {
    server.close();
    recorded.close();
  }

  private HttpResponse<String> get(Wire wire, String target) throws Exception {
    return send(wire, target, request -> request);
  }

  private HttpResponse<String> send(
      Wire wire, String target, UnaryOperator<HttpRequest.Builder> change) throws Exception {
    try (HttpClient client = wire.client()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(wire.uri(server, target)).timeout(Duration.ofMinutes(1));
      return client.send(change.apply(request).build(), BodyHandlers.ofString());
    }
  }

  private static Map<String, String> attributes(SpanData span) {
    Map<String, String> all = new TreeMap<>();
    span.getAttributes().forEach((key, value) -> all.put(key.getKey(), value.toString()));
    return all;
  }

  private static String attribute(SpanData span, String name) {
    return attributes(span).getOrDefault(name, "none");
  }

  private SpanBuilder span(String name) {
    return recorded.telemetry().getTracer("test").spanBuilder(name);
  }

  private static Handler current() {
    return (request, response) -> response.text(Span.current().getSpanContext().getSpanId());
  }

  @ParameterizedTest
  @EnumSource
  void hasTheAttributesOfTheConvention(Wire wire) throws Exception {
    start(wire, Routes.builder().get("/users/{id}", current()).build());

    HttpResponse<String> response =
        send(
            wire,
            "/users/7?a=b&sig=secret",
            request -> request.header("traceparent", TRACEPARENT).header("User-Agent", "test/1"));

    SpanData span = recorded.take();
    assertThat(span.getName()).isEqualTo("GET /users/{id}");
    assertThat(span.getKind()).isEqualTo(SpanKind.SERVER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getParentSpanContext().isRemote()).isTrue();
    assertThat(span.getSpanId()).isEqualTo(response.body());
    assertThat(span.getStatus()).isEqualTo(StatusData.unset());
    assertThat(span.getLinks()).isEmpty();
    Map<String, String> attributes = attributes(span);
    assertThat(attributes.remove("network.peer.port")).matches("[0-9]+");
    assertThat(attributes)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("http.request.method", "GET"),
                Map.entry("url.scheme", wire.scheme()),
                Map.entry("url.path", "/users/7"),
                Map.entry("url.query", "a=b&sig=REDACTED"),
                Map.entry("server.address", "localhost"),
                Map.entry("server.port", Integer.toString(server.port())),
                Map.entry("client.address", "127.0.0.1"),
                Map.entry("network.peer.address", "127.0.0.1"),
                Map.entry("network.protocol.version", wire.isHttp2() ? "2" : "1.1"),
                Map.entry("user_agent.original", "test/1"),
                Map.entry("http.route", "/users/{id}"),
                Map.entry("http.response.status_code", "200")));
  }

  @ParameterizedTest
  @EnumSource
  void anUnknownMethodIsOther(Wire wire) throws Exception {
    start(wire, current());

    send(wire, "/", request -> request.method("PURGE", HttpRequest.BodyPublishers.noBody()));

    SpanData span = recorded.take();
    assertThat(span.getName()).isEqualTo("HTTP");
    assertThat(attribute(span, "http.request.method")).isEqualTo("_OTHER");
    assertThat(attribute(span, "http.request.method_original")).isEqualTo("PURGE");
    assertThat(attribute(span, "http.route")).isEqualTo("none");
  }

  @ParameterizedTest
  @EnumSource
  void onlyFailuresOfTheServerAreErrors(Wire wire) throws Exception {
    start(
        wire,
        Routes.builder()
            .get("/busy", (request, response) -> response.status(503).send())
            .get(
                "/fail",
                (request, response) -> {
                  throw new IOException("a defect");
                })
            .get(
                "/blocking",
                Handlers.blocking(
                    (request, response) -> {
                      throw new IllegalStateException("a defect elsewhere");
                    }))
            .get(
                "/client",
                (request, response) -> {
                  throw new HttpException(409, "a conflict");
                })
            .build());

    assertSpan(wire, "/busy", 503, "503", "none");
    assertSpan(wire, "/fail", 500, "failed", "java.io.IOException");
    assertSpan(wire, "/blocking", 500, "failed", "java.lang.IllegalStateException");
    assertSpan(wire, "/client", 409, "none", "none");
    assertSpan(wire, "/absent", 404, "none", "none");
  }

  private void assertSpan(Wire wire, String path, int status, String error, String exception)
      throws Exception {
    assertThat(get(wire, path).statusCode()).isEqualTo(status);
    SpanData span = recorded.take();
    assertThat(attribute(span, "http.response.status_code")).isEqualTo("" + status);
    assertThat(attribute(span, "error.type")).isEqualTo(error);
    assertThat(span.getStatus().getStatusCode())
        .isEqualTo(error.equals("none") ? StatusCode.UNSET : StatusCode.ERROR);
    assertThat(span.getStatus().getDescription()).isEmpty();
    assertThat(
            span.getEvents().stream()
                .map(event -> event.getAttributes().get(AttributeKey.stringKey("exception.type")))
                .toList())
        .isEqualTo(exception.equals("none") ? List.of() : List.of(exception));
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatLeavesIsAnError(Wire wire) throws Exception {
    BlockingQueue<ResponseStream> streams = new LinkedBlockingQueue<>();
    BlockingQueue<Response> begun = new LinkedBlockingQueue<>();
    start(
        wire,
        (request, response) -> {
          ResponseStream stream = response.async().stream();
          stream.write(new byte[10]).flush();
          streams.add(stream);
          begun.add(response);
        });
    HttpClient client = wire.client();
    HttpRequest request = HttpRequest.newBuilder(wire.uri(server, "/")).build();
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(request, BodyHandlers.ofString());
    Response response = begun.take();
    ResponseStream stream = streams.take();

    answer.cancel(true);
    client.shutdownNow();
    while (recorded.left() == 0) {
      response.onLoop(() -> stream.write(new byte[10_000]).flush());
      TimeUnit.MILLISECONDS.sleep(5); // between two writes, one of which finds the client gone
    }

    SpanData span = recorded.take();
    assertThat(attribute(span, "http.response.status_code")).isEqualTo("200");
    assertThat(attribute(span, "error.type")).isEqualTo("aborted");
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getEvents()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void isCurrentInBlockingHandlersAndInCallbacks(Wire wire) throws Exception {
    Handler work =
        (request, response) -> {
          span("work").startSpan().end();
          current().handle(request, response);
        };
    start(
        wire,
        Routes.builder()
            .get("/loop", work)
            .get("/blocking", Handlers.blocking(work))
            .get(
                "/later",
                (request, response) -> {
                  response.async();
                  Thread.startVirtualThread(
                      () -> response.onLoop(() -> handle(work, request, response)));
                })
            .build());

    for (String path : new String[] {"/loop", "/blocking", "/later"}) {
      String id = get(wire, path).body();
      SpanData child = recorded.take();
      SpanData span = recorded.take();
      assertThat(child.getName()).isEqualTo("work");
      assertThat(child.getParentSpanId()).isEqualTo(span.getSpanId()).isEqualTo(id);
      assertThat(child.getTraceId()).isEqualTo(span.getTraceId());
    }
    assertThat(recorded.left()).isZero();
  }

  private static void handle(Handler handler, Request request, Response response) {
    try {
      handler.handle(request, response);
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "twice"
      })
  void anInvalidParentBeginsATrace(String value) throws Exception {
    start(Wire.NIO_HTTP_1, current());

    send(
        Wire.NIO_HTTP_1,
        "/",
        request ->
            value.equals("twice")
                ? request.header("traceparent", TRACEPARENT).header("traceparent", TRACEPARENT)
                : request.header("traceparent", value));

    SpanData span = recorded.take();
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(span.getTraceId()).isNotEqualTo(TRACE);
  }

  @Test
  void aLaterVersionAndTheStateOfATraceAreRead() throws Exception {
    start(Wire.NIO_HTTP_1, current());

    send(
        Wire.NIO_HTTP_1,
        "/",
        request ->
            request
                .header("traceparent", "cc-" + TRACE + "-" + PARENT + "-01-what-comes-later")
                .header("tracestate", "a=1")
                .header("tracestate", "b=2"));

    SpanData span = recorded.take();
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getSpanContext().getTraceState().asMap()).isEqualTo(Map.of("a", "1", "b", "2"));
  }

  @Test
  void anUntrustedParentIsALink() throws Exception {
    start(
        Wire.NIO_HTTP_1,
        HttpSpans.builder(current(), recorded.telemetry()).untrusted(request -> true).build());

    send(Wire.NIO_HTTP_1, "/", request -> request.header("traceparent", TRACEPARENT));

    SpanData span = recorded.take();
    assertThat(span.getTraceId()).isNotEqualTo(TRACE);
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(span.getLinks())
        .containsExactly(
            LinkData.create(
                SpanContext.createFromRemoteParent(
                    TRACE, PARENT, TraceFlags.getSampled(), TraceState.getDefault())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyATrustedClientBringsBaggage(boolean trusted) throws Exception {
    List<String> read = new CopyOnWriteArrayList<>();
    OpenTelemetry telemetry = recorded.propagatedBy(new BaggageReader(read));
    start(
        Wire.NIO_HTTP_1,
        HttpSpans.builder(current(), telemetry).untrusted(request -> !trusted).build());

    send(Wire.NIO_HTTP_1, "/", request -> request.header("Baggage", "a=%zz").header("b3", "1"));

    assertThat(read)
        .isEqualTo(
            trusted
                ? List.of("1", "b3 1", "a=%zz", "baggage a=%zz")
                : List.of("1", "b3 1", "baggage null"));
  }

  /** Notes the values of {@code b3} and {@code baggage}. */
  private record BaggageReader(List<String> read) implements TextMapPropagator {
    @Override
    public Collection<String> fields() {
      return List.of("b3", "baggage");
    }

    @Override
    public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {}

    @Override
    public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
      for (String field : fields()) {
        getter.getAll(carrier, field).forEachRemaining(read::add);
        read.add(field + " " + getter.get(carrier, field));
      }
      return context;
    }
  }

  @Test
  void aRequestThatIsNotTracedHasNone() throws Exception {
    start(
        Wire.NIO_HTTP_1,
        HttpSpans.builder(current(), recorded.telemetry())
            .only(request -> !request.pathIs("/health"))
            .build());

    assertThat(get(Wire.NIO_HTTP_1, "/health").body()).isEqualTo("0000000000000000");
    assertThat(get(Wire.NIO_HTTP_1, "/").body()).isEqualTo(recorded.take().getSpanId());
    assertThat(recorded.left()).isZero();
  }

  @Test
  void aRequestHasOneSpan() throws Exception {
    HttpSpans inner = HttpSpans.around(current(), recorded.telemetry());
    start(Wire.NIO_HTTP_1, Handlers.blocking(inner));

    assertThat(get(Wire.NIO_HTTP_1, "/").body()).isEqualTo(recorded.take().getSpanId());
    assertThat(recorded.left()).isZero();
  }

  @Test
  void aRequestWithTheSpanOfAFrameworkHasNoOther() throws Exception {
    HttpSpans inner = HttpSpans.around(current(), recorded.telemetry());
    server.close();
    server =
        Wire.NIO_HTTP_1.start(
            (request, response) -> {
              Span own = span("own").startSpan();
              try (Scope _ = own.makeCurrent()) {
                inner.handle(request, response);
              } finally {
                own.end();
              }
            });

    assertThat(get(Wire.NIO_HTTP_1, "/").body()).isEqualTo(recorded.take().getSpanId());
    assertThat(recorded.left()).isZero();
  }

  @Test
  void aWebSocketLinksItsMessagesToTheHandshake() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    start(
        Wire.NIO_HTTP_1,
        (request, response) -> {
          SpanContext handshake = Span.current().getSpanContext();
          response.webSocket(
              new WebSocketListener() {
                @Override
                public void onText(dev.peregrine.http.WebSocket socket, Bytes text) {
                  assertThat(Span.current().getSpanContext().isValid()).isFalse();
                  span("message").addLink(handshake).startSpan().end();
                  socket.sendText("taken");
                }
              });
        });

    try (HttpClient client = Wire.NIO_HTTP_1.client()) {
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .buildAsync(
                  URI.create("ws://localhost:" + server.port() + "/chat"),
                  new WebSocket.Listener() {
                    @Override
                    public CompletableFuture<?> onText(
                        WebSocket from, CharSequence data, boolean last) {
                      received.add(data.toString());
                      return CompletableFuture.completedFuture(null);
                    }
                  })
              .join();
      SpanData handshake = recorded.take();
      assertThat(attribute(handshake, "http.response.status_code")).isEqualTo("101");
      assertThat(handshake.getStatus()).isEqualTo(StatusData.unset());

      socket.sendText("hello", true).join();
      assertThat(received.take()).isEqualTo("taken");
      SpanData message = recorded.take();
      assertThat(message.getTraceId()).isNotEqualTo(handshake.getTraceId());
      assertThat(message.getLinks())
          .extracting(link -> link.getSpanContext().getSpanId())
          .containsExactly(handshake.getSpanId());
      socket.abort();
    }
  }

  @Test
  void contextsOfTheLoopAreGoneBetweenCalls() throws Exception {
    start(
        Wire.NIO_HTTP_1,
        HttpSpans.builder(
                (request, response) ->
                    response.text(Context.current().equals(Context.root()) ? "root" : "other"),
                recorded.telemetry())
            .only(request -> request.pathIs("/traced"))
            .build());

    for (int i = 0; i < 3; i++) {
      assertThat(get(Wire.NIO_HTTP_1, "/traced").body()).isEqualTo("other");
      assertThat(get(Wire.NIO_HTTP_1, "/not").body()).isEqualTo("root");
    }
  }
}
