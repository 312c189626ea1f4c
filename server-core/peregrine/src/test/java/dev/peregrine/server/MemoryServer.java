package dev.peregrine.server;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.accept.CutShort;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.start.HttpProtocols;
import dev.peregrine.server.start.ServerSettings;
import dev.peregrine.testing.MemorySocket;
import dev.peregrine.testing.MemoryTransport;
import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/** One worker of a server, whose connections are {@link MemorySocket}s instead of real ones. */
public final class MemoryServer implements AutoCloseable {
  private static final long CONVERSATION_SECONDS_MAX = 120;

  private static final int LOGGED_LEVEL_LEAST = Level.WARNING.intValue();

  private final Worker worker;
  private final long idleBytes;
  private final ServerLog log = new ServerLog();
  private @Nullable String expected; // in the log

  public MemoryServer(Handler handler, ServerLimits limits, ScannerKind scanner) {
    this(handler, Peregrine.builder().limits(limits), scanner);
  }

  /** Creates a server whose exchanges are reported to a listener. */
  public MemoryServer(Handler handler, ServerLimits limits, ExchangeListener listener) {
    this(
        handler, Peregrine.builder().limits(limits).exchangeListener(listener), ScannerKind.best());
  }

  private MemoryServer(Handler handler, HttpServerBuilder builder, ScannerKind scanner) {
    ServerSettings options = builder.handler(handler).options();
    MemoryTransport transport = new MemoryTransport();
    try {
      worker =
          new Worker(
              "memory",
              transport,
              options.memory(transport),
              options.limits,
              new HttpProtocols(options, options.parser(scanner)),
              List.of(EndpointOptions.DEFAULT));
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    if (!options.exchangeListeners.isEmpty()) {
      worker.connections.record().observeBy(options.connectionListeners);
    }
    idleBytes = worker.loop.bufferPool().bytesInUse();
    worker.loop.start();
  }

  /** Permits problems to be logged whose description contains a text. */
  public void expectLogged(String text) {
    expected = text;
  }

  /** Sends the pieces, one after the other, then the end of the stream; returns when it is over. */
  public MemorySocket converse(List<byte[]> pieces) {
    return converse(new MemorySocket(pieces));
  }

  /**
   * Runs a connection to its end; checks that it holds no memory and that no problem was logged.
   */
  public MemorySocket converse(MemorySocket socket) {
    CountDownLatch idle = new CountDownLatch(1);
    worker.loop.execute(
        () -> {
          ((MemoryTransport.MemoryPoller) worker.loop.poller()).whenIdle(idle);
          worker.connections.count().reserve();
          worker.open(0, socket);
        });
    try {
      if (!idle.await(CONVERSATION_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new AssertionError("the conversation doesn't end");
      }
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
    List<LogRecord> logged = log.take(Level.ALL);
    if (logged.stream().anyMatch(this::isProblem)) {
      AssertionError failure =
          new AssertionError(logged.stream().map(ServerLog::describe).toList());
      logged.stream()
          .map(LogRecord::getThrown)
          .filter(Objects::nonNull)
          .forEach(failure::addSuppressed);
      throw failure;
    }
    if (worker.connections.size() != 0) {
      throw new AssertionError("the connection is still open, though the client has ended it");
    }
    long left = worker.loop.bufferPool().bytesInUse() - idleBytes;
    if (left != 0) {
      throw new AssertionError(left + " bytes of buffers are left behind the connection");
    }
    return socket;
  }

  private boolean isProblem(LogRecord record) {
    return record.getLevel().intValue() >= LOGGED_LEVEL_LEAST
        && (expected == null || !ServerLog.describe(record).contains(expected));
  }

  @Override
  public void close() {
    worker.stop(new CutShort());
    try {
      worker.loop.join();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    log.close();
  }
}
