package dev.peregrine.http.coding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A compressed response accepts and rejects the same calls, in the same order, as a plain one. */
final class CompressedStatesIT {
  private static final String SHORT = "short ";
  private static final String LONG = "Lorem ipsum dolor sit amet. ".repeat(100);

  @RegisterExtension final Servers servers = new Servers();

  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void makeFile() throws IOException {
    file = Files.writeString(dir.resolve("file"), SHORT);
  }

  /** One use of a response; content is left open where it can be. */
  enum Step {
    STATUS,
    HEADER,
    ADD_HEADER,
    ADD_HEADERS,
    CONTENT_TYPE,
    CONTENT_LENGTH,
    SEND,
    TEXT,
    LONG_TEXT,
    BUFFER,
    CHANNEL,
    PATH,
    REDIRECT,
    STREAM,
    STREAM_WRITE,
    STREAM_END,
    STREAM_TOO_MUCH,
    OUTPUT,
    OUTPUT_WRITE,
    OUTPUT_LONG,
    OUTPUT_FLUSH,
    OUTPUT_CLOSE,
    FAIL,
    END;

    @SuppressWarnings("MustBeClosed") // the server closes it, or else the test
    void take(Response response, Path file) throws IOException {
      switch (this) {
        case STATUS -> response.status(202);
        case HEADER -> response.header("X-Set", "1");
        case ADD_HEADER -> response.addHeader("X-Added", "1");
        case ADD_HEADERS -> response.addHeaders(PreparedFields.of("X-Prepared", "1"));
        case CONTENT_TYPE -> response.contentType(ContentType.TEXT_HTML_UTF_8);
        case CONTENT_LENGTH -> response.contentLength(SHORT.length());
        case SEND -> response.send();
        case TEXT -> response.text(SHORT);
        case LONG_TEXT -> response.text(LONG);
        case BUFFER -> response.send(ByteBuffer.wrap(bytes(SHORT)));
        case CHANNEL -> sendChannel(response, file);
        case PATH -> response.send(file);
        case REDIRECT -> response.redirect("/elsewhere");
        case STREAM -> response.stream();
        case STREAM_WRITE -> response.stream().write(bytes(SHORT));
        case STREAM_END -> response.stream().write(bytes(LONG)).complete();
        case STREAM_TOO_MUCH ->
            response.contentLength(LONG.length() - 1).stream().write(bytes(LONG)).complete();
        case OUTPUT -> response.outputStream();
        case OUTPUT_WRITE -> response.outputStream().write(bytes(SHORT));
        case OUTPUT_LONG -> response.outputStream().write(bytes(LONG.repeat(10)));
        case OUTPUT_FLUSH -> {
          OutputStream out = response.outputStream();
          out.write(bytes(SHORT));
          out.flush();
        }
        case OUTPUT_CLOSE -> {
          try (OutputStream out = response.outputStream()) {
            out.write(bytes(SHORT));
          }
        }
        case FAIL -> response.fail(new HttpException(409, "conflict"));
        case END -> response.complete();
      }
    }

    @SuppressWarnings("MustBeClosed")
    private static void sendChannel(Response response, Path file) throws IOException {
      FileChannel channel = FileChannel.open(file);
      try {
        response.send(channel, 0, channel.size());
      } catch (IllegalStateException notTaken) {
        channel.close();
        throw notTaken;
      }
    }
  }

  /** The outcome of two steps: their exceptions, and the client's response. */
  record Outcome(String thrown, String response) {}

  static List<Arguments> firstSteps() {
    List<Arguments> cases = new ArrayList<>();
    for (Step first : Step.values()) {
      for (boolean blocking : new boolean[] {false, true}) {
        cases.add(Arguments.of(first, blocking));
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("firstSteps")
  void acceptsAndRejectsASecondStepAsThePlainResponseDoes(Step first, boolean blocking)
      throws Exception {
    AtomicReference<CompletableFuture<String>> thrown = new AtomicReference<>();
    Handler steps = (request, response) -> takeBoth(first, request, response, thrown.get());
    Handler plain = blocking ? Handlers.blocking(steps) : steps;
    Handler compressed = Compression.of(plain);
    HttpServer server =
        servers.start(
            (request, response) ->
                (request.path().startsWith("/z/") ? compressed : plain).handle(request, response));

    for (Step second : Step.values()) {
      Outcome expected = outcome(server, "/p/" + second, thrown);

      assertThat(outcome(server, "/z/" + second, thrown))
          .as("%s, then %s", first, second)
          .isEqualTo(expected);
    }
    server.close(); // a loop may log a failure after the client has its response
    List<LogRecord> expected = servers.log().take(Level.WARNING);
    assertThat(expected).allMatch(record -> record.getThrown() != null);
  }

  private void takeBoth(
      Step first, Request request, Response response, CompletableFuture<String> thrown)
      throws Exception {
    Step second = Step.valueOf(request.path().substring("/p/".length()));
    response.contentType(ContentType.TEXT_PLAIN);
    String failed = take(first, response) + ", " + take(second, response);
    thrown.complete(failed);
    response.complete();
  }

  /**
   * Returns the step's exception as text. The test continues, so that the response shows whether
   * the step has changed it.
   */
  private String take(Step step, Response response) {
    try {
      step.take(response, file);
      return "nothing";
    } catch (Exception failure) {
      return failure.getClass().getName();
    }
  }

  private Outcome outcome(
      HttpServer server, String path, AtomicReference<CompletableFuture<String>> thrown)
      throws Exception {
    thrown.set(new CompletableFuture<>());
    try (RawClient client = servers.connect(server)) {
      client.send(
          "GET "
              + path
              + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n");
      String response = describe(client);
      return new Outcome(thrown.get().get(120, TimeUnit.SECONDS), response);
    }
  }

  /** A compressed stream sends its head later, so that a failure may still get an error. */
  private static String describe(RawClient client) throws IOException {
    RawResponse response;
    try {
      response = client.read();
    } catch (UncheckedIOException cutShort) {
      return "failed";
    }
    if (response.status() >= 400) {
      return "failed";
    }
    byte[] content = response.content();
    if (response.header("Content-Encoding") != null) {
      content = new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes();
    }
    return response.status()
        + Arrays.asList(
                response.header("Content-Type"),
                response.header("Location"),
                response.header("X-Set"),
                response.header("X-Added"),
                response.header("X-Prepared"))
            .toString()
        + new String(content, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"OUTPUT_WRITE", "STREAM", "TEXT"})
  void failsLoudlyInPlaceOfDroppingContent(Step second) {
    HttpServer server =
        servers.start(
            Compression.of(
                Handlers.blocking(
                    (request, response) -> {
                      response.outputStream().write(bytes("first"));
                      second.take(response, file);
                    })));

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE).getFirst().getThrown())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the response has been sent already");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
