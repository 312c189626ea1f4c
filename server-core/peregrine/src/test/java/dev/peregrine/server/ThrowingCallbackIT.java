package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A callback of the application throws, and the rest of its contract is kept: the client sees an
 * end, waiting callers are notified, and other connections of the loop are served.
 */
final class ThrowingCallbackIT {
  /** The client of a failed upgrade waits until it ends, because java.nio resets only then. */
  private static final ServerLimits SHORT_LINGER =
      Servers.LIMITS.toBuilder().lingerTime(Duration.ofMillis(100)).build();

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  /** The exceptions. */
  enum Thrown {
    EXCEPTION,
    ERROR;

    void raise() {
      if (this == ERROR) {
        throw new AssertionError("intended");
      }
      throw new IllegalStateException("intended");
    }
  }

  /** The callback that throws, with the outcome of the exchange. */
  enum Callback {
    HANDLER(500),
    BODY_ON_DATA(500),
    BODY_ON_END(500),
    BODY_ON_ERROR_WHEN_THE_CLIENT_GOES(Callback.CLIENT_GOES),
    BODY_ON_ERROR_FOR_CONTENT_CUT_SHORT(400),
    BODY_ON_ERROR_WHEN_THE_RESPONSE_IS_COMPLETE(200),
    WHEN_READ(500),
    FORM_READ(500),
    JSON_READ(500),
    DECODED_ON_DATA(500),
    DECODED_ON_END(500),
    DECODED_ON_ERROR(413),
    ON_ABORT_BEFORE_ANOTHER(Callback.CLIENT_GOES),
    ON_ABORT_AFTER_THE_FAILURE(409),
    ON_WRITABLE(Callback.CUT),
    EXECUTED(500),
    WORK(500),
    STAGE(500),
    COMPRESSION_TYPES(500),
    JSON_WRITE(500),
    ON_SUBSCRIBE(500),
    ON_NEXT(500),
    ON_NEXT_WITHIN_REQUEST(500),
    ON_COMPLETE(500),
    ON_ERROR(Callback.CLIENT_GOES),
    RAW_ON_OPEN(Callback.UPGRADED),
    RAW_ON_DATA(Callback.UPGRADED),
    RAW_ON_END(Callback.UPGRADED),
    RAW_ON_WRITABLE(Callback.UPGRADED),
    RAW_ON_CLOSE(Callback.UPGRADED);

    /** The client resets its connection, and callers that wait for the exchange are notified. */
    static final int CLIENT_GOES = 0;

    /** The response has begun, and the client sees that it is incomplete. */
    static final int CUT = 1;

    /** The connection is closed after an upgrade, and the listener is notified. */
    static final int UPGRADED = 101;

    final int outcome;

    Callback(int outcome) {
      this.outcome = outcome;
    }
  }

  static Stream<Arguments> callbacks() {
    return Arrays.stream(Callback.values())
        .flatMap(callback -> Arrays.stream(Thrown.values()).map(t -> Arguments.of(callback, t)));
  }

