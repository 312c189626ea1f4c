package dev.peregrine.server;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.LeakGuard;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.FrameClient;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of a program that retains received bytes: each is reported, and harms no other client. */
final class RetainMisuseIT {
  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<RetainedBytes> kept = new LinkedBlockingQueue<>();

  /** Where the bytes arrive. */
  enum Where {
    CONTENT {
      @Override
      Handler handler(BlockingQueue<RetainedBytes> kept) {
        return (request, response) ->
            request
                .body()
                .receive(
                    new BodyListener() {
                      @Override
                      public void onData(Bytes data) {
                        kept.add(data.retain());
                      }

                      @Override
                      public void onEnd() {
                        response.text("kept");
                      }
                    });
      }

      @Override
      void send(RawClient client, byte[] content) {
        CompletableFuture<Void> _ = client.sendMeanwhile(Requests.post("/", content));
      }
    },

    WEB_SOCKET {
      @Override
      Handler handler(BlockingQueue<RetainedBytes> kept) {
        WebSocketListener keeping =
            new WebSocketListener() {
              @Override
              public void onBinary(WebSocket socket, Bytes content) {
                kept.add(content.retain());
              }
            };
        return (request, response) -> response.webSocket(keeping);
      }

      @Override
      void send(RawClient client, byte[] content) {
        FrameClient.open(client, "/").send(FINAL | BINARY, content);
      }
    },

    TUNNEL {
      @Override
      Handler handler(BlockingQueue<RetainedBytes> kept) {
        RawEcho keeping =
            new RawEcho() {
              @Override
              public void onData(RawConnection connection, Bytes data) {
                kept.add(data.retain());
              }
            };
        return (request, response) -> response.upgrade("echo", keeping);
      }

      @Override
      void send(RawClient client, byte[] content) {
        client.send(
            Requests.lines("GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo"));
        assertThat(client.read().status()).isEqualTo(101);
        CompletableFuture<Void> _ = client.sendMeanwhile(content);
      }
    };

    abstract Handler handler(BlockingQueue<RetainedBytes> kept);

    abstract void send(RawClient client, byte[] content);
  }

  private HttpServer start(Where where, ServerLimits limits) {
    return servers.start(where.handler(kept), options -> options.limits(limits).loops(1));
  }

  /** Sends content to a server, and returns what that has retained. */
  private List<RetainedBytes> retained(HttpServer server, Where where, byte[] content)
      throws InterruptedException {
    where.send(servers.connect(server), content);
    List<RetainedBytes> pieces = new ArrayList<>();
    int length = 0;
    while (length < content.length) {
      RetainedBytes piece = kept.take();
      length += piece.length();
      pieces.add(piece);
    }
    return pieces;
  }

  @ParameterizedTest
  @CsvSource({
    "CONTENT, 100", "CONTENT, 300000",
    "WEB_SOCKET, 100", "WEB_SOCKET, 300000",
    "TUNNEL, 100", "TUNNEL, 300000"
  })
  void bytesAreReleasedOnceAndNotUsedLater(Where where, int length) throws Exception {
    HttpServer server = start(where, Servers.LIMITS);
    byte[] content = Requests.content(length);

    for (RetainedBytes piece : retained(server, where, content)) {
      ByteBuffer buffer = piece.buffer();
      RetainedBytes other = piece.retain();
      byte first = piece.get(0);
      piece.release(); // on a thread that isn't the loop's

      assertThatThrownBy(piece::release)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the retained bytes were released twice");
      assertThatThrownBy(piece::buffer)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the retained bytes were released");
      assertThatThrownBy(() -> piece.get(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(piece::toString).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(piece::retain).isInstanceOf(IllegalStateException.class);
      piece.close();
      assertThat(other.get(0)).isEqualTo(first); // the other owner has them still
      other.release();
      assertThatThrownBy(() -> buffer.get(0)).isInstanceOf(IllegalStateException.class);
    }

    List<RetainedBytes> later = retained(server, where, content);
    assertThat(later.getFirst().get(0)).isEqualTo(content[0]);
    later.forEach(RetainedBytes::release);
  }

  @ParameterizedTest
  @EnumSource
  void bytesThatAreNeverReleasedAreReported(Where where) throws Exception {
    HttpServer server = start(where, Servers.LIMITS);
    int pieces = retained(server, where, Requests.content(100)).size();

    Await.until(
        "the loss is logged",
        () ->
            LeakGuard.collect().stream().anyMatch(line -> line.startsWith("retained bytes were")));

    assertThat(servers.log().await(Level.WARNING)).hasSizeBetween(1, pieces);
    retained(server, where, new byte[] {1}).forEach(RetainedBytes::release);
  }

  @ParameterizedTest
  @EnumSource
  void bytesAboveTheLimitEndTheirConnectionOnly(Where where) throws Exception {
    ServerLimits limits = Servers.LIMITS.toBuilder().retainedBytesMax(1000).build();
    HttpServer server = start(where, limits);
    List<RetainedBytes> before = retained(server, where, Requests.content(500));
    RawClient rejected = servers.connect(server);

    where.send(rejected, Requests.content(500));

    List<LogRecord> logged = new ArrayList<>();
    Await.until(
        "the limit is named, and the failure logged",
        () -> {
          logged.addAll(servers.log().take(Level.WARNING));
          return logged.size() == 2;
        });
    assertThat(logged)
        .extracting(LogRecord::getMessage)
        .contains("received content above retainedBytesMax (1000 bytes) was not retained");
    before.forEach(RetainedBytes::release);
    retained(server, where, Requests.content(500)).forEach(RetainedBytes::release);
  }
}
