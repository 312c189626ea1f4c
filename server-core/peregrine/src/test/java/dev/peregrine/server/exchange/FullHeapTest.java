package dev.peregrine.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.message.RequestContent;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.view.ContentInputStream;
import dev.peregrine.server.exchange.view.ExchangeBody;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that wait for each other learn of every end: the steps that tell them need no memory, and
 * those that have failed are done again.
 */
final class FullHeapTest {
  private static final int FULL_BYTES = 64 * 1024;

  private final AtomicReference<Response> responses = new AtomicReference<>();
  private final AtomicReference<@Nullable RequestBody> body = new AtomicReference<>();

  /** A stage that keeps the callback of the server. */
  private static final class KeptStage extends CompletableFuture<Object> {
    private @Nullable BiConsumer<Object, @Nullable Throwable> callback;

    @Override
    @SuppressWarnings("unchecked")
    public CompletableFuture<Object> whenComplete(
        BiConsumer<? super Object, ? super Throwable> action) {
      callback = (BiConsumer<Object, @Nullable Throwable>) (BiConsumer<?, ?>) action;
      return this;
    }

    /** Calls back, and returns the bytes that this has allocated. */
    long end(@Nullable Throwable failure) {
      BiConsumer<Object, @Nullable Throwable> called = Objects.requireNonNull(callback);
      long unused = Allocated.by(Thread.currentThread());
      long before = Allocated.by(Thread.currentThread());
      called.accept("result", failure);
      return Allocated.by(Thread.currentThread()) - before - (before - unused);
    }
  }

  private StreamServer working(KeptStage stage) {
    return new StreamServer(
        (request, response) -> {
          responses.set(response);
          response.async(() -> stage);
        });
  }

  @Test
  void tellsTheLoopOfTheEndOfWorkWithoutMemory() {
    warmUp();
    KeptStage stage = new KeptStage();
    try (StreamServer server = working(stage)) {
      MemoryStream stream = server.get("/");

      long bytes = stage.end(null);
      server.settle();

      assertThat(bytes).isZero();
      assertThat(stream.head).startsWith("500 ");
    }
  }

  @Test
  void tellsTheLoopOfTheFailureOfWorkWithoutMemory() {
    warmUp();
    KeptStage stage = new KeptStage();
    try (StreamServer server = working(stage)) {
      MemoryStream stream = server.get("/");
      Throwable failure = new CompletionException(new OutOfMemoryError("intended"));

      long bytes = stage.end(failure);
      server.settle();

      assertThat(bytes).isZero();
      assertThat(stream.head).startsWith("503 ");
    }
  }

  private void warmUp() {
    KeptStage stage = new KeptStage();
    try (StreamServer server = working(stage)) {
      MemoryStream ignored = server.get("/");
      long bytes = stage.end(null); // classes are loaded
      server.settle();
      assertThat(bytes).isNotNegative();
    }
  }

  @Test
  void callsBackAtTheEndOfAnExchangeWithoutMemory() {
    List<Outcome> outcomes = new ArrayList<>(4);
    Handler handler =
        (request, response) -> response.onComplete(outcomes::add).onComplete(outcomes::add).async();
    try (StreamServer server = new StreamServer(handler)) {
      MemoryStream first = server.get("/");
      MemoryStream second = server.get("/");
      long bytes = server.loop.call(() -> end(first, second));

      assertThat(outcomes).hasSize(4);
      assertThat(bytes).isZero();
    }
  }

  /** Ends two exchanges, and returns the bytes that the second end has allocated. */
  private static long end(MemoryStream first, MemoryStream second) {
    first.exchange().ending.run(null); // classes are loaded
    long unused = Allocated.by(Thread.currentThread());
    long before = Allocated.by(Thread.currentThread());
    second.exchange().ending.run(null);
    return Allocated.by(Thread.currentThread()) - before - (before - unused);
  }

  @Test
  void endsWorkWhoseStageTakesNoCallback() {
    CompletableFuture<Object> refusing =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<Object> whenComplete(
              BiConsumer<? super Object, ? super Throwable> action) {
            throw new OutOfMemoryError("intended");
          }
        };
    try (StreamServer server =
        new StreamServer(
            (request, response) -> {
              try {
                response.async(() -> refusing);
              } catch (OutOfMemoryError full) {
                response.stream().complete();
              }
            })) {
      MemoryStream stream = server.get("/");

      assertThat(stream.head).startsWith("200");
      assertThat(stream.ended).isTrue();
    }
  }

  @Test
  void tellsTheReaderOfContentThatCannotBeTaken() {
    Handler handler =
        (request, response) -> {
          body.set(request.body());
          response.async();
        };
    try (StreamServer server = new StreamServer(handler)) {
      MemoryStream ignored = server.request("POST", "/", HttpStream.UNKNOWN_LENGTH);
      ContentInputStream input = input(server);

      Throwable failure = catchThrowable(() -> input.onData(new ReceivedBytes()));

      assertThat(failure).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(input::read)
          .isInstanceOf(IOException.class)
          .hasMessage("the content can't be held")
          .cause()
          .isSameAs(failure);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resumesByALaterCallIfOneHasFailed(boolean byClose) {
    try (StreamServer server =
        new StreamServer(
            (request, response) -> {
              responses.set(response);
              body.set(request.body());
              request.body().receive(Listeners.of(data -> {}, () -> {}));
            })) {
      MemoryStream stream = server.request("POST", "/", HttpStream.UNKNOWN_LENGTH);
      RequestContent content = stream.exchange().content();
      ContentInputStream input = input(server);
      server.turn(() -> fill(server, input));
      assertThat(content.isHungry()).isFalse();

      // on another thread without async, which fails as a lack of memory would
      assertThatThrownBy(() -> input.read(new byte[FULL_BYTES], 0, FULL_BYTES))
          .isInstanceOf(IllegalStateException.class);
      server.turn(() -> Objects.requireNonNull(responses.get()).async());
      CompletableFuture<Integer> later =
          CompletableFuture.supplyAsync(() -> byClose ? close(input) : read(input));

      Await.until("content is taken again", () -> server.loop.call(content::isHungry));
      server.turn(input::onEnd);
      assertThat(later.join()).isEqualTo(-1);
      server.lose();
      server.loop.run(input::releaseBlocks);
    }
  }

  private static int close(ContentInputStream input) {
    input.close();
    return -1;
  }

  private static int read(ContentInputStream input) {
    try {
      return input.read();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private ContentInputStream input(StreamServer server) {
    ExchangeBody read = (ExchangeBody) Objects.requireNonNull(body.get());
    return new ContentInputStream(read, -1, server.connection.loop().bufferPool());
  }

  private static void fill(StreamServer server, ContentInputStream input) {
    BufferPool pool = server.connection.loop().bufferPool();
    Block block = pool.acquire(FULL_BYTES);
    block.range(0, FULL_BYTES).put(Requests.content(FULL_BYTES));
    input.onData(new ReceivedBytes(block, 0, FULL_BYTES));
    pool.release(block);
  }
}
