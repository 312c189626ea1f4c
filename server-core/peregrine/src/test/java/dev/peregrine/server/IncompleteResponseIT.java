package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.events.EventStream;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Handlers that fail after, or while, they close their stream: no client takes the received part
 * for the whole response, and the log has the cause.
 */
final class IncompleteResponseIT {
  private static final byte[] SHORT = Requests.bytes("first row\n");
  private static final byte[] LONG = Requests.content(100_000);

  @RegisterExtension final Servers servers = new Servers();

  /** Writes a response or a part of it, closes it, and throws. */
  interface Writing {
    void to(Response response) throws Exception;
  }

  /** The ways to use a response before the failure. */
  enum Idiom {
    SHORT_OUTPUT,
    SHORT_GZIP,
    SHORT_OF_DECLARED_LENGTH,
    LESS_THAN_DECLARED,
    SHORT_WRITER,
    SHORT_COPY,
    NOTHING,
    EMPTY_STREAM,
    FLUSHED,
    FLUSHED_OF_DECLARED_LENGTH,
    BUFFERED,
    LONG_OUTPUT,
    LONG_GZIP,
    LONG_OF_DECLARED_LENGTH,
    LONG_BUT_LESS_THAN_DECLARED,
    LONG_COPY,
    STREAM,
    EVENTS;

    void fail(Response response) throws IOException {
      switch (this) {
        case SHORT_OUTPUT -> write(response.outputStream(), SHORT);
        case SHORT_GZIP -> write(new GZIPOutputStream(response.outputStream()), SHORT);
        case SHORT_OF_DECLARED_LENGTH ->
            write(response.contentLength(SHORT.length).outputStream(), SHORT);
        case LESS_THAN_DECLARED -> write(response.contentLength(100).outputStream(), SHORT);
        case SHORT_WRITER -> writeText(response);
        case SHORT_COPY -> copy(response, SHORT);
        case NOTHING -> write(response.outputStream(), new byte[0]);
        case EMPTY_STREAM -> stream(response.stream(), new byte[0]);
        case FLUSHED -> flush(response.outputStream(), SHORT);
        case FLUSHED_OF_DECLARED_LENGTH ->
            flush(response.contentLength(SHORT.length).outputStream(), SHORT);
        case BUFFERED -> write(new BufferedOutputStream(response.outputStream()), SHORT);
        case LONG_OUTPUT -> write(response.outputStream(), LONG);
        case LONG_GZIP -> write(new GZIPOutputStream(response.outputStream()), LONG);
        case LONG_OF_DECLARED_LENGTH ->
            write(response.contentLength(LONG.length).outputStream(), LONG);
        case LONG_BUT_LESS_THAN_DECLARED ->
            write(response.contentLength(200_000).outputStream(), LONG);
        case LONG_COPY -> copy(response, LONG);
        case STREAM -> stream(response.stream(), SHORT);
        case EVENTS -> sendEvent(response);
      }
    }

    /** Returns true if nothing is sent before the failure. */
    boolean isUnsent() {
      return switch (this) {
        case SHORT_OUTPUT,
            SHORT_GZIP,
            SHORT_OF_DECLARED_LENGTH,
            LESS_THAN_DECLARED,
            SHORT_COPY,
            NOTHING,
            EMPTY_STREAM ->
            true;
        default -> false;
      };
    }

    private static void writeText(Response response) throws IOException {
      try (Writer out = new OutputStreamWriter(response.outputStream(), UTF_8)) {
        out.write("first row\n");
        throw intended();
      }
    }

    private static void stream(ResponseStream stream, byte[] content) throws IOException {
      try {
        if (content.length > 0) {
          stream.write(content);
        }
        throw intended();
      } finally {
        stream.complete();
      }
    }

    private static void sendEvent(Response response) throws IOException {
      try (EventStream events = EventStream.open(response)) {
        events.send("first");
        throw intended();
      }
    }

    private static void write(OutputStream target, byte[] content) throws IOException {
      try (OutputStream out = target) {
        out.write(content);
        throw intended();
      }
    }

