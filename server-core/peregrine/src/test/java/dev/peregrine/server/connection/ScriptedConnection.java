package dev.peregrine.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ServerLog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** A connection of a scripted socket on a running loop, with checks that tests share. */
abstract class ScriptedConnection {
  static final int HIGH = 10_000;
  static final int LOW = 5_000;
  static final int LINGER_BYTES = 1_000;
  static final long SHORT = TimeUnit.MILLISECONDS.toNanos(20);
  static final long LONG = TimeUnit.HOURS.toNanos(1);

  final ScriptedLoop loop = new ScriptedLoop();
  final RecordingProtocol protocol = new RecordingProtocol();
  final ConnectionGroup group = groupWith(0, LONG, LINGER_BYTES);
  final ScriptedSocket socket = new ScriptedSocket();
  final long idleBytes = loop.loop().bufferPool().bytesInUse();
  final ServerLog log = new ServerLog();

  ScriptedConnection() {
    loop.atEnd(() -> group.close(CloseReason.SHUTDOWN));
    loop.start();
  }

  @AfterEach
  void end() {
    loop.close();
    log.close();
  }

  Connection open() {
    return loop.call(() -> group.open(socket, protocol));
  }

  /**
   * Returns a group that closes connections of clients that receive too slowly; it has its own
   * block.
   */
  ConnectionGroup strict() {
    return loop.call(() -> groupWith(1_000_000_000, LONG, LINGER_BYTES));
  }

  /** Returns a group that waits only a short time for clients to close; it has its own block. */
  ConnectionGroup hasty() {
    return loop.call(() -> groupWith(0, SHORT, LINGER_BYTES));
  }

  /**
   * Returns a group that discards any number of bytes that clients send before they close; it has
   * its own block.
   */
  ConnectionGroup patient() {
    return loop.call(() -> groupWith(0, LONG, Integer.MAX_VALUE));
  }

  private ConnectionGroup groupWith(long bytesPerSecondMin, long lingerNanos, int lingerBytes) {
    ServerLimits limits =
        ServerLimits.builder()
            .outboundHighWater(HIGH)
            .outboundLowWater(LOW)
            .responseBytesPerSecondMin(bytesPerSecondMin)
            .responseRateGrace(Duration.ofNanos(SHORT))
            .lingerTime(Duration.ofNanos(lingerNanos))
            .lingerBytesMax(lingerBytes)
            .build();
    return new ConnectionGroup(loop.loop(), limits);
  }

  void answerWith(int bytes) {
    protocol.input =
        (connection, in) -> {
          if (!in.isEmpty()) {
            in.consumeAll();
            connection.out().append(Requests.content(bytes), 0, bytes);
          }
        };
  }

  void rejectRequests() {
    protocol.input =
        (connection, in) -> {
          in.consumeAll();
          connection.closeAfterFlush(CloseReason.REQUEST_REJECTED);
        };
  }

  void awaitSweeps(Connection connection, int count) {
    AtomicInteger sweeps = new AtomicInteger();
    loop.run(
        () -> {
          protocol.tooSlow = swept -> sweeps.incrementAndGet() < 0;
          connection.attach("something to sweep");
        });
    Await.until("it was swept often", () -> sweeps.get() >= count);
  }

  void expectClosed(CloseReason reason) {
    assertThat(loop.call(() -> protocol.calls.stream().filter(c -> c.startsWith("close")).toList()))
        .containsExactly("close " + reason);
    assertThat(socket.isOpen()).isFalse();
    assertThat(group.size()).isZero();
    expectIdleMemory();
  }

  /** Checks that only the group's block for its next write is in use. */
  void expectIdleMemory() {
    assertThat(loop.call(() -> loop.loop().bufferPool().bytesInUse()))
        .isBetween(idleBytes, idleBytes + 64 * 1024);
  }
}
