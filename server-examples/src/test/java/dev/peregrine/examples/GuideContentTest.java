package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.http.lines.LineFlow;
import dev.peregrine.http.lines.LineListener;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SubmissionPublisher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content of any size, in and out, as docs/guide shows it. See {@link GuideTextTest}. */
class GuideContentTest extends GuideCase {
  @TempDir Path directory;

  @Test
  void streamsAFile() throws Exception {
    Path report = Files.writeString(directory.resolve("report.pdf"), "x".repeat(1_000_000));
    // snippet: file
    Handler download =
        (request, response) ->
            response
                .contentType(ContentType.of("application/pdf"))
                .header("Content-Disposition", "attachment; filename=\"report.pdf\"")
                .send(report);
    // end
    Client client = serve(download);

    assertThat(client.get("/").body()).isEqualTo(Files.readString(report));
  }

  @Test
  void servesADirectory() throws Exception {
    Files.writeString(directory.resolve("app.js"), "export {};\n".repeat(1_000));
    // snippet: static
    StaticFiles assets =
        StaticFiles.builder(directory).cacheControl("public, max-age=3600").build();
    Routes routes = Routes.builder().mount("/assets", assets).build();
    // end
    Client client = serve(routes);

    java.net.http.HttpResponse<String> script = client.get("/assets/app.js");
    assertThat(script.body()).startsWith("export {};");
    assertThat(script.headers().firstValue("Content-Type"))
        .contains("text/javascript; charset=utf-8");
    assertThat(script.headers().firstValue("ETag")).isPresent();
    assertThat(client.get("/assets/none").statusCode()).isEqualTo(404);
  }

  @Test
  void writesFromAThreadThatMayBlock() throws Exception {
    // snippet: write-blocking
    Handler numbers =
        Handlers.blocking(
            (request, response) -> {
              response.contentType(ContentType.of("text/csv; charset=utf-8"));
              try (Writer out = new OutputStreamWriter(response.outputStream(), UTF_8)) {
                for (int i = 0; i < 100_000; i++) {
                  out.write(i + "," + i * i + "\n"); // waits while the client is behind
                }
              }
            });
    // end
    assertThat(serve(numbers).get("/").body()).hasLineCount(100_000);
  }

  @Test
  void writesOnTheEventLoop() throws Exception {
    assertThat(serve(new Numbers()).get("/").body()).hasLineCount(100_000);
  }

  // snippet: write-loop
  static final class Numbers implements Handler {
    @Override
    public void handle(Request request, Response response) {
      response.contentType(ContentType.TEXT_PLAIN);
      writeFrom(0, response.async().stream()); // async: continues after this returns
    }

    private static void writeFrom(int first, ResponseStream out) {
      int i = first;
      while (i < 100_000 && out.isWritable()) {
        out.write((i++ + "\n").getBytes(StandardCharsets.US_ASCII));
      }
      if (i == 100_000) {
        out.complete();
      } else {
        int next = i;
        out.onWritable(() -> writeFrom(next, out)); // when the client has caught up
      }
    }
  }

  // end