    private static void flush(OutputStream target, byte[] content) throws IOException {
      try (OutputStream out = target) {
        out.write(content);
        out.flush();
        throw intended();
      }
    }

    private static void copy(Response response, byte[] content) throws IOException {
      Path file = Files.write(Files.createTempFile("peregrine", ".copied"), content);
      try (OutputStream out = response.outputStream()) {
        Files.copy(file, out);
        throw intended();
      } finally {
        Files.delete(file);
      }
    }

    private static IOException intended() {
      return new IOException("intended");
    }
  }

  /** The callers of the code that fails. */
  enum Where {
    ON_THE_LOOP,
    BLOCKING,
    BLOCKING_AND_ASYNC,
    STAGE,
    ASYNC_ON_THE_LOOP,
    ON_DATA,
    ON_END,
    EXECUTE;

    Handler run(Writing writing) {
      return switch (this) {
        case ON_THE_LOOP -> (request, response) -> writing.to(response);
        case BLOCKING -> Handlers.blocking((request, response) -> writing.to(response));
        case BLOCKING_AND_ASYNC ->
            Handlers.blocking((request, response) -> writing.to(response.async()));
        case STAGE -> (request, response) -> response.async(() -> stage(writing, response));
        case ASYNC_ON_THE_LOOP -> (request, response) -> writing.to(response.async());
        case ON_DATA -> (request, response) -> request.body().receive(listener(writing, response));
        case ON_END ->
            (request, response) ->
                request.body().receiveAll(100, content -> unchecked(writing, response));
        case EXECUTE ->
            (request, response) -> response.async().onLoop(() -> unchecked(writing, response));
      };
    }

    private static CompletionStage<?> stage(Writing writing, Response response) {
      return CompletableFuture.runAsync(
          () -> unchecked(writing, response), work -> Thread.ofVirtual().start(work));
    }

    private static BodyListener listener(Writing writing, Response response) {
      return Listeners.of(data -> writing.to(response), () -> {});
    }

    private static void unchecked(Writing writing, Response response) {
      try {
        writing.to(response);
      } catch (Exception failure) {
        throw new CompletionException(failure);
      }
    }
  }

