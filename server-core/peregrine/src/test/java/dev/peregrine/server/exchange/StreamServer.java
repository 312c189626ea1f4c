package dev.peregrine.server.exchange;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeReuse;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ServerLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges on {@link MemoryStream}s, many on one connection, without HTTP/1. The test is the
 * client: each step is a turn of the connection.
 */
final class StreamServer implements Protocol, AutoCloseable {
  final ScriptedLoop loop = new ScriptedLoop();
  final ServerLog log = new ServerLog();
  final List<String> violations = new ArrayList<>(); // of the seam
  final ExchangeContext context;
  final Connection connection;
  final ScriptedSocket socket = new ScriptedSocket();
  private final StreamPool<MemoryStream> pool;
  private final List<MemoryStream> streams = new ArrayList<>();
  private int pointsUntilFailure; // 0 if none is scripted

  /** A step of a turn. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  StreamServer(Handler handler) {
    this(handler, ServerLimits.builder().build(), null);
  }

  StreamServer(Handler handler, ServerLimits limits, @Nullable JsonCodec json) {
    context =
        new ExchangeContext(
            loop.loop(), handler, limits, json, ErrorRenderer.PLAIN, new ExchangeReuse(0));
    pool = new StreamPool<>(() -> new MemoryStream(this));
    ConnectionGroup group = new ConnectionGroup(loop.loop(), limits);
    loop.atEnd(() -> group.close(CloseReason.SHUTDOWN));
    loop.start();
    connection = loop.call(() -> group.open(socket, this));
  }

  /** Has the seam throw once, at the given point: each of its calls has one before and after it. */
  void failAt(int point) {
    pointsUntilFailure = point;
  }

  /** Returns true once the scripted failure has been thrown. */
  boolean hasFailed() {
    return pointsUntilFailure == 0;
  }

  void passPoint() {
    if (pointsUntilFailure > 0 && --pointsUntilFailure == 0) {
      throw new InternalError("scripted");
    }
  }

  /** Begins a request without content. */
  MemoryStream get(String target, String... fieldLines) {
    return request("GET", target, 0, fieldLines);
  }

  MemoryStream request(String method, String target, long contentLength, String... fieldLines) {
    CompletableFuture<MemoryStream> begun = new CompletableFuture<>();
    turn(
        () -> {
          MemoryStream stream = pool.take();
          begun.complete(stream);
          streams.add(stream);
          String lines = fieldLines.length == 0 ? "" : String.join("\r\n", fieldLines) + "\r\n";
          stream.request(connection, method, target, contentLength, lines);
        });
    return begun.join();
  }

  /** Sends pieces of a request's content; an empty one is its end. */
  void send(MemoryStream stream, String... pieces) {
    for (String piece : pieces) {
      turn(() -> stream.content(Requests.bytes(piece)));
    }
  }

  /** Runs a step in a turn of the connection, and the work that it causes. */
  void turn(Step step) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    connection.execute(
        () -> {
          try {
            step.run();
            done.complete(true);
          } catch (Throwable failure) {
            done.completeExceptionally(failure);
          }
        });
    done.join();
    settle();
  }

  /** Waits until the loop has run the queued tasks, twice, because tasks queue further tasks. */
  void settle() {
    loop.run(() -> {});
    loop.run(() -> {});
  }

  /** Closes the connection as lost. */
  void lose() {
    loop.run(() -> connection.close(CloseReason.CLIENT_RESET));
  }

  void onOver(MemoryStream stream) {
    streams.remove(stream);
    if (stream.reusable) {
      pool.give(stream);
    }
  }

  @Override
  public void close() {
    loop.close();
    log.close();
    if (!violations.isEmpty()) {
      throw new AssertionError("the seam was violated: " + violations);
    }
    if (socket.writes() != 0) {
      throw new AssertionError("an exchange has written to the connection by itself");
    }
  }

  // ---- the protocol ----

  @Override
  public void onInput(Connection from, InboundBuffer in) {
    for (MemoryStream stream : List.copyOf(streams)) {
      stream.advance();
    }
  }

  @Override
  public void onInputEnd(Connection from, InboundBuffer in) {}

  @Override
  public void onClose(Connection closed, CloseReason reason) {
    for (MemoryStream stream : List.copyOf(streams)) {
      if (!stream.over) {
        stream.over = true;
        stream.exchange().abandon(reason);
      }
    }
  }
}
