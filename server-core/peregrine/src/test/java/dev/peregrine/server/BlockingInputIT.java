package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that blocking handlers read from streams at once. */
final class BlockingInputIT {
  private static final int LONG = 3_000_000;
  private static final int HUGE = 500_000_000;

  @RegisterExtension final Servers servers = new Servers();

  enum Way {
    READ_ALL {
      @Override
      byte[] read(Request request) throws IOException {
        return request.body().readAll(LONG);
      }
    },
    READ_ALL_BYTES {
      @Override
      byte[] read(Request request) throws IOException {
        return request.body().inputStream().readAllBytes();
      }
    },
    SINGLE_BYTE_THEN_PARTS {
      @Override
      byte[] read(Request request) throws IOException {
        InputStream in = request.body().inputStream();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int first = in.read();
        if (first >= 0) {
          all.write(first);
        }
        all.write(in.readNBytes(1000));
        all.write(in.readNBytes(0));
        all.write(in.readAllBytes());
        all.write(in.readAllBytes()); // at the end
        return all.toByteArray();
      }
    },
    TRANSFER {
      @Override
      byte[] read(Request request) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        long count = request.body().inputStream().transferTo(all);
        assertThat(count).isEqualTo(all.size());
        return all.toByteArray();
      }
    };

    abstract byte[] read(Request request) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void readsAllThatWasSent(Way way) {
    Handler handler = (request, response) -> response.send(way.read(request));
    RawClient client = servers.connect(servers.start(Handlers.blocking(handler)));

    for (int length : new int[] {0, 1, 1000, 1001, 1002, 100_000, 1024 * 1024, LONG}) {
      byte[] content = Requests.content(length);
      for (boolean chunked : new boolean[] {false, true}) {
        CompletableFuture<Void> sent =
            client.sendMeanwhile(
                chunked ? Requests.chunkedPost("/", content, 9000) : Requests.post("/", content));
        assertThat(client.read("POST").content()).isEqualTo(content);
        sent.join();
      }
    }
  }

  /** The second length is longer than what a client may announce at no cost. */
  @ParameterizedTest
  @ValueSource(ints = {1024 * 1024, LONG})
  void declaredContentIsAllocatedOnce(int length) {
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    RawClient client =
        servers.connect(
            servers.start(
                (request, response) ->
                    readOnThread(
                        response,
                        () -> {
                          long before = Allocated.by(Thread.currentThread());
                          byte[] content = request.body().readAll(LONG);
                          long bytes = Allocated.by(Thread.currentThread()) - before;
                          least.accumulateAndGet(bytes, Math::min);
                          return content;
                        })));
    byte[] content = Requests.content(length);

    for (int i = 0; i < 20; i++) {
      CompletableFuture<Void> sent = client.sendMeanwhile(Requests.post("/", content));
      assertThat(client.read("POST").content()).isEqualTo(content);
      sent.join();
    }

    long grown = length > 1024 * 1024 ? 1024 * 1024 : 0; // the array that was too short
    assertThat(least.get()).isBetween(length + grown, length + grown + length / 10L);
  }

  @Test
  void announcedContentThatDoesNotComeCostsLittle() {
    CompletableFuture<Long> allocated = new CompletableFuture<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    RawClient client =
        servers.connect(
            servers.start(
                (request, response) -> {
                  request.body().maxBytes(HUGE);
                  readOnThread(
                      response,
                      () -> {
                        begun.complete(null);
                        long before = Allocated.by(Thread.currentThread());
                        try {
                          return request.body().readAll(HUGE);
                        } finally {
                          allocated.complete(Allocated.by(Thread.currentThread()) - before);
                        }
                      });
                }));

    client.send(Requests.postHead("/", HUGE));
    begun.join();
    client.reset();

    assertThat(allocated.join()).isLessThan(2 * 1024 * 1024L);
  }

  /** Reads content on a platform thread, whose allocations are counted, and sends it back. */
  private static void readOnThread(Response response, Callable<byte[]> reader) {
    response.async();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                response.send(reader.call());
              } catch (Exception failure) {
                response.fail(failure);
              }
            });
  }
}