  static Stream<Arguments> failures() {
    return Arrays.stream(Idiom.values())
        .flatMap(idiom -> Arrays.stream(Where.values()).map(where -> Arguments.of(idiom, where)));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void showsTheClientThatAHandlerFailed(Idiom idiom, Where where) {
    HttpServer server = servers.start(where.run(idiom::fail));
    RawClient client = servers.connect(server).send(Requests.post("/", new byte[1]));

    if (idiom.isUnsent()) {
      assertThat(client.read().status()).isEqualTo(500);
    } else {
      expectIncomplete(client);
    }
    expectLoggedOnceWithTheCause();
  }

  @ParameterizedTest
  @MethodSource("failures")
  void showsTheClientThatAHandlerFailedWhoseResponseIsCompressed(Idiom idiom, Where where) {
    Writing text = response -> idiom.fail(response.contentType(ContentType.TEXT_PLAIN));
    HttpServer server = servers.start(Compression.builder(where.run(text)).bytesMin(0).build());
    RawClient client =
        servers
            .connect(server)
            .send(
                "POST / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n"
                    + "Content-Length: 1\r\n\r\na");

    expectFailed(client);
    expectLoggedOnceWithTheCause();
  }

  @ParameterizedTest
  @EnumSource(names = {"ON_THE_LOOP", "BLOCKING", "STAGE", "ON_END", "EXECUTE"})
  void completesWhatWasClosedWhenTheHandlerHasReturned(Where where) throws Exception {
    Writing both =
        response -> {
          try (OutputStream out = response.outputStream()) {
            out.write(response.isCommitted() ? new byte[0] : LONG);
          }
          assertThatThrownBy(() -> response.text("another"))
              .isInstanceOf(IllegalStateException.class);
        };
    RawClient client = servers.connect(servers.start(where.run(both)));

    for (int i = 0; i < 3; i++) {
      assertThat(client.post("/", new byte[1]).read().content()).isEqualTo(LONG);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ON_THE_LOOP", "BLOCKING", "STAGE", "EXECUTE"})
  void endsIfTooMuchContentIsRejectedAndTheExceptionIsCaught(Where where) throws Exception {
    Writing tooMuch =
        response -> {
          OutputStream out = response.contentLength(SHORT.length + 1).outputStream();
          out.write(SHORT);
          out.flush();
          out.write(SHORT);
          assertThatThrownBy(out::close).isInstanceOf(IllegalStateException.class);
        };

    expectIncomplete(servers.connect(servers.start(where.run(tooMuch))).post("/", new byte[1]));
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @Test
  void sendsNoEndBeforeABlockingHandlerHasReturned() {
    BlockingQueue<String> steps = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (OutputStream out = response.outputStream()) {
                    out.write(SHORT);
                    out.flush();
                  }
                  steps.take();
                }));
    RawClient client = servers.connect(server).get("/");

    client.readUntil("a\r\nfirst row\n\r\n");
    assertThat(client.hasMore()).isFalse();
    steps.add("return");
    client.readUntil("0\r\n\r\n");
  }

  @Test
  void completesAtOnceWhatAnotherThreadClosesAfterAsync() throws Exception {
    BlockingQueue<OutputStream> streams = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start((request, response) -> streams.add(response.async().outputStream()));
    RawClient client = servers.connect(server).get("/");

    try (OutputStream out = streams.take()) {
      out.write(SHORT);
    }

    assertThat(client.read().content()).isEqualTo(SHORT);
  }

  @Test
  void completesWhatAnotherThreadClosedForABlockingHandler() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  OutputStream out = response.outputStream();
                  Thread writer =
                      Thread.ofVirtual()
                          .start(
                              () -> {
                                try (out) {
                                  out.write(LONG);
                                } catch (IOException gone) {
                                  throw new UncheckedIOException(gone);
                                }
                              });
                  writer.join();
                  if (request.path().equals("/fails")) {
                    throw new IOException("intended");
                  }
                }));

    assertThat(servers.connect(server).get("/").read().content()).isEqualTo(LONG);
    expectIncomplete(servers.connect(server).get("/fails"));
    expectLoggedOnceWithTheCause();
  }

  @Test
  void failsWhenTheWorkCanNotBeStarted() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThatThrownBy(() -> response.async(() -> null))
                  .isInstanceOf(NullPointerException.class);
              try (OutputStream out = response.outputStream()) {
                out.write(SHORT);
              }
            });

    assertThat(servers.connect(server).get("/").read().content()).isEqualTo(SHORT);
  }

  @Test
  void failsWhenTheWorkIsCompletedByAnExceptionWithoutCause() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.async(
                    () ->
                        CompletableFuture.failedFuture(new CompletionException("intended", null))));

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(500);
    expectLoggedOnceWithTheCause();
  }

  @Test
  void leavesAnUpgradeAloneThatWasCompleteBeforeTheHandlerThrew() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.upgrade("raw", new RawEcho());
              throw new IOException("intended");
            });
    RawClient client =
        servers
            .connect(server)
            .send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\n");

    assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 101 ");
    assertThat(client.send("echo").readBytes(4)).isEqualTo(Requests.bytes("echo"));
    expectLoggedOnceWithTheCause();
  }

  private void expectFailed(RawClient client) {
    RawResponse response;
    try {
      response = client.read();
    } catch (UncheckedIOException incomplete) {
      return;
    }
    assertThat(response.status()).isEqualTo(500);
  }

  private static void expectIncomplete(RawClient client) {
    assertThatThrownBy(() -> assertThat(client.read()).as("the response").isNull())
        .isInstanceOf(UncheckedIOException.class);
  }

  private void expectLoggedOnceWithTheCause() {
    List<LogRecord> records = servers.log().await(Level.WARNING);
    assertThat(records).hasSize(1);
    LogRecord record = records.getFirst();
    assertThat(record.getLevel()).isEqualTo(Level.SEVERE);
    assertThat(ServerLog.describe(record)).contains("intended");
    assertThat(record.getThrown()).isNotNull();
  }
}
