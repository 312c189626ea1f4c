package dev.peregrine.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.pace.DataRate;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.testing.ScriptedLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The minimum rate at which clients receive, with the default limits: patterns of writes, by the
 * speed of clients, by the buffers of both systems. Hours pass on the clock of the group, which the
 * test moves.
 */
final class TakingRateTest {
  private static final ServerLimits LIMITS = ServerLimits.DEFAULT;
  private static final long RATE = LIMITS.responseBytesPerSecondMin();
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long GRACE_SECONDS = LIMITS.responseRateGrace().toSeconds();
  private static final long CREDIT_SECONDS = DataRate.TAKING_CREDIT_BYTES_MAX / RATE;

  /** The time between two checks of a connection, and the rounding of the clock. */
  private static final long SWEEP_SECONDS = 3;

  private static final long HOUR_SECONDS = 3600;
  private static final byte[] CONTENT = new byte[20_000_000];
  private static final int LINE_BYTES = 17;

  /** Lines fill the largest buffers in less than this time; later, fewer have the same effect. */
  private static final long FILL_SECONDS = 90;

  private static final int FILLING_LINES = 10_000;
  private static final int LINES = 1_000;
  private static final int BLOCK_BYTES = 64 * 1024;

  /** The patterns in which the application writes. */
  enum Pattern {
    WHOLE,
    BLOCKS,
    FLUSHED_LINES,
    BLOCK_A_MINUTE,
    LINES_AT_TWICE_THE_RATE
  }

  /** The speeds of the client, in bytes per second. */
  enum Speed {
    AT_THE_RATE,
    AT_TWICE_THE_RATE,
    IN_BURSTS,
    FAST_AFTER_A_PAUSE,
    FAST_THEN_AT_THE_RATE;

    long bytes(long second) {
      return switch (this) {
        case AT_THE_RATE -> RATE;
        case AT_TWICE_THE_RATE -> 2 * RATE;
        case IN_BURSTS -> second % 4 == 0 ? 4 * RATE : 0;
        case FAST_AFTER_A_PAUSE -> second < 2 * GRACE_SECONDS ? 0 : 300_000;
        case FAST_THEN_AT_THE_RATE -> second < 30 ? 300_000 : RATE;
      };
    }
  }

  /** Bytes that a client reads in a second. */
  @FunctionalInterface
  private interface Reading {
    long bytes(long second);
  }

  /** The buffers of both systems. */
  enum Systems {
    SMALL(16_384, 8_192, 4_096),
    WINDOW_OF_A_SEGMENT(2_500_000, 65_536, 65_483),
    LARGE(2_500_000, 6 << 20, (6 << 20) / 16);

    final long sendBufferBytes;
    final long receiveBufferBytes;
    final long announcedBytes;

    Systems(long sendBufferBytes, long receiveBufferBytes, long announcedBytes) {
      this.sendBufferBytes = sendBufferBytes;
      this.receiveBufferBytes = receiveBufferBytes;
      this.announcedBytes = announcedBytes;
    }

    KernelModel socket(boolean tells) {
      return new KernelModel(sendBufferBytes, receiveBufferBytes, announcedBytes, tells);
    }
  }

  private final ScriptedLoop loop = new ScriptedLoop();
  private final RecordingProtocol protocol = new RecordingProtocol();
  private final ConnectionGroup group = new ConnectionGroup(loop.loop(), LIMITS);
  private long taken;
  private long lastTakenSecond;
  private long waitingSince;

  TakingRateTest() {
    loop.atEnd(() -> group.close(CloseReason.SHUTDOWN));
    loop.start();
  }

  @AfterEach
  void end() {
    loop.close();
  }

