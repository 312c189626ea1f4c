package dev.peregrine.http.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OwnThread;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lines out of the content of requests, over sockets. */
final class LinesIT {
  private static final int LINE_BYTES_MAX = 1_000;

  private static final int SMALLEST_OBJECT_BYTES = 16;

  @RegisterExtension final Servers servers = new Servers();

  /** How lines are taken. */
  enum Form {
    ON_THE_LOOP {
      @Override
      Handler handler() {
        return (request, response) ->
            LineFlow.receive(request, response, LINE_BYTES_MAX, new Counter(response));
      }
    },
    PAUSING {
      @Override
      Handler handler() {
        return (request, response) -> {
          response.async();
          AtomicReference<@Nullable LineFlow> flow = new AtomicReference<>();
          Counter counter =
              new Counter(response) {
                @Override
                public void onLine(Bytes line) {
                  super.onLine(line);
                  LineFlow present = flow.get();
                  if (present != null && count() % 100 == 0) {
                    present.pause();
                    ForkJoinPool.commonPool().execute(present::resume);
                  }
                }
              };
          flow.set(LineFlow.receive(request, response, LINE_BYTES_MAX, counter));
        };
      }
    },
    BLOCKING {
      @Override
      Handler handler() {
        return OwnThread.blocking(
            (request, response) -> {
              Counter counter = new Counter(response);
              try (LineReader lines = LineReader.open(request, LINE_BYTES_MAX)) {
                for (Bytes line = lines.next(); line != null; line = lines.next()) {
                  counter.onLine(line);
                }
              }
              counter.onEnd();
            });
      }
    };

    abstract Handler handler();
  }

  private static class Counter implements LineListener {
    private final Response response;
    private int count;
    private long bytes;
    private String last = "";

    Counter(Response response) {
      this.response = response;
    }

    int count() {
      return count;
    }

    @Override
    public void onLine(Bytes line) {
      count++;
      bytes += line.length();
      last = line.toString();
    }

    @Override
    public void onEnd() {
      response.text(count + " lines, " + bytes + " bytes, last " + last);
    }
  }

  @ParameterizedTest
  @EnumSource
  void passesLinesOn(Form form) {
    RawClient client = servers.connect(servers.start(form.handler()));
    byte[] content = Requests.bytes("0123456789".repeat(8).concat("\r\n").repeat(2_000) + "end");

    for (byte[] request :
        new byte[][] {Requests.post("/", content), Requests.chunkedPost("/", content, 999)}) {
      CompletableFuture<Void> sent = client.sendMeanwhile(request);
      assertThat(client.read("POST").text()).isEqualTo("2001 lines, 160003 bytes, last end");
      sent.join();
    }
    assertThat(client.post("/", Requests.bytes("")).read("POST").text())
        .isEqualTo("0 lines, 0 bytes, last ");
  }

  @ParameterizedTest
  @EnumSource
  void rejectsALineAboveTheLimit(Form form) {
    HttpServer server = servers.start(form.handler());
    RawClient client = servers.connect(server);
    String fits = "x".repeat(LINE_BYTES_MAX) + "\r\n";

    client.post("/", Requests.bytes(fits));
    assertThat(client.read("POST").status()).isEqualTo(200);

    client.post("/", Requests.bytes(fits + "y" + fits));
    assertThat(client.read("POST").status()).isEqualTo(413);
  }

  @Test
  void reportsALineAboveTheLimitToTheListener() throws Exception {
    CompletableFuture<IOException> reported = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            (request, response) ->
                LineFlow.receive(
                    request,
                    response,
                    1,
                    new Counter(response) {
                      @Override
                      public void onError(IOException cause) {
                        reported.complete(cause);
                      }
                    }));

    servers.connect(server).post("/", Requests.bytes("abc\n")).read("POST");

    assertThat(reported.get())
        .isInstanceOf(ContentRejectedException.class)
        .hasMessageContaining("a line of more than 1 bytes");
  }

  /** Only compiled code allocates nothing. */
  @Test
  void allocatesNothingForALine() {
    AtomicReference<Long> least = new AtomicReference<>(Long.MAX_VALUE);
    Consumer<Long> note = bytes -> least.set(Math.min(least.get(), bytes));
    HttpServer server =
        servers.start(
            (request, response) ->
                LineFlow.receive(
                    request,
                    response,
                    LINE_BYTES_MAX,
                    new LineListener() {
                      private long before;
                      private int lines;

                      @Override
                      public void onLine(Bytes line) {
                        lines++;
                        if (lines == 10) {
                          before = Allocated.by(Thread.currentThread());
                        } else if (lines == 100) {
                          note.accept(Allocated.by(Thread.currentThread()) - before);
                        }
                      }

                      @Override
                      public void onEnd() {
                        response.text("read");
                      }
                    }));
    RawClient client = servers.connect(server);
    byte[] request = Requests.post("/", Requests.bytes(("x".repeat(80) + "\n").repeat(100)));

    Await.until(
        () -> "90 lines allocate " + least.get() + " bytes",
        () -> {
          for (int i = 0; i < 20; i++) {
            assertThat(client.send(request).read("POST").text()).isEqualTo("read");
          }
          return least.get() < 90 * SMALLEST_OBJECT_BYTES; // the measurement allocates some
        });
  }
}
