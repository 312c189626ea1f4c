package dev.peregrine.spring;

import static org.springframework.web.reactive.function.server.RouterFunctions.route;
import static org.springframework.web.reactive.function.server.ServerResponse.ok;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** A small application of WebFlux's functional routes. */
final class Application {
  static final int CHUNK = 64 * 1024;
  static final int CHUNKS_MAX = 16 * 1024; // 1 GiB

  final AtomicLong emitted = new AtomicLong();
  final AtomicLong received = new AtomicLong();
  final CountDownLatch cancelled = new CountDownLatch(1);
  final CountDownLatch uploading = new CountDownLatch(1);
  final Sinks.Many<String> news = Sinks.many().unicast().onBackpressureBuffer();
  final Sinks.Empty<DataBuffer> untilReceived = Sinks.empty(); // by the client
  private final Path folder;

  /** A point, as JSON. */
  record Point(int x, int y) {}

  Application(Path folder) {
    this.folder = folder;
  }

  HttpHandler handler() {
    RouterFunction<ServerResponse> routes =
        route()
            .POST("/json", this::mirror)
            .POST("/echo", this::echo)
            .POST("/count", this::count)
            .POST("/form", this::form)
            .GET("/head", this::head)
            .GET("/endless", this::endless)
            .GET("/tiny", this::tiny)
            .GET("/events", this::events)
            .GET("/never", this::never)
            .GET("/fails", request -> Mono.error(new IllegalStateException("before the head")))
            .GET("/breaks", this::breaks)
            .resources("/files/**", new FileSystemResource(folder + "/"))
            .build();
    return RouterFunctions.toHttpHandler(routes, HandlerStrategies.withDefaults());
  }

  private Mono<ServerResponse> mirror(ServerRequest request) {
    Mono<Point> mirrored =
        request.bodyToMono(Point.class).map(point -> new Point(point.y(), point.x()));
    return ok().contentType(MediaType.APPLICATION_JSON).body(mirrored, Point.class);
  }

  private Mono<ServerResponse> echo(ServerRequest request) {
    Flux<DataBuffer> content = request.body(BodyExtractors.toDataBuffers());
    return ok().body(BodyInserters.fromDataBuffers(content));
  }

  private Mono<ServerResponse> count(ServerRequest request) {
    uploading.countDown();
    return request
        .body(BodyExtractors.toDataBuffers())
        .doOnNext(
            buffer -> {
              received.addAndGet(buffer.readableByteCount());
              DataBufferUtils.release(buffer);
            })
        .doOnCancel(cancelled::countDown)
        .doOnError(gone -> cancelled.countDown())
        .then(Mono.defer(() -> ok().bodyValue(received.get() + " bytes")));
  }

  private Mono<ServerResponse> form(ServerRequest request) {
    return request.multipartData().flatMap(Application::describe).flatMap(ok()::bodyValue);
  }

  private static Mono<String> describe(MultiValueMap<String, Part> parts) {
    String title = ((FormFieldPart) Objects.requireNonNull(parts.getFirst("title"))).value();
    FilePart file = (FilePart) Objects.requireNonNull(parts.getFirst("file"));
    return DataBufferUtils.join(file.content())
        .map(
            buffer -> {
              int bytes = buffer.readableByteCount();
              DataBufferUtils.release(buffer);
              return title + " " + file.filename() + " " + bytes;
            });
  }

  private Mono<ServerResponse> head(ServerRequest request) {
    SslInfo tls = request.exchange().getRequest().getSslInfo();
    Map<String, Object> facts =
        Map.of(
            "values", request.headers().header("x-several"),
            "names", request.headers().asHttpHeaders().headerNames().size(),
            "cookie", Objects.requireNonNull(request.cookies().getFirst("id")).getValue(),
            "query", Objects.requireNonNull(request.queryParams().getFirst("q")),
            "scheme", request.uri().getScheme(),
            "port", request.uri().getPort(),
            "local", request.localAddress().orElseThrow().getPort(),
            "loopback", request.remoteAddress().orElseThrow().getAddress().isLoopbackAddress(),
            "tls", tls != null);
    return ok().header("X-Several", "c", "d")
        .cookie(ResponseCookie.from("id", "8").httpOnly(true).build())
        .cookie(ResponseCookie.from("other", "9").build())
        .bodyValue(facts);
  }

  private Mono<ServerResponse> endless(ServerRequest request) {
    var buffers = request.exchange().getResponse().bufferFactory();
    Flux<DataBuffer> content =
        Flux.range(0, CHUNKS_MAX)
            .map(
                index -> {
                  emitted.addAndGet(CHUNK);
                  return buffers.wrap(new byte[CHUNK]);
                })
            .doOnCancel(cancelled::countDown)
            .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    return ok().body(BodyInserters.fromDataBuffers(content));
  }

  private Mono<ServerResponse> tiny(ServerRequest request) {
    var buffers = request.exchange().getResponse().bufferFactory();
    Flux<DataBuffer> content =
        Flux.range(0, 10_000)
            .publishOn(Schedulers.parallel())
            .map(index -> buffers.wrap(new byte[] {(byte) ('a' + index % 26)}));
    return ok().body(BodyInserters.fromDataBuffers(content));
  }

  private Mono<ServerResponse> events(ServerRequest request) {
    return ok().contentType(MediaType.TEXT_EVENT_STREAM).body(news.asFlux(), String.class);
  }

  private Mono<ServerResponse> never(ServerRequest request) {
    return Mono.<ServerResponse>never()
        .doOnSubscribe(waits -> uploading.countDown())
        .doOnCancel(cancelled::countDown);
  }

  private Mono<ServerResponse> breaks(ServerRequest request) {
    var buffers = request.exchange().getResponse().bufferFactory();
    Flux<DataBuffer> content =
        Flux.concat(
            Mono.fromSupplier(() -> buffers.wrap("first".getBytes(StandardCharsets.UTF_8))),
            untilReceived.asMono(),
            Mono.error(new IllegalStateException("later")));
    return ServerResponse.status(HttpStatus.OK).body(BodyInserters.fromDataBuffers(content));
  }
}
