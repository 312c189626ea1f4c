package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.exchange.bytes.Retainer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.LeakGuard;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Received bytes that the application keeps after the call that it got them in. */
final class RetainedInputIT {
  private static final int SMALL_BYTES = 100;

  @RegisterExtension final Servers servers = new Servers();

  private final List<RetainedBytes> kept = new CopyOnWriteArrayList<>();

  /** Retains all pieces, and passes them on at the end of the content. */
  private Handler keeping(Consumer<List<RetainedBytes>> atEnd) {
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
                    atEnd.accept(List.copyOf(kept));
                    kept.clear();
                  }
                });
  }

  private static byte[] join(List<RetainedBytes> pieces, boolean byBuffer) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (RetainedBytes piece : pieces) {
      byte[] bytes = new byte[piece.length()];
      if (byBuffer) {
        piece.buffer().get(bytes);
      } else {
        piece.copyTo(0, bytes, 0, bytes.length);
      }
      all.writeBytes(bytes);
    }
    return all.toByteArray();
  }

  private static byte[] content(int seed) {
    byte[] content = Requests.content(700_000);
    for (int i = 0; i < content.length; i++) {
      content[i] += (byte) seed;
    }
    return content;
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1000000, true", "40000, false", "1000, true"})
  void keepsBytesWhileOthersArrive(int chunkBytes, boolean byBuffer) throws Exception {
    BlockingQueue<List<RetainedBytes>> requests = new LinkedBlockingQueue<>();
    HttpServer server = servers.start(keeping(requests::add), options -> options.loops(1));
    RawClient client = servers.connect(server);
    int requestCount = 3;

    for (int i = 0; i < requestCount; i++) {
      byte[] content = content(i);
      byte[] request =
          chunkBytes == 0
              ? Requests.post("/", content)
              : Requests.chunkedPost("/", content, chunkBytes);
      CompletableFuture<Void> sent = client.sendMeanwhile(request);
      assertThat(client.read("POST").text()).isEqualTo("kept");
      sent.join();
    }

    for (int i = 0; i < requestCount; i++) {
      List<RetainedBytes> pieces = requests.take();
      assertThat(join(pieces, byBuffer)).isEqualTo(content(i));
      pieces.forEach(RetainedBytes::release);
    }
  }

  @Test
  void staysReadableAfterTheEndOfTheServer() throws Exception {
    BlockingQueue<List<RetainedBytes>> requests = new LinkedBlockingQueue<>();
    HttpServer server = servers.start(keeping(requests::add));
    RawClient client = servers.connect(server);
    CompletableFuture<Void> sent = client.sendMeanwhile(Requests.post("/", content(1)));
    assertThat(client.read("POST").text()).isEqualTo("kept");
    sent.join();

    server.close();

    List<RetainedBytes> pieces = requests.take();
    assertThat(join(pieces, true)).isEqualTo(content(1));
    pieces.forEach(RetainedBytes::release);
    assertThat(server.bufferBytesInUse()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void retainsUpToTheLimit(int room) {
    long bytesMax = (long) SMALL_BYTES + Retainer.OBJECT_BYTES + room;
    ServerLimits limits = Servers.LIMITS.toBuilder().retainedBytesMax(bytesMax).build();
    HttpServer server =
        servers.start(keeping(pieces -> pieces.forEach(RetainedBytes::release)), limits);
    RawClient client = servers.connect(server);

    for (int i = 0; i < 2; i++) { // what was released doesn't count
      client.post("/", Requests.content(SMALL_BYTES));
      assertThat(client.read("POST").status()).isEqualTo(room < 0 ? 503 : 200);
    }

    if (room < 0) {
      assertThat(servers.log().await(Level.WARNING))
          .extracting(LogRecord::getMessage)
          .contains("received content above retainedBytesMax (355 bytes) was not retained");
    }
  }

  @Test
  void canBeReleasedOnceAndNotUsedLater() throws Exception {
    BlockingQueue<List<RetainedBytes>> requests = new LinkedBlockingQueue<>();
    RawClient client = servers.connect(servers.start(keeping(requests::add)));
    client.post("/", Requests.content(SMALL_BYTES));
    assertThat(client.read("POST").text()).isEqualTo("kept");
    RetainedBytes piece = requests.take().getFirst();
    RetainedBytes other = piece.retain();

    piece.release();

    assertThatThrownBy(piece::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(piece::buffer).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(piece::retain).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> piece.get(0)).isInstanceOf(IllegalStateException.class);
    piece.close();
    assertThat(other.buffer().isReadOnly()).isTrue();
    assertThat(other.toArray()).isEqualTo(Requests.content(SMALL_BYTES));
    other.close();
  }

  @Test
  void reportsAndReleasesWhatBecameGarbage() {
    HttpServer server = servers.start(keeping(pieces -> {}));
    RawClient client = servers.connect(server);
    client.post("/", Requests.content(SMALL_BYTES));
    assertThat(client.read("POST").text()).isEqualTo("kept");

    Await.until(
        "the loss is logged",
        () ->
            LeakGuard.collect().stream()
                .anyMatch(line -> line.startsWith("retained bytes were lost: 100.")));
    assertThat(servers.log().await(Level.WARNING)).hasSize(1);
  }
}
