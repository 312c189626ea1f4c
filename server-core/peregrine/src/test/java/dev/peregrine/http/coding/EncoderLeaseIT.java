package dev.peregrine.http.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every end of an exchange releases its encoder. */
final class EncoderLeaseIT {
  private static final byte[] LARGE = Requests.content(100_000);

  @RegisterExtension final Servers servers = new Servers();

  private final Semaphore begun = new Semaphore(0);
  private final Semaphore gone = new Semaphore(0);

  /** The ways in which a handler begins content that is compressed piece by piece. */
  enum How {
    STREAM,
    OUTPUT,
    WHOLE;

    void begin(Response response) throws Exception {
      switch (this) {
        case STREAM -> response.stream().write(LARGE);
        case OUTPUT -> response.outputStream().write(LARGE);
        case WHOLE -> response.send(ByteBuffer.wrap(LARGE));
      }
    }
  }

  /** The ends of the exchange. */
  enum End {
    CLIENT_GOES_BEFORE_THE_RESPONSE(true),
    CLIENT_GOES_AMID_THE_RESPONSE(true),
    CLIENT_GOES_AND_ANOTHER_CALLBACK_THROWS(true),
    CLIENT_GOES_AND_THE_STREAM_WAS_DROPPED(true),
    HANDLER_THROWS(false),
    BLOCKING_HANDLER_THROWS(false),
    WORK_FAILS(false),
    CALLBACK_THROWS(false),
    RESPONSE_FAILS(false),
    NOBODY_ENDS_IT(false);

    private final boolean byTheClient;

    End(boolean byTheClient) {
      this.byTheClient = byTheClient;
    }
  }

  static Stream<Arguments> ends() {
    return Arrays.stream(How.values())
        .flatMap(how -> Arrays.stream(End.values()).map(end -> Arguments.of(how, end)));
  }

  private Handler handler(How how, End end) {
    return switch (end) {
      case CLIENT_GOES_BEFORE_THE_RESPONSE ->
          Handlers.blocking(
              (request, response) -> {
                response.header("Vary", "Accept-Encoding").contentType(ContentType.TEXT_PLAIN);
                CountDownLatch told = new CountDownLatch(1);
                response.onAbort(cause -> told.countDown());
                begun.release();
                told.await();
                begin(how, response);
              });
      case CLIENT_GOES_AMID_THE_RESPONSE ->
          Handlers.blocking(
              (request, response) -> {
                try {
                  begin(how, response.contentType(ContentType.TEXT_PLAIN));
                } finally { // also if it waited for the client, and has failed
                  gone.acquire();
                }
              });
      case CLIENT_GOES_AND_ANOTHER_CALLBACK_THROWS ->
          (request, response) -> {
            response.async().onAbort(EncoderLeaseIT::fail);
            begin(how, response.contentType(ContentType.TEXT_PLAIN));
            begun.release();
          };
      case CLIENT_GOES_AND_THE_STREAM_WAS_DROPPED ->
          (request, response) -> {
            begin(how, response.async().contentType(ContentType.TEXT_PLAIN));
            begun.release();
          };
      case HANDLER_THROWS -> (request, response) -> beginAndThrow(how, response);
      case BLOCKING_HANDLER_THROWS ->
          Handlers.blocking((request, response) -> beginAndThrow(how, response));
      case WORK_FAILS ->
          (request, response) ->
              response.async(() -> CompletableFuture.runAsync(() -> beginOrFail(how, response)));
      case CALLBACK_THROWS ->
          (request, response) ->
              request.body().receiveAll(10, content -> beginOrFail(how, response));
      case RESPONSE_FAILS ->
          (request, response) -> {
            begin(how, response.async().contentType(ContentType.TEXT_PLAIN));
            response.fail(new IllegalStateException("intended"));
          };
      case NOBODY_ENDS_IT ->
          (request, response) -> how.begin(response.contentType(ContentType.TEXT_PLAIN));
    };
  }

  private static void begin(How how, Response response) throws Exception {
    how.begin(response);
  }

  private static void beginAndThrow(How how, Response response) throws Exception {
    how.begin(response.contentType(ContentType.TEXT_PLAIN));
    throw new IllegalStateException("intended");
  }

