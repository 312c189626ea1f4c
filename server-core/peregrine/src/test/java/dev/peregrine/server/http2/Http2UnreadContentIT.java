package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.filter.ConcurrencyLimit;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.Http2Limits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Windows;
import dev.peregrine.testing.http2.Site;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Content that waits unread in streams of a connection keeps no other stream from getting its own,
 * and is bounded.
 */
final class Http2UnreadContentIT {
  private static final int WINDOW = Http2Windows.DEFAULT;
  private static final int READ_FIRST = 4 << 20; // so that the windows grow
  private static final int PIECE = 16_384; // of content, at most

  @RegisterExtension final Servers servers = new Servers();

  private final CountDownLatch mayRead = new CountDownLatch(1);

  private void handle(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/unread" -> assertThat(response.async().isCommitted()).isFalse();
      case "/paused" -> readBegin(request, response, 1);
      case "/begin" -> readBegin(request, response, READ_FIRST);
      case "/waits" ->
          Handlers.blocking(
                  (blocked, answer) -> {
                    mayRead.await();
                    answer.text(String.valueOf(blocked.body().readAll(2 * WINDOW).length));
                  })
              .handle(request, response);
      default -> Site.handle(request, response);
    }
  }

  /** Reads the first bytes, and never the rest. */
  private static void readBegin(Request request, Response response, int bytes) {
    RequestBody body = request.body();
    response.async();
    int[] read = {0};
    body.receive(
        Listeners.of(
            data -> {
              read[0] += data.length();
              if (read[0] >= bytes) {
                body.pause();
              }
            },
            () -> {}));
  }

  @Test
  void servesUploadsThatWaitForAPermit() {
    ConcurrencyLimit limit =
        ConcurrencyLimit.builder(Echo.WHOLE.handler())
            .concurrentMax(2)
            .queueMax(100)
            .queueTime(Duration.ofMinutes(10))
            .build();
    Http2Client client = servers.connectHttp2(servers.start(limit));

    expectEchoes(client, begin(client, "/", 30), 3 * WINDOW);

    Await.until("all permits are back", () -> limit.inUse() + limit.queued() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/unread", "/paused", "/waits"})
  void servesOthersWhileStreamsHoldTheirWindows(String path) {
    HttpServer server = servers.start(this::handle);
    Http2Client client = servers.connectHttp2(server);
    List<Integer> held = begin(client, path, 40);
    for (int stream : held) {
      client.content(stream, Requests.content(WINDOW), false);
    }

    expectEchoes(client, begin(client, "/echo", 5), 10 * WINDOW);

    mayRead.countDown();
    for (int stream : held) {
      if (path.equals("/waits")) {
        client.content(stream, new byte[0], true);
        assertThat(client.await(stream).text()).isEqualTo(String.valueOf(WINDOW));
      } else {
        client.reset(stream, Http2Code.CANCEL);
      }
    }
    client.expectServed();
  }

  @Test
  void servesOthersWhileStreamsHoldGrownWindows() {
    Http2Client client = servers.connectHttp2(servers.start(this::handle));
    List<Integer> held = begin(client, "/begin", 4);
    fill(client, held);

    expectEchoes(client, begin(client, "/echo", 5), 10 * WINDOW);

    held.forEach(stream -> client.reset(stream, Http2Code.CANCEL));
    client.expectServed();
  }

  /** The growth of windows is shared, and comes back when a stream ends. */
  @ParameterizedTest
  @ValueSource(ints = {WINDOW, 3 * WINDOW, 1 << 20})
  void holdsNoMoreThanTheLimit(int windowBytesMax) {
    HttpServer server =
        servers.start(
            this::handle,
            Servers.LIMITS.toBuilder()
                .http2(Http2Limits.DEFAULT.withWindowBytesMax(windowBytesMax))
                .build());
    Http2Client client = servers.connectHttp2(server);

    for (int round = 0; round < 3; round++) {
      List<Integer> held = begin(client, "/begin", 8);
      long sent = fill(client, held);

      long bytesMax = 8L * WINDOW + windowBytesMax - WINDOW;
      long read = 8L * READ_FIRST; // by the handlers, and one piece more each
      assertThat(sent - read - 8L * PIECE).isLessThanOrEqualTo(bytesMax);
      assertThat(sent - read).isGreaterThan(bytesMax / 2);
      assertThat(server.bufferBytesInUse()).isLessThan(2 * bytesMax + (1 << 20));
      held.forEach(stream -> client.reset(stream, Http2Code.CANCEL));
      client.roundTrip();
    }
    byte[] content = Requests.content(READ_FIRST);
    assertThat(client.post("/echo", content).content()).isEqualTo(content);
  }

  // ---- the client ----

  private static List<Integer> begin(Http2Client client, String path, int count) {
    return IntStream.range(0, count).mapToObj(i -> client.begin("POST", path)).toList();
  }

  /** Sends as much as streams of {@code /begin} take, in turns. Returns the number of bytes. */
  private static long fill(Http2Client client, List<Integer> streams) {
    Map<Integer, Integer> sent = new HashMap<>();
    boolean again = true;
    while (again) {
      boolean some = false;
      boolean isAwaited = false; // content that a handler reads
      for (int stream : streams) {
        int part = (int) Math.min(client.windows().sendable(stream), PIECE);
        if (part > 0) {
          client.content(stream, Requests.content(part), false);
          sent.merge(stream, part, Integer::sum);
          some = true;
        }
        isAwaited |= sent.getOrDefault(stream, 0) < READ_FIRST;
      }
      if (!some && isAwaited) {
        client.next();
      } else if (!some) {
        client.roundTrip();
        again = streams.stream().anyMatch(stream -> client.windows().sendable(stream) > 0);
      }
    }
    return sent.values().stream().mapToLong(bytes -> bytes).sum();
  }

  /** Sends content on all streams in turns, and expects it back. */
  private static void expectEchoes(Http2Client client, List<Integer> streams, int length) {
    byte[] content = Requests.content(length);
    Map<Integer, Integer> sent = new HashMap<>();
    while (sent.values().stream().mapToInt(at -> at).sum() < streams.size() * length) {
      boolean some = false;
      for (int stream : streams) {
        int from = sent.getOrDefault(stream, 0);
        int part = (int) Math.min(client.windows().sendable(stream), length - from);
        if (part > 0) {
          int to = from + part;
          client.content(stream, Arrays.copyOfRange(content, from, to), to == length);
          sent.put(stream, to);
          some = true;
        }
      }
      if (!some) {
        client.next();
      }
    }
    for (int stream : streams) {
      assertThat(client.await(stream).content()).isEqualTo(content);
    }
  }
}