  static Stream<Arguments> steady() {
    List<Arguments> all = new ArrayList<>();
    for (Pattern pattern : Pattern.values()) {
      for (Speed speed : Speed.values()) {
        for (Systems systems : Systems.values()) {
          all.add(Arguments.of(pattern, speed, systems, true));
          all.add(Arguments.of(pattern, speed, systems, false));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("steady")
  void neverCutsAClientThatTakesItsResponseAtTheRate(
      Pattern pattern, Speed speed, Systems systems, boolean tells) {
    KernelModel socket = systems.socket(tells);

    long end = loop.call(() -> serve(socket, pattern, speed::bytes, 3 * HOUR_SECONDS));

    assertThat(end).isEqualTo(3 * HOUR_SECONDS);
    assertThat(taken).isPositive();
  }

  static Stream<Arguments> everything() {
    List<Arguments> all = new ArrayList<>();
    for (Pattern pattern : Pattern.values()) {
      for (Systems systems : Systems.values()) {
        all.add(Arguments.of(pattern, systems, true));
        all.add(Arguments.of(pattern, systems, false));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("everything")
  void cutsAClientThatTakesNothingWithinTheCreditOfWhatItsSystemTook(
      Pattern pattern, Systems systems, boolean tells) {
    KernelModel socket = systems.socket(tells);

    long end = loop.call(() -> serve(socket, pattern, second -> 0, 24 * HOUR_SECONDS));

    assertThat(socket.wasReset()).isTrue();
    long creditSeconds =
        tells ? Math.min(socket.acknowledged() / RATE, CREDIT_SECONDS) : CREDIT_SECONDS;
    assertThat(end - waitingSince)
        .isBetween(GRACE_SECONDS - 1, GRACE_SECONDS + creditSeconds + SWEEP_SECONDS);
  }

  @ParameterizedTest
  @MethodSource("everything")
  void cutsAClientThatStopsAfterABurst(Pattern pattern, Systems systems, boolean tells) {
    KernelModel socket = systems.socket(tells);

    long end =
        loop.call(
            () -> serve(socket, pattern, second -> second < 10 ? 1_000_000 : 0, 24 * HOUR_SECONDS));

    assertThat(socket.wasReset()).isTrue();
    assertThat(end - Math.max(waitingSince, lastTakenSecond))
        .isLessThanOrEqualTo(CREDIT_SECONDS + SWEEP_SECONDS);
  }

  @ParameterizedTest
  @MethodSource("everything")
  void cutsAClientThatTakesHalfOfTheRate(Pattern pattern, Systems systems, boolean tells) {
    KernelModel socket = systems.socket(tells);

    long end = loop.call(() -> serve(socket, pattern, second -> RATE / 2, 48 * HOUR_SECONDS));

    assertThat(socket.wasReset()).isTrue();
    // At first it is ahead by the hidden bytes, then it falls behind by half a second every second.
    long hidden = systems.receiveBufferBytes + DataRate.TAKING_CREDIT_BYTES_MAX;
    assertThat(end - waitingSince).isLessThanOrEqualTo(2 * hidden / RATE + SWEEP_SECONDS);
  }

  /** Returns the second in which the connection was cut, or the last one. */
  private long serve(KernelModel socket, Pattern pattern, Reading reading, long seconds)
      throws IOException {
    Connection connection = group.open(socket, protocol);
    boolean waited = false;
    for (long second = 0; second < seconds; second++) {
      write(connection, pattern, second);
      travel(socket, connection);
      read(socket, connection, reading.bytes(second), second);
      for (long nanos = 0; nanos < SECOND && socket.isOpen(); nanos += group.clock.tickNanos) {
        group.sweep.skipTick();
      }
      if (!socket.isOpen()) {
        return second;
      }
      boolean waits = connection.output().unsentBytes() > 0;
      if (waits && !waited) {
        waitingSince = second;
      }
      waited = waits;
    }
    connection.close(CloseReason.SHUTDOWN);
    return seconds;
  }

  private void read(KernelModel socket, Connection connection, long bytes, long second) {
    long left = bytes;
    long read;
    do {
      read = socket.read(left);
      left -= read;
      travel(socket, connection);
    } while (read > 0 && left > 0);
    taken += bytes - left;
    lastTakenSecond = bytes > 0 ? second : lastTakenSecond;
  }

  private static void travel(KernelModel socket, Connection connection) {
    socket.transfer();
    while (socket.isWritable(Ready.WRITE)) {
      connection.onReady(Ready.WRITE);
      socket.transfer();
    }
  }

  private void write(Connection connection, Pattern pattern, long second) {
    connection.turn(
        () -> {
          switch (pattern) {
            case WHOLE -> {
              if (second == 0) {
                append(connection, CONTENT.length);
              }
            }
            case BLOCKS -> {
              while (connection.makeRoom()) {
                append(connection, BLOCK_BYTES);
              }
            }
            case FLUSHED_LINES -> {
              int lines = second < FILL_SECONDS ? FILLING_LINES : LINES;
              for (int i = 0; i < lines && connection.flush(); i++) {
                append(connection, LINE_BYTES);
              }
            }
            case BLOCK_A_MINUTE -> {
              if (second % 60 == 0 && connection.makeRoom()) {
                append(connection, BLOCK_BYTES);
              }
            }
            case LINES_AT_TWICE_THE_RATE -> {
              for (int i = 0; i < 2 * RATE / LINE_BYTES && connection.flush(); i++) {
                append(connection, LINE_BYTES);
              }
            }
          }
        });
  }

  private void append(Connection connection, int bytes) {
    connection.out().append(CONTENT, 0, bytes);
  }
}