  private static void beginOrFail(How how, Response response) {
    try {
      beginAndThrow(how, response);
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static void fail(Throwable cause) {
    throw new IllegalStateException("intended", cause);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void areReleasedAtEveryEnd(How how, End end) throws Exception {
    Compression compression = Compression.builder(handler(how, end)).encodersMax(2).build();
    HttpServer server = servers.start(compression);
    for (int i = 0; i < 3; i++) {
      RawClient client = servers.connect(server, 4 * 1024);
      client.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
      if (end.byTheClient) {
        if (end == End.CLIENT_GOES_AMID_THE_RESPONSE) {
          client.readUntil("\r\n\r\n");
        } else {
          begun.acquire();
        }
        client.reset();
        Await.until("the connection is closed", () -> server.connectionCount() == 0);
        gone.release();
      } else if (end == End.NOBODY_ENDS_IT && how == How.WHOLE) {
        assertThat(client.read().header("Content-Encoding")).isEqualTo("gzip");
      } else {
        client.expectClosed();
      }
      Await.until("no encoder is in use", () -> compression.encodersInUse() == 0);
    }
    server.close(); // a loop may log what a callback has thrown after the encoder's
    servers.log().take(Level.WARNING);
  }

  @Test
  void areReleasedWhenAWriteFollowsTheEnd() throws Exception {
    CompletableFuture<ResponseStream> streams = new CompletableFuture<>();
    Compression compression =
        Compression.of(
            (request, response) ->
                streams.complete(response.async().contentType(ContentType.TEXT_PLAIN).stream()));
    HttpServer server = servers.start(compression);
    RawClient client = servers.connect(server);
    client.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
    ResponseStream stream = streams.get();
    assertThat(compression.encodersInUse()).isEqualTo(1);

    client.reset();

    Await.until("no encoder is in use", () -> compression.encodersInUse() == 0);
    stream.write(LARGE).complete();
    assertThat(compression.encodersInUse()).isZero();
  }

  @Test
  void isReleasedOnlyWhenThePresentUseHasEnded() throws Exception {
    EncoderPool pool = new EncoderPool(ContentCoding.gzip(1), new AtomicInteger(), 1);
    EncoderPool.Lease lease = Objects.requireNonNull(pool.lease());
    byte[] much = new byte[1 << 20];
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 200; i++) {
                    lease.write(much, 0, much.length);
                    lease.take(1);
                  }
                });

    lease.close();
    lease.close();
    writer.join();

    assertThat(pool.inUse()).isZero();
    EncoderPool.Lease next = Objects.requireNonNull(pool.lease());
    lease.write(much, 0, 1);
    lease.close();
    assertThat(pool.inUse()).isEqualTo(1);
    next.finish();
    assertThat(next.take(1)).hasSize(20);
    next.close();
  }

  @Test
  void isNotLentWhenItCanNotBeMade() {
    ContentCoding broken =
        new ContentCoding() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public ContentEncoder newEncoder() {
            return new GzipEncoder(99); // not a level of gzip
          }
        };
    EncoderPool pool = new EncoderPool(broken, new AtomicInteger(), 1);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(pool::lease).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(pool.inUse()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void areReleasedWhenABlockingHandlerLeavesItsStreamOpen(How how) throws Exception {
    Compression compression =
        Compression.of(Handlers.blocking((request, response) -> begin(how, text(response))));

    assertThat(unzipped(compression)).isEqualTo(LARGE);
    Await.until("no encoder is in use", () -> compression.encodersInUse() == 0);
  }

  @ParameterizedTest
  @EnumSource
  void areReleasedWhenBlockingCompressionLeavesItsStreamOpen(How how) throws Exception {
    Compression compression = Compression.of((request, response) -> begin(how, text(response)));

    assertThat(unzipped(Handlers.blocking(compression))).isEqualTo(LARGE);
    Await.until("no encoder is in use", () -> compression.encodersInUse() == 0);
  }

  private static Response text(Response response) {
    return response.contentType(ContentType.TEXT_PLAIN);
  }

  private byte[] unzipped(Handler handler) throws IOException {
    RawClient client = servers.connect(servers.start(handler));
    client.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
    RawResponse response = client.read();
    assertThat(response.header("Content-Encoding")).isEqualTo("gzip");
    try (GZIPInputStream content =
        new GZIPInputStream(new ByteArrayInputStream(response.content()))) {
      return content.readAllBytes();
    }
  }
}
