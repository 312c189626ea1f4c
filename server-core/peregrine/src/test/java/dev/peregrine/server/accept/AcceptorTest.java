package dev.peregrine.server.accept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.watch.LoopWatchdog;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.server.transport.nio.NioTransport;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.MemorySocket;
import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Accepting from a scripted listener, on a loop whose clock the test moves. */
final class AcceptorTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final ServerLog log = new ServerLog();
  private final AtomicLong clock = new AtomicLong();
  private final EventLoop loop;
  private final ScriptedListener listener = new ScriptedListener();
  private final List<StreamSocket> accepted = new ArrayList<>();
  private @Nullable Error refusal;
  private int spare;
  private final FirstConnections first = new FirstConnections(accepted::size);
  private final Acceptor acceptor;
  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final LoopWatchdog watchdog;

  AcceptorTest() throws IOException {
    loop = new EventLoop("accepting", new NioTransport(), clock::get);
    acceptor = new Acceptor(loop, listener, this::take, first, () -> spare-- > 0);
    acceptor.open();
    loop.start();
    watchdog =
        new LoopWatchdog(
            "watching", List.of(loop), Duration.ofDays(1).toNanos(), 0, report -> {}, fatal::add);
  }

  @AfterEach
  void end() throws InterruptedException {
    watchdog.close();
    loop.stop(acceptor::close);
    loop.join();
    log.close();
  }

  private void take(StreamSocket socket) {
    if (refusal != null) {
      throw refusal;
    }
    accepted.add(socket);
  }

  /** Makes the listener ready, with these results of accept, then lets the pause of 100 ms end. */
  private void ready(Object... script) {
    run(() -> listener.ready(script));
    run(() -> clock.addAndGet(SECOND / 8));
    run(() -> {}); // a turn later, in which the timer was due
  }

  private void run(Runnable work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          work.run();
          loop.execute(() -> done.complete(null)); // in a later turn
        });
    done.join();
  }

  @Test
  void triesAgainAfterEveryThrowable() {
    for (Throwable failure :
        List.of(
            new IOException("accept4: Too many open files"),
            new OutOfMemoryError("intended"),
            new StackOverflowError("intended"),
            new NoClassDefFoundError("intended"),
            new IllegalStateException("intended"))) {
      int before = accepted.size();
      ready(failure);
      assertThat(listener.on).isTrue();
      ready(new MemorySocket(List.of()));
      assertThat(accepted).hasSize(before + 1);
    }
    assertThat(fatal).isEmpty();
    assertThat(log.take(Level.SEVERE)).as("once a minute").hasSize(1);
  }

  @Test
  void triesAgainThoughResumingHasFailed() {
    listener.resumptionsToFail = 2;
    ready(new IOException("intended"));
    assertThat(listener.on).isFalse();
    ready();
    assertThat(listener.on).isFalse();
    ready();
    assertThat(listener.on).isTrue();
  }

  @Test
  void closesAConnectionThatCannotBePassedOn() {
    refusal = new OutOfMemoryError("intended");
    MemorySocket lost = new MemorySocket(List.of());
    ready(lost);
    assertThat(lost.isOpen()).isFalse();

    refusal = null;
    ready(new MemorySocket(List.of()));
    assertThat(accepted).hasSize(1);
  }

  @Test
  void takesNoMoreThanTheFirstConnectionsUntilTheLogIsPrepared() {
    ready(sockets(FirstConnections.MAX + 2));
    ready();
    ready();
    assertThat(accepted).hasSize(FirstConnections.MAX);
    assertThat(first.isFull()).isTrue();

    first.unbound();
    ready();
    assertThat(accepted).hasSize(FirstConnections.MAX + 2);
    assertThat(log.take(Level.SEVERE)).isEmpty();
  }

  private static Object[] sockets(int count) {
    return Stream.generate(() -> new MemorySocket(List.of())).limit(count).toArray();
  }

  @Test
  void acceptsSoonAgainIfAnotherConnectionMakesRoom() {
    spare = 1;
    run(() -> listener.ready(new IOException("accept4: Too many open files")));
    assertThat(listener.on).isFalse();
    run(() -> clock.addAndGet(SECOND / 100));
    run(() -> {});
    assertThat(listener.on).isTrue();
    assertThat(log.take(Level.SEVERE)).isEmpty();
  }

  @Test
  void namesTheLimitIfNoDescriptorsAreLeft() {
    ready(new IOException("accept4: Too many open files"));
    LogRecord line = log.take(Level.SEVERE).getFirst();
    assertThat(line.getMessage()).contains("no file descriptors are left", "LimitNOFILE");
    assertThat(line.getThrown()).isNull();
  }

  @Test
  void reportsAListenerThatIsLost() {
    ClosedChannelException lost = new ClosedChannelException();
    ready(lost);
    Await.until("that is reported", () -> !fatal.isEmpty());
    assertThat(fatal).containsExactly(lost);
  }

  @Test
  void reportsFailuresThatLast() {
    Error last = new NoClassDefFoundError("intended");
    ready(last);
    run(() -> clock.addAndGet(29 * SECOND));
    ready(last);
    assertThat(fatal).isEmpty();
    run(() -> clock.addAndGet(SECOND));
    ready(last);
    Await.until("that is reported", () -> !fatal.isEmpty());
    assertThat(fatal).containsExactly(last);
  }

  @Test
  void reportsNoFailuresWithASuccessBetweenThem() {
    for (int i = 0; i < 5; i++) {
      ready(new NoClassDefFoundError("intended"));
      run(() -> clock.addAndGet(20 * SECOND));
      ready(new MemorySocket(List.of()));
    }
    assertThat(fatal).isEmpty();
  }

  @Test
  void reportsNoShortageOfDescriptorsHoweverLongItLasts() {
    for (int i = 0; i < 5; i++) {
      ready(new IOException("accept4: Too many open files"));
      run(() -> clock.addAndGet(60 * SECOND));
    }
    assertThat(fatal).isEmpty();
    assertThat(log.take(Level.SEVERE))
        .extracting(LogRecord::getMessage)
        .allMatch(text -> text.startsWith("accept failed; retrying in 100 ms"));
  }

  /** Used on the loop's thread, except for fields that a test reads afterwards. */
  private static final class ScriptedListener implements Listener {
    private final Deque<Object> script = new ArrayDeque<>();
    private @Nullable ReadyHandler handler;
    volatile boolean on = true;
    volatile int resumptionsToFail;

    void ready(Object... next) {
      script.addAll(List.of(next));
      ReadyHandler told = handler;
      if (!on || told == null) {
        return;
      }
      try {
        told.onReady(0);
      } catch (Throwable failure) {
        told.onFailure(failure);
      }
    }

    @Override
    public void attach(Poller poller, ReadyHandler readyHandler) {
      handler = readyHandler;
    }

    @Override
    public @Nullable StreamSocket accept() throws IOException {
      Object next = script.poll();
      if (next instanceof IOException failure) {
        throw failure;
      }
      if (next instanceof RuntimeException failure) {
        throw failure;
      }
      if (next instanceof Error failure) {
        throw failure;
      }
      return (StreamSocket) next;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // on the loop's thread only
    public void listening(boolean wanted) {
      if (wanted && resumptionsToFail > 0) {
        resumptionsToFail--;
        throw new OutOfMemoryError("intended");
      }
      on = wanted;
    }

    @Override
    public long stopListening() {
      return 0;
    }

    @Override
    public SocketAddress localAddress() {
      return new InetSocketAddress(0);
    }

    @Override
    public void close() {}
  }
}
