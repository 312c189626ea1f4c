package dev.peregrine.http.multipart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How listeners and readers of forms end, and the bytes that they are lent. */
final class MultipartEndIT {
  private static final byte[] FORM =
      new MultipartText().field("a", "value").field("b", "more").end();

  @RegisterExtension final Servers servers = new Servers();

  /** The calls of a listener. */
  enum Call {
    PART,
    DATA,
    PART_END,
    END,
    ERROR
  }

  /** Notes its calls, and throws in one of them. */
  private static final class Notes implements MultipartListener {
    private final List<Call> calls = new ArrayList<>();
    private final @Nullable Call failing;
    private final Exception failure;
    final CompletableFuture<PartHead> begun = new CompletableFuture<>();
    final CompletableFuture<IOException> error = new CompletableFuture<>();

    Notes(@Nullable Call failing, Exception failure) {
      this.failing = failing;
      this.failure = failure;
    }

    private void note(Call call) throws Exception {
      calls.add(call);
      if (call == failing) {
        throw failure;
      }
    }

    @Override
    public void onPart(PartHead part) throws Exception {
      begun.complete(part);
      note(Call.PART);
    }

    @Override
    public void onData(Bytes data) throws Exception {
      note(Call.DATA);
    }

    @Override
    public void onPartEnd() throws Exception {
      note(Call.PART_END);
    }

    @Override
    public void onEnd() throws Exception {
      note(Call.END);
    }

    @Override
    public void onError(IOException cause) {
      calls.add(Call.ERROR);
      error.complete(cause);
      if (failing == Call.ERROR) {
        throw new IllegalStateException("intended");
      }
    }
  }

  private HttpServer start(Notes notes) {
    return servers.start(
        (request, response) ->
            MultipartFlow.receive(request, response, MultipartLimits.DEFAULTS, notes));
  }

  @ParameterizedTest
  @EnumSource(names = "ERROR", mode = EnumSource.Mode.EXCLUDE)
  void isNotCalledAfterItHasThrown(Call failing) {
    Notes notes = new Notes(failing, new IllegalStateException("intended"));
    HttpServer server = start(notes);

    RawResponse response =
        servers.connect(server).send(MultipartText.post(MultipartText.TYPE, FORM)).read();

    assertThat(response.status()).isEqualTo(500);
    servers.log().await(Level.SEVERE);
    assertThat(notes.calls).containsOnlyOnce(failing).endsWith(failing);
  }

  @ParameterizedTest
  @EnumSource(names = "ERROR", mode = EnumSource.Mode.EXCLUDE)
  void choosesTheStatusOfItsFailure(Call failing) {
    Notes notes = new Notes(failing, new HttpException(422, "own text"));
    HttpServer server = start(notes);

    RawResponse response =
        servers.connect(server).send(MultipartText.post(MultipartText.TYPE, FORM)).read();

    assertThat(response.status()).isEqualTo(422);
    assertThat(response.text()).isEqualTo("own text\n");
    assertThat(notes.calls).endsWith(failing);
  }

  @Test
  void isNotifiedOfMalformedContent() {
    Notes notes = new Notes(null, new IOException());
    HttpServer server = start(notes);

    RawResponse response =
        servers
            .connect(server)
            .send(MultipartText.post(MultipartText.TYPE, Requests.bytes("--XX-x")))
            .read();

    assertThat(response.status()).isEqualTo(400);
    assertThat(notes.error.join())
        .isInstanceOfSatisfying(
            ContentRejectedException.class,
            rejected -> assertThat(rejected.status()).isEqualTo(400));
    assertThat(notes.calls).containsExactly(Call.ERROR);
  }

  @Test
  void isNotifiedOfAFormWithoutItsEnd() {
    Notes notes = new Notes(null, new IOException());
    HttpServer server = start(notes);
    byte[] cut = new MultipartText().field("a", "value").raw("--XX").end();

    RawResponse response =
        servers
            .connect(server)
            .send(MultipartText.post(MultipartText.TYPE, Arrays.copyOf(cut, 60)))
            .read();

    assertThat(response.status()).isEqualTo(400);
    assertThat(notes.error.join()).hasMessageContaining("it ends before its last boundary");
    assertThat(notes.calls).containsOnlyOnce(Call.ERROR).doesNotContain(Call.END);
  }

  @Test
  void isNotifiedWhenTheClientHasGone() {
    Notes notes = new Notes(null, new IOException());
    HttpServer server = start(notes);
    RawClient client = servers.connect(server);
    client.send(MultipartText.head(MultipartText.TYPE, FORM.length)).send(FORM, 0, 70);
    notes.begun.join();

    client.reset();

    assertThat(notes.error.join()).isNotInstanceOf(ContentRejectedException.class);
    assertThat(notes.calls).endsWith(Call.ERROR);
  }

  @Test
  void rejectsContentEvenIfItsListenerThrowsThen() {
    Notes notes = new Notes(Call.ERROR, new IOException());
    HttpServer server = start(notes);

    RawResponse response =
        servers
            .connect(server)
            .send(MultipartText.post(MultipartText.TYPE, Requests.bytes("--XX-x")))
            .read();

    assertThat(response.status()).isEqualTo(400);
    servers.log().await(Level.SEVERE);
  }