  /** A source of rows, each of which is emitted later, on a new thread. */
  private record Table(int count) {
    Flow.Publisher<ByteBuffer> rows() {
      return subscriber -> {
        SubmissionPublisher<ByteBuffer> rows = new SubmissionPublisher<>();
        rows.subscribe(subscriber);
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < count; i++) {
                    rows.submit(ByteBuffer.wrap((i + "," + i + "\n").getBytes(UTF_8)));
                  }
                  rows.close();
                });
      };
    }
  }

  @Test
  void sendsWhatAReactiveLibraryEmits() throws Exception {
    Table table = new Table(10_000);
    // snippet: send-publisher
    Handler export =
        (request, response) ->
            response
                .contentType(ContentType.of("text/csv; charset=utf-8"))
                .send(table.rows()); // a publisher, which may emit on any thread
    // end
    assertThat(serve(export).get("/").body()).hasLineCount(10_000).endsWith("9999,9999\n");
  }

  @Test
  void sendsFromAPoolOfTheApplication() throws Exception {
    ByteBuffer only = ByteBuffer.allocateDirect(64 * 1024);
    BlockingQueue<ByteBuffer> pool = new LinkedBlockingQueue<>(List.of(only));
    // snippet: send-pooled
    Handler page =
        Handlers.blocking(
            (request, response) -> {
              ByteBuffer buffer = pool.take(); // waits until one is free
              fill(buffer.clear());
              response.send(buffer.flip(), pool::add); // gives it back when it is sent
            });
    // end
    Client client = serve(page);

    for (int i = 0; i < 3; i++) {
      assertThat(client.get("/").body()).isEqualTo("x".repeat(64 * 1024));
    }
    assertThat(pool.take()).isSameAs(only);
    assertThat(pool).isEmpty();
  }

  private static void fill(ByteBuffer buffer) {
    while (buffer.hasRemaining()) {
      buffer.put((byte) 'x');
    }
  }

  @Test
  void takesUploads() throws Exception {
    // snippet: upload
    Handler upload =
        Handlers.blocking(
            (request, response) -> {
              Path target = Files.createTempFile(directory, "upload", "");
              try (InputStream in = request.body().maxBytes(10_000_000_000L).inputStream()) {
                Files.copy(in, target, REPLACE_EXISTING);
              } catch (IOException | HttpException incomplete) { // reset, disk full, or too large
                Files.delete(target);
                throw incomplete;
              }
              response.status(201).text(Files.size(target) + " bytes\n");
            });
    // end
    String content = "0123456789".repeat(100_000);

    assertThat(serve(upload).post("/", content).body()).isEqualTo("1000000 bytes\n");
  }

  @Test
  void readsOnTheEventLoop() throws Exception {
    // snippet: read-loop
    Handler count =
        (request, response) ->
            request
                .body()
                .receive(
                    new BodyListener() {
                      private long bytes;

                      @Override
                      public void onData(Bytes data) { // valid during this call only
                        bytes += data.length();
                      }

                      @Override
                      public void onEnd() {
                        response.text(bytes + " bytes\n");
                      }
                    });
    // end
    assertThat(serve(count).post("/", "x".repeat(100_000)).body()).isEqualTo("100000 bytes\n");
  }

  // snippet: lines
  static final class Levels implements LineListener {
    private final Response response;
    private final Map<String, Integer> counts = new TreeMap<>();

    Levels(Response response) {
      this.response = response;
    }

    @Override
    public void onLine(Bytes line) { // without its end; valid during this call only
      String text = line.toString();
      counts.merge(text.substring(0, text.indexOf(' ')), 1, Integer::sum);
    }

    @Override
    public void onEnd() {
      response.text(counts + "\n");
    }
  }

  // end

  @Test
  void readsLines() throws Exception {
    // snippet: line-flow
    Handler levels =
        (request, response) -> LineFlow.receive(request, response, 8 * 1024, new Levels(response));
    // end
    assertThat(serve(levels).post("/", "INFO a\r\nWARN b\nINFO c").body())
        .isEqualTo("{INFO=2, WARN=1}\n");
  }

  @Test
  void retainsContentForAnotherThread() throws Exception {
    Path target = directory.resolve("archive");
    try (ExecutorService writer = Executors.newSingleThreadExecutor();
        FileChannel file = FileChannel.open(target, CREATE_NEW, WRITE)) {
      // snippet: retain
      Handler archive =
          (request, response) -> {
            response.async();
            request
                .body()
                .receive(
                    new BodyListener() {
                      @Override
                      public void onData(Bytes data) {
                        RetainedBytes kept = data.retain();
                        writer.execute(
                            () -> {
                              try (kept) { // releases the bytes
                                file.write(kept.buffer());
                              } catch (IOException failure) {
                                response.fail(failure);
                              }
                            });
                      }

                      @Override
                      public void onEnd() {
                        writer.execute(() -> response.text("written\n"));
                      }
                    });
          };
      // end
      assertThat(serve(archive).post("/", "x".repeat(100_000)).body()).isEqualTo("written\n");
    }
    assertThat(target).content().isEqualTo("x".repeat(100_000));
  }

  @Test
  void passesContentToAReactiveLibrary() throws Exception {
    HttpServer other = open(Peregrine.builder().port(0).handler(Echo::handle).start());
    URI backend = URI.create("http://127.0.0.1:" + other.port() + "/");
    HttpClient http = open(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    // snippet: publisher
    Handler forward =
        (request, response) -> {
          var call =
              java.net.http.HttpRequest.newBuilder(backend)
                  .POST(BodyPublishers.fromPublisher(request.body().publisher()))
                  .build();
          response.async(
              () ->
                  http.sendAsync(call, BodyHandlers.ofByteArray())
                      .thenAccept(
                          answer -> response.status(answer.statusCode()).send(answer.body())));
        };
    // end
    String content = "0123456789".repeat(100_000);

    assertThat(serve(forward).post("/", content).body()).isEqualTo(content);
  }
}
