package dev.peregrine.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses out of Netty's buffers, and content of requests in them. */
final class ByteBufsIT {
  private static final int CONTENT_BYTES_MAX = 10_000_000;
  private static final int RECEIVE_BUFFER_BYTES = 4 * 1024;
  private static final byte[] LONG = Requests.content(6_000_000);

  @RegisterExtension final Servers servers = new Servers();
  @RegisterExtension final Buffers buffers = new Buffers();

  private RawClient get(Handler handler) {
    return servers.connect(servers.start(handler), RECEIVE_BUFFER_BYTES).get("/");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 70_000, 1_000_000})
  void sendsTheContentOfARequestBack(int length) {
    byte[] content = Requests.content(length);
    CompletableFuture<ByteBuf> received = new CompletableFuture<>();
    Handler echo =
        (request, response) -> {
          response.async();
          ByteBufs.receiveAll(
              request.body(),
              CONTENT_BYTES_MAX,
              buffer -> {
                received.complete(buffer);
                ByteBufs.send(response, buffer);
              });
        };

    RawClient client = servers.connect(servers.start(echo)).post("/", content);

    assertThat(client.read().content()).isEqualTo(content);
    Await.until("it is released", () -> received.join().refCnt() == 0);
  }

  @Test
  void sendsThePiecesOfARequestBackAsTheyArrive() {
    Handler echo =
        (request, response) -> {
          ResponseStream stream = response.async().contentLength(request.body().length()).stream();
          request.body().receive(new EchoListener(stream));
        };
    RawClient client = servers.connect(servers.start(echo));

    CompletableFuture<Void> sent = client.sendMeanwhile(Requests.post("/", LONG));

    assertThat(client.read().content()).isEqualTo(LONG);
    sent.join();
  }

  private record EchoListener(ResponseStream stream) implements BodyListener {
    @Override
    public void onData(Bytes data) {
      ByteBufs.write(stream, ByteBufs.retain(data));
    }

    @Override
    public void onEnd() {
      stream.complete();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1024, 16 * 1024 + 1, 300_000, 6_000_000})
  void releasesABufferWhenItsBytesHaveGone(int length) {
    byte[] content = Requests.content(length);
    ByteBuf buffer = buffers.direct(content);

    RawClient client = get((request, response) -> ByteBufs.send(response, buffer));

    assertThat(client.read().content()).isEqualTo(content);
    Await.until("it is released", () -> buffer.refCnt() == 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100_000})
  void sendsThePartsOfACompositeBuffer(int length) {
    byte[] part = Requests.content(length);
    CompositeByteBuf whole = buffers.composite();
    whole.addComponent(true, buffers.direct(part));
    whole.addComponent(true, Unpooled.wrappedBuffer(part));
    whole.addComponent(true, buffers.direct(part).readerIndex(1));

    RawResponse response = get((request, answer) -> ByteBufs.send(answer, whole)).read();

    byte[] last = Arrays.copyOfRange(part, 1, length);
    assertThat(response.content()).isEqualTo(Requests.join(part, part, last));
    assertThat(response.header("Content-Length")).isEqualTo("" + (3 * length - 1));
    Await.until("it is released", () -> whole.refCnt() == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void releasesABufferThatHasNoBytesAndNoViewOfThem(boolean asPart) {
    ByteBuf empty = buffers.unmodifiable(new byte[0]);
    Handler handler =
        (request, response) -> {
          if (asPart) {
            ResponseStream stream = response.stream();
            ByteBufs.write(stream, empty);
            stream.complete();
          } else {
            ByteBufs.send(response, empty);
          }
        };

    assertThat(get(handler).read().content()).isEmpty();
    Await.until("it is released", () -> empty.refCnt() == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void releasesABufferWhoseClientHasGone(boolean composite) {
    ByteBuf more = buffers.direct(new byte[SystemBuffers.MORE_BYTES]);
    ByteBuf buffer =
        composite ? buffers.composite().addComponents(true, buffers.direct(LONG), more) : more;
    RawClient client = get((request, response) -> ByteBufs.send(response, buffer));
    client.readBytes(1000);
    assertThat(buffer.refCnt()).isPositive();

    client.close();

    Await.until("it is released", () -> buffer.refCnt() == 0);
  }

  private CompositeByteBuf composite() {
    return buffers.composite().addComponents(true, buffers.direct(LONG), buffers.direct(LONG));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void releasesABufferThatIsNotSent(boolean composite) {
    ByteBuf buffer = composite ? composite() : buffers.direct(LONG);
    RawClient client =
        servers.connect(servers.start((request, response) -> ByteBufs.send(response, buffer)));

    client.send(Requests.head("/"));

    assertThat(client.read("HEAD").status()).isEqualTo(200);
    Await.until("it is released", () -> buffer.refCnt() == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void releasesABufferThatCanNotBeSent(boolean composite) {
    ByteBuf second = composite ? composite() : buffers.direct(LONG);

    RawClient client =
        get(
            (request, response) -> {
              response.text("first");
              assertThatThrownBy(() -> ByteBufs.send(response, second))
                  .isInstanceOf(IllegalStateException.class);
            });

    assertThat(client.read().text()).isEqualTo("first");
    Await.until("it is released", () -> second.refCnt() == 0);
  }

  @Test
  void releasesABufferOfTheWrongThread() {
    ByteBuf buffer = buffers.direct(LONG);

    RawClient client =
        get(
            (request, response) -> {
              CompletableFuture<Throwable> thrown = new CompletableFuture<>();
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try {
                          ByteBufs.send(response, buffer);
                        } catch (Throwable failure) {
                          thrown.complete(failure);
                        }
                      });
              assertThat(thrown.join()).isInstanceOf(IllegalStateException.class);
              response.text("not async");
            });

    assertThat(client.read().text()).isEqualTo("not async");
    Await.until("it is released", () -> buffer.refCnt() == 0);
  }

  @Test
  void rejectsABufferThatWasReleased() {
    ByteBuf buffer = buffers.direct(LONG);
    buffer.release();

    RawClient client = get((request, response) -> ByteBufs.send(response, buffer));

    assertThat(client.read().status()).isEqualTo(500);
    servers.log().expectOne(Level.SEVERE, IllegalReferenceCountException.class.getSimpleName());
  }

  @Test
  void sendsAndReportsABufferThatItsSenderReleasesToo() {
    byte[] content = Requests.content(3_000_000);
    ByteBuf buffer = buffers.direct(content);
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/")) {
                ByteBufs.send(response, buffer);
                buffer.release();
                buffers.direct(new byte[content.length]).release(); // would be in its memory
              } else {
                response.text("unharmed");
              }
            });

    RawClient client = servers.connect(server).get("/");

    assertThat(client.read().content()).isEqualTo(content);
    servers.log().expectOne(Level.WARNING, IllegalReferenceCountException.class.getSimpleName());
    assertThat(servers.connect(server).get("/other").read().text()).isEqualTo("unharmed");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 100_000})
  void clientsThatSendTooMuchGet413(int chunkBytes) {
    Handler collect =
        (request, response) ->
            ByteBufs.receiveAll(request.body(), 300_000, buffer -> buffer.release());
    RawClient client = servers.connect(servers.start(collect));

    byte[] content = Requests.content(300_001);
    CompletableFuture<Void> sent =
        client.sendMeanwhile(Requests.chunkedPost("/", content, chunkBytes));

    assertThat(client.read().status()).isEqualTo(413);
    assertThat(sent).isNotNull();
  }

  @Test
  void releasesTheContentOfAClientThatGoesAway() {
    CompletableFuture<Boolean> completed = new CompletableFuture<>();
    Handler collect =
        (request, response) -> {
          response.async().onComplete(outcome -> completed.complete(true));
          ByteBufs.receiveAll(request.body(), CONTENT_BYTES_MAX, ByteBuf::release);
        };
    RawClient client = servers.connect(servers.start(collect));
    client.send(Requests.postHead("/", 1_000_000)).send(Requests.content(500_000));

    client.close(); // afterwards the memory of the server is checked

    assertThat(completed.join()).isTrue();
  }

  @Test
  void releasesABufferThatTheHeapHasNoRoomFor() {
    RawClient client =
        get(
            (request, response) -> {
              releasesWithoutRoom(huge -> ByteBufs.send(response, huge));
              ResponseStream stream = response.stream();
              releasesWithoutRoom(huge -> ByteBufs.write(stream, huge));
              stream.write(Requests.bytes("unharmed")).complete();
            });

    assertThat(client.read().text()).isEqualTo("unharmed");
  }

  private void releasesWithoutRoom(Consumer<ByteBuf> send) {
    ByteBuf huge = buffers.huge(false);

    assertThatThrownBy(() -> send.accept(huge)).isInstanceOf(OutOfMemoryError.class);

    assertThat(huge.refCnt()).isZero();
  }
}
