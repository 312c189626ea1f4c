package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.EventStream;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.Negotiation;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.ServerSentEvent;
import dev.peregrine.http.SetCookie;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.ServerLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/GUIDE.md shows, run against a server. See {@link GuideTextTest}. */
class GuideTest {
  private final List<AutoCloseable> opened = new ArrayList<>();

  @TempDir Path directory;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  private <T extends AutoCloseable> T open(T one) {
    opened.add(one);
    return one;
  }

  private Client serve(HttpHandler handler) {
    HttpServer server = HttpServer.builder().port(0).loops(2).handler(handler).start();
    return open(new Client(open(server).port()));
  }

  @Test
  void starts() throws Exception {
    int port = 0;
    // snippet: start
    HttpServer server =
        HttpServer.builder()
            .port(port) // 0 takes a free one: see server.port()
            .handler((request, response) -> response.text("Hello, " + request.path() + "\n"))
            .start();
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.get("/you").body()).isEqualTo("Hello, /you\n");
  }

  @Test
  void setsLimits() throws Exception {
    HttpHandler handler = (request, response) -> request.body().readAll(1_000, response::send);
    // snippet: limits
    ServerLimits limits =
        ServerLimits.DEFAULT
            .withBodyBytesMax(100_000)
            .withRequestHeadTime(Duration.ofSeconds(5))
            .withConnectionsMax(10_000);
    HttpServer server = HttpServer.builder().port(0).limits(limits).handler(handler).start();
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.post("/", "x".repeat(100_001)).statusCode()).isEqualTo(413);
    assertThat(client.post("/", "x").body()).isEqualTo("x");
  }

  @Test
  void routes() throws Exception {
    Routes admin =
        Routes.builder().get("/", (request, response) -> response.text("admin\n")).build();
    // snippet: routes
    Routes routes =
        Routes.builder()
            .get("/", (request, response) -> response.html("<h1>Home</h1>"))
            .get("/users/{id}", (request, response) -> response.text(request.pathParameter("id")))
            .delete("/users/{id}", (request, response) -> response.status(204).send())
            .get("/tree/*", (request, response) -> response.text(request.pathParameter("*")))
            .mount("/admin", admin)
            .build();
    // end
    Client client = serve(routes);

    assertThat(client.get("/").body()).isEqualTo("<h1>Home</h1>");
    assertThat(client.get("/users/M%C3%BCller").body()).isEqualTo("Müller");
    assertThat(client.get("/tree/a/b").body()).isEqualTo("a/b");
    assertThat(client.get("/admin").body()).isEqualTo("admin\n");
    assertThat(client.get("/nothing").statusCode()).isEqualTo(404);
    java.net.http.HttpResponse<String> refused = client.post("/users/7", "");
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD, DELETE, OPTIONS");
  }

  @Test
  void servesJson() throws Exception {
    // snippet: json
    Routes routes =
        Routes.builder()
            .get("/message", (request, response) -> response.json(new Message("Hello")))
            .post(
                "/message",
                (request, response) ->
                    request.readJson(
                        64 * 1024,
                        Message.class,
                        message -> response.status(201).json(new Message(message.message() + "!"))))
            .build();
    HttpServer server = HttpServer.builder().port(0).json(new AvajeJson()).handler(routes).start();
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.get("/message").body()).isEqualTo("{\"message\":\"Hello\"}");
    assertThat(client.postJson("/message", "{\"message\":\"Hi\"}").body())
        .isEqualTo("{\"message\":\"Hi!\"}");
    assertThat(client.postJson("/message", "{").statusCode()).isEqualTo(400);
    assertThat(client.post("/message", "{}").statusCode()).isEqualTo(415);
  }

  @Test
  void readsParametersFormsAndCookies() throws Exception {
    // snippet: conveniences
    HttpHandler search =
        (request, response) -> {
          String words = request.queryParameter("q"); // decoded; null if there is none
          if (words == null) {
            throw new HttpException(400, "what shall be searched for?");
          }
          response.setCookie(SetCookie.of("last", "7").path("/").httpOnly());
          response.text(words + " " + request.cookie("last"));
        };
    HttpHandler login =
        (request, response) ->
            request.readForm(
                10_000, (Parameters form) -> response.redirect("/users/" + form.first("name")));
    HttpHandler greeting =
        (request, response) -> {
          String language = Negotiation.language(request, "en", "de");
          response.addHeader("Vary", "Accept-Language");
          response.text("de".equals(language) ? "Hallo" : "Hello");
        };
    // end
    Client client =
        serve(
            Routes.builder()
                .get("/search", search)
                .post("/login", login)
                .get("/greeting", greeting)
                .build());

    java.net.http.HttpResponse<String> found = client.get("/search?q=a+b%26c");
    assertThat(found.body()).isEqualTo("a b&c null");
    assertThat(found.headers().firstValue("Set-Cookie")).contains("last=7; Path=/; HttpOnly");
    java.net.http.HttpResponse<String> wrong = client.get("/search");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).isEqualTo("what shall be searched for?\n");
    java.net.http.HttpResponse<String> redirected =
        client.post("/login", "application/x-www-form-urlencoded", "name=ada");
    assertThat(redirected.statusCode()).isEqualTo(302);
    assertThat(redirected.headers().firstValue("Location")).contains("/users/ada");
    assertThat(client.get("/greeting").body()).isEqualTo("Hello");
  }

  @Test
  void streamsAFile() throws Exception {
    Path report = Files.writeString(directory.resolve("report.pdf"), "x".repeat(1_000_000));
    // snippet: file
    HttpHandler download =
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
    Routes routes = Routes.builder().mount("/assets", Compression.of(assets)).build();
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
    HttpHandler numbers =
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
  static final class Numbers implements HttpHandler {
    @Override
    public void handle(HttpRequest request, HttpResponse response) {
      response.contentType(ContentType.TEXT_PLAIN);
      writeFrom(0, response.async().stream()); // async: it goes on after this has returned
    }

    private static void writeFrom(int first, ResponseStream out) {
      int i = first;
      while (i < 100_000 && out.isWritable()) {
        out.write((i++ + "\n").getBytes(StandardCharsets.US_ASCII));
      }
      if (i == 100_000) {
        out.end();
      } else {
        int next = i;
        out.onWritable(() -> writeFrom(next, out)); // when the client has caught up
      }
    }
  }

  // end

  @Test
  void takesUploads() throws Exception {
    // snippet: upload
    HttpHandler upload =
        Handlers.blocking(
            (request, response) -> {
              Path target = Files.createTempFile(directory, "upload", "");
              try (InputStream in = request.body().limit(10_000_000_000L).inputStream()) {
                Files.copy(in, target, REPLACE_EXISTING);
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
    HttpHandler count =
        (request, response) ->
            request
                .body()
                .forEach(
                    new BodyListener() {
                      private long bytes;

                      @Override
                      public void onData(Bytes data) { // to be used in here only
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

  @Test
  void passesContentToAReactiveLibrary() throws Exception {
    HttpServer other = open(HttpServer.builder().port(0).handler(Echo::handle).start());
    URI backend = URI.create("http://127.0.0.1:" + other.port() + "/");
    HttpClient http = open(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    // snippet: publisher
    HttpHandler forward =
        (request, response) -> {
          response.async();
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

  @Test
  void sendsEventsFromAThreadOfItsOwn() throws Exception {
    // snippet: events
    HttpHandler clock =
        Handlers.blocking(
            (request, response) -> {
              EventStream events = EventStream.open(response);
              while (true) {
                events.send(Instant.now().toString()); // throws when the client has gone
                Thread.sleep(1_000);
              }
            });
    // end
    Client client = serve(clock);

    try (var lines = client.lines("/")) {
      assertThat(lines.limit(1).toList().getFirst()).startsWith("data: 20");
    }
  }

  @Test
  void sendsEventsToMany() throws Exception {
    ExecutorService publisher = open(Executors.newSingleThreadExecutor());
    // snippet: broadcast
    Set<EventStream> listeners = ConcurrentHashMap.newKeySet();
    HttpHandler subscribe =
        (request, response) -> {
          EventStream events = EventStream.open(response.async());
          listeners.add(events);
          response.onAbort(cause -> listeners.remove(events));
        };
    Runnable news =
        () -> {
          for (EventStream listener : listeners) {
            if (listener.isWritable()) { // else it is behind: skip it
              try {
                listener.send(ServerSentEvent.of("breaking").event("news"));
              } catch (IOException gone) {
                // onAbort has removed it.
              }
            }
          }
        };
    // end
    Client client = serve(subscribe);

    try (var lines = client.lines("/")) {
      CompletableFuture<List<String>> first =
          CompletableFuture.supplyAsync(() -> lines.limit(2).toList());
      while (listeners.isEmpty()) {
        Thread.onSpinWait();
      }
      publisher.submit(news).get();
      assertThat(first.get()).containsExactly("event: news", "data: breaking");
    }
  }

  @Test
  void callsADatabase() throws Exception {
    DataSource database = StandInDatabase.of("select name from users where id = ?", 7L, "Ada");
    // snippet: database
    HttpHandler user =
        Handlers.blocking(
            (request, response) -> {
              long id = Long.parseLong(request.pathParameter("id"));
              try (Connection connection = database.getConnection();
                  PreparedStatement query =
                      connection.prepareStatement("select name from users where id = ?")) {
                query.setLong(1, id);
                try (ResultSet rows = query.executeQuery()) {
                  if (!rows.next()) {
                    throw new HttpException(404, "no user " + id);
                  }
                  response.text(rows.getString(1));
                }
              }
            });
    // end
    Client client = serve(Routes.builder().get("/users/{id}", user).build());

    assertThat(client.get("/users/7").body()).isEqualTo("Ada");
    assertThat(client.get("/users/8").statusCode()).isEqualTo(404);
  }

  @Test
  void answersLater() throws Exception {
    Directory users = id -> CompletableFuture.supplyAsync(() -> "user " + id);
    // snippet: stage
    HttpHandler user =
        (request, response) ->
            response.async(
                () -> users.find(request.pathParameter("id")).thenAccept(response::text));
    // end
    Client client = serve(Routes.builder().get("/users/{id}", user).build());

    assertThat(client.get("/users/7").body()).isEqualTo("user 7");
  }

  private interface Directory {
    CompletableFuture<String> find(String id);
  }

  @Test
  void answersFromAnotherThread() throws Exception {
    ExecutorService workers = open(Executors.newFixedThreadPool(2));
    // snippet: later
    HttpHandler work =
        (request, response) -> {
          response.async(); // from here on, until it is answered, any one thread may use both
          Future<?> task =
              workers.submit(
                  () -> {
                    try {
                      response.text("done: " + request.path() + "\n");
                    } catch (RuntimeException failure) {
                      response.fail(failure); // or nobody ever answers
                    }
                  });
          response.onAbort(cause -> task.cancel(true)); // the client has gone
        };
    // end
    assertThat(serve(work).get("/job").body()).isEqualTo("done: /job\n");
  }

  @Test
  void compresses() throws Exception {
    HttpHandler handler = (request, response) -> request.readForm(10_000, form -> response.send());
    // snippet: compression
    HttpHandler compressed = Compression.of(handler);
    HttpHandler both = Decompression.builder(compressed).bytesMax(1_000_000).ratioMax(100).build();
    // end
    Client client = serve(both);

    assertThat(client.post("/", "application/x-www-form-urlencoded", "a=b").statusCode())
        .isEqualTo(200);
  }

  @Test
  void losesNoRequestAtShutdown() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    HttpServer server =
        open(
            HttpServer.builder()
                .port(0)
                .handler(
                    Handlers.blocking(
                        (request, response) -> {
                          arrived.countDown();
                          answer.await();
                          response.text("complete");
                        }))
                .start());
    Client client = open(new Client(server.port()));
    CompletableFuture<String> underWay = CompletableFuture.supplyAsync(() -> body(client));
    arrived.await();
    CompletableFuture<Boolean> ended =
        CompletableFuture.supplyAsync(
            () -> {
              // snippet: shutdown
              boolean allAnswered = server.shutdown(Duration.ofSeconds(20));
              // end
              return allAnswered;
            });
    answer.countDown();

    assertThat(underWay.get()).isEqualTo("complete");
    assertThat(ended.get()).isTrue();
  }

  private static String body(Client client) {
    try {
      return client.get("/").body();
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void shutsDownWithTheProgram() {
    HttpServer server =
        open(HttpServer.builder().port(0).handler((request, response) -> response.send()).start());
    // snippet: hook
    Runtime.getRuntime().addShutdownHook(new Thread(() -> server.shutdown(Duration.ofSeconds(20))));
    // end
    assertThat(server.connections()).isZero();
  }
}