  @Test
  void lendsBytesDuringTheCallOnly() {
    List<Bytes> kept = new ArrayList<>();
    HttpServer server =
        servers.start(
            (request, response) ->
                MultipartFlow.receive(
                    request,
                    response,
                    MultipartLimits.DEFAULTS,
                    new MultipartListener() {
                      @Override
                      public void onPart(PartHead part) {}

                      @Override
                      public void onData(Bytes data) {
                        check(data);
                        kept.add(data);
                      }

                      @Override
                      public void onPartEnd() {}

                      @Override
                      public void onEnd() {
                        response.text("fine");
                      }
                    }));
    byte[] form = new MultipartText().field("a", "value").end();

    assertThat(
            servers
                .connect(server)
                .send(MultipartText.post(MultipartText.TYPE, form))
                .read()
                .text())
        .isEqualTo("fine");

    assertThat(kept).hasSize(1);
    Bytes late = kept.getFirst();
    assertThatThrownBy(late::length).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(late::toArray).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> late.get(0)).isInstanceOf(IllegalStateException.class);
  }

  private static void check(Bytes data) {
    assertThat(data.length()).isEqualTo(5);
    assertThat(data.get(1)).isEqualTo((byte) 'a');
    assertThat(data.toString(StandardCharsets.US_ASCII)).isEqualTo("value");
    byte[] target = new byte[4];
    data.copyTo(2, target, 1, 3);
    assertThat(target).isEqualTo(new byte[] {0, 'l', 'u', 'e'});
    ByteBuffer buffer = ByteBuffer.allocate(3);
    assertThat(data.copyTo(3, buffer)).isEqualTo(2);
    assertThat(buffer.position()).isEqualTo(2);
    assertThatThrownBy(() -> data.get(5)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> data.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> data.copyTo(3, target, 0, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void failsAtEachCallAfterAReadThatWasInterrupted() {
    CompletableFuture<Throwable> first = new CompletableFuture<>();
    CompletableFuture<Throwable> second = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (MultipartReader parts =
                      MultipartReader.open(request, MultipartLimits.DEFAULTS)) {
                    assertThat(parts.next()).isNotNull();
                    Thread.currentThread().interrupt();
                    first.complete(catchThrowable(parts::next));
                    boolean ignored = Thread.interrupted();
                    second.complete(catchThrowable(parts::next));
                  }
                  response.send();
                }));
    int begin = FORM.length - 40;

    RawClient client =
        servers
            .connect(server)
            .send(MultipartText.head(MultipartText.TYPE, FORM.length))
            .send(FORM, 0, begin);
    assertThat(first.join()).isInstanceOf(IOException.class).hasMessage("interrupted");
    client.send(FORM, begin, FORM.length - begin);

    assertThat(second.join())
        .isInstanceOf(IOException.class)
        .hasMessage("reading the form has failed before")
        .hasCause(first.join());
    assertThat(client.read().status()).isEqualTo(200);
  }

  @Test
  void hasNoBytesAvailableAfterItWasClosed() {
    CompletableFuture<List<Integer>> available = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  MultipartReader parts = MultipartReader.open(request, MultipartLimits.DEFAULTS);
                  InputStream part = Objects.requireNonNull(parts.next()).inputStream();
                  int read = part.read();
                  int before = part.available();
                  parts.close();
                  available.complete(List.of(read, before, part.available()));
                  response.send();
                }));

    servers.connect(server).send(MultipartText.post(MultipartText.TYPE, FORM)).read();

    assertThat(available.join()).containsExactly((int) 'v', 4, 0);
  }

  @Test
  void endsThePartsBeforeTheCurrentOne() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  MultipartReader parts = MultipartReader.open(request, MultipartLimits.DEFAULTS);
                  Part first = Objects.requireNonNull(parts.next());
                  InputStream stream = first.inputStream();
                  assertThat(stream.read()).isEqualTo('v');
                  assertThat(stream.available()).isEqualTo(4);
                  assertThat(stream.skip(1)).isEqualTo(1);
                  Part second = Objects.requireNonNull(parts.next());
                  assertThatThrownBy(stream::read).isInstanceOf(IOException.class);
                  assertThatThrownBy(first::text).isInstanceOf(IOException.class);
                  assertThat(second.text()).isEqualTo("more");
                  assertThat(second.text()).isEmpty();
                  parts.close();
                  assertThat(parts.next()).isNull();
                  parts.close();
                  response.text("fine");
                }));

    RawResponse response =
        servers.connect(server).send(MultipartText.post(MultipartText.TYPE, FORM)).read();

    assertThat(response.text()).isEqualTo("fine");
  }

  @Test
  void mustNotBlockAnEventLoop() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThatThrownBy(() -> MultipartReader.open(request, MultipartLimits.DEFAULTS))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("Handlers.blocking");
              response.text("fine");
            });

    RawResponse response =
        servers.connect(server).send(MultipartText.post(MultipartText.TYPE, FORM)).read();

    assertThat(response.text()).isEqualTo("fine");
  }
}