  @ParameterizedTest
  @MethodSource("callbacks")
  void keepsTheRestOfTheContract(Callback callback, Thrown thrown) throws Exception {
    Handler failing = failing(callback, thrown);
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/neighbour")) {
                response.text("served");
              } else {
                failing.handle(request, response);
              }
            },
            options ->
                options
                    .loops(1)
                    .limits(callback.outcome == Callback.UPGRADED ? SHORT_LINGER : Servers.LIMITS)
                    .json(new Throwing.Codec(thrown)));
    RawClient neighbour = servers.connect(server);
    assertThat(neighbour.get("/neighbour").read().text()).isEqualTo("served");

    RawClient client = servers.connect(server).send(request(callback));

    if (callback == Callback.BODY_ON_ERROR_FOR_CONTENT_CUT_SHORT) {
      client.halfClose();
    }
    switch (callback.outcome) {
      case Callback.CLIENT_GOES -> {
        assertThat(told.take()).isEqualTo("begun");
        client.reset();
        assertThat(List.of(told.take(), told.take()))
            .containsExactlyInAnyOrder("aborted", "writer woken"); // by two threads
      }
      case Callback.CUT -> {
        client.expectClosed();
        assertThat(told.take()).isEqualTo("aborted");
      }
      case Callback.UPGRADED -> {
        if (callback == Callback.RAW_ON_CLOSE) {
          client.readUntil("\r\n\r\n");
        } else {
          if (callback == Callback.RAW_ON_END) {
            client.halfClose();
          }
          client.expectClosed();
        }
        client.close();
        assertThat(told.take()).isEqualTo("closed");
      }
      default -> assertThat(client.read().status()).isEqualTo(callback.outcome);
    }
    assertThat(neighbour.get("/neighbour").read().text()).isEqualTo("served");
    expectLogged();
  }

  private void expectLogged() {
    List<String> lines = servers.log().await(Level.SEVERE).stream().map(this::describe).toList();
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).contains("intended");
  }

  private String describe(LogRecord record) {
    Throwable thrown = record.getThrown();
    return ServerLog.describe(record)
        + (thrown == null ? "" : thrown.getCause() + Arrays.toString(thrown.getSuppressed()));
  }

  private static byte[] request(Callback callback) {
    return switch (callback) {
      case BODY_ON_ERROR_WHEN_THE_CLIENT_GOES,
          BODY_ON_ERROR_WHEN_THE_RESPONSE_IS_COMPLETE,
          ON_ABORT_BEFORE_ANOTHER,
          BODY_ON_ERROR_FOR_CONTENT_CUT_SHORT,
          ON_ERROR ->
          Requests.bytes(Requests.postHead("/", 1000) + "abc");
      case FORM_READ -> typed("application/x-www-form-urlencoded", "a=b");
      case JSON_READ -> typed("application/json", "\"a\"");
      case DECODED_ON_DATA, DECODED_ON_END -> zipped(zip(new byte[10]));
      case DECODED_ON_ERROR -> zipped(zip(new byte[10_000]));
      case COMPRESSION_TYPES ->
          Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
      case RAW_ON_OPEN, RAW_ON_DATA, RAW_ON_END, RAW_ON_WRITABLE, RAW_ON_CLOSE ->
          Requests.bytes(
              "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\nabc");
      case ON_NEXT_WITHIN_REQUEST -> Requests.chunkedPost("/", Requests.bytes("abc"), 1);
      default -> Requests.post("/", Requests.bytes("abc"));
    };
  }

  private static byte[] typed(String type, String content) {
    return Requests.bytes(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(type, content.length(), content));
  }

  private static byte[] zipped(byte[] content) {
    String head =
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
            .formatted(content.length);
    return Requests.join(Requests.bytes(head), content);
  }

  private static byte[] zip(byte[] content) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write(content);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return zipped.toByteArray();
  }

  // ---- handlers ----

  private Handler failing(Callback callback, Thrown thrown) {
    return switch (callback) {
      case HANDLER -> (request, response) -> thrown.raise();
      case BODY_ON_DATA, BODY_ON_END, BODY_ON_ERROR_FOR_CONTENT_CUT_SHORT ->
          (request, response) -> request.body().receive(new Throwing.Body(callback, thrown));
      case DECODED_ON_DATA, DECODED_ON_END, DECODED_ON_ERROR ->
          Decompression.builder(
                  (request, response) ->
                      request.body().receive(new Throwing.Body(callback, thrown)))
              .bytesMax(5000)
              .build();
      case BODY_ON_ERROR_WHEN_THE_RESPONSE_IS_COMPLETE ->
          (request, response) -> {
            request.body().receive(new Throwing.Body(callback, thrown));
            response.text("complete");
          };
      case BODY_ON_ERROR_WHEN_THE_CLIENT_GOES ->
          (request, response) -> {
            request.body().receive(new Throwing.Body(callback, thrown));
            waitForTheEnd(response);
          };
      case WHEN_READ ->
          (request, response) -> request.body().receiveAll(10, content -> thrown.raise());
      case FORM_READ -> (request, response) -> request.receiveForm(10, form -> thrown.raise());
      case JSON_READ ->
          (request, response) -> request.receiveJson(10, String.class, value -> thrown.raise());
      case ON_ABORT_BEFORE_ANOTHER ->
          (request, response) -> {
            response.async().onAbort(cause -> thrown.raise());
            waitForTheEnd(response);
          };
      case ON_ABORT_AFTER_THE_FAILURE ->
          (request, response) -> {
            response.async().fail(new HttpException(409, "on purpose"));
            response.onAbort(cause -> thrown.raise());
          };
      case ON_WRITABLE ->
          (request, response) -> {
            ResponseStream stream = response.async().stream();
            stream.write(new byte[10]).flush();
            response.onAbort(cause -> told.add("aborted"));
            stream.onWritable(thrown::raise);
          };
      case EXECUTED -> (request, response) -> response.async().onLoop(thrown::raise);
      case WORK ->
          (request, response) ->
              response.async(
                  () -> {
                    thrown.raise();
                    return CompletableFuture.completedFuture(1);
                  });
      case STAGE ->
          (request, response) -> response.async(() -> CompletableFuture.runAsync(thrown::raise));
      case COMPRESSION_TYPES ->
          Compression.builder((request, response) -> response.text("a".repeat(10_000)))
              .types(
                  type -> {
                    thrown.raise();
                    return true;
                  })
              .build();
      case JSON_WRITE -> (request, response) -> response.json("value");
      case ON_SUBSCRIBE, ON_NEXT, ON_NEXT_WITHIN_REQUEST, ON_COMPLETE ->
          (request, response) ->
              request
                  .body()
                  .publisher()
                  .subscribe(new Throwing.Subscriber(callback, thrown, response.async()));
      case ON_ERROR ->
          (request, response) -> {
            request
                .body()
                .publisher()
                .subscribe(new Throwing.Subscriber(callback, thrown, response));
            waitForTheEnd(response);
          };
      case RAW_ON_OPEN, RAW_ON_DATA, RAW_ON_END, RAW_ON_WRITABLE, RAW_ON_CLOSE ->
          (request, response) -> response.upgrade("raw", new Throwing.Raw(callback, thrown, told));
    };
  }

  /**
   * Begins a response that no caller ends, with a writer that waits until the client receives more.
   */
  private void waitForTheEnd(Response response) {
    ResponseStream stream = response.async().stream();
    response.onAbort(cause -> told.add("aborted"));
    Thread.ofVirtual()
        .start(
            () -> {
              told.add("begun");
              try {
                while (true) {
                  stream.write(new byte[10_000]).awaitWritable();
                }
              } catch (IOException | IllegalStateException ended) {
                told.add("writer woken");
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void answersThoughTheLoggerThrows(Thrown thrown) {
    Logger logger = Logger.getLogger("dev.peregrine.server");
    java.util.logging.Handler throwing =
        new java.util.logging.Handler() {
          @Override
          public void publish(LogRecord record) {
            thrown.raise();
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new IOException("intended");
            });
    logger.addHandler(throwing);
    try {
      assertThat(servers.connect(server).get("/").read().status()).isEqualTo(500);
    } finally {
      logger.removeHandler(throwing);
    }
    servers.log().take(Level.SEVERE);
  }
}
