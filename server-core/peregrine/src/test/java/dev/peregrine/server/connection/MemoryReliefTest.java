package dev.peregrine.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.memory.DirectMemory;
import dev.peregrine.server.observe.CloseReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** The connections that are closed when memory has run out. */
final class MemoryReliefTest extends ScriptedConnection {
  private static final long DAY = TimeUnit.DAYS.toNanos(1);
  private static final long MOVED_BYTES_MIN = 1000;
  private static final long HELD_BYTES = MOVED_BYTES_MIN * MemoryRelief.TICKS_MAX;

  private final int none = DirectMemory.shortages();
  private final Map<Connection, Long> held = new HashMap<>();

  MemoryReliefTest() {
    protocol.held = connection -> held.getOrDefault(connection, 0L);
  }

  @Test
  void closesIdleConnectionsIfTheHeapIsFull() {
    Connection busy = open();
    Connection idle = open();
    loop.run(
        () -> {
          idle.setDeadline(Deadline.KEEP_ALIVE, idle.nanos() + DAY);
          MemoryRelief relief = new MemoryRelief(group.turn, group.connections);
          relief.onTick(false, none);
          assertThat(idle.isOpen()).isTrue();
          relief.onTick(true, none);
        });
    assertThat(List.of(busy.isOpen(), idle.isOpen())).containsExactly(true, false);
    log.expectOne(Level.WARNING, "the heap (-Xmx) is full");
    assertThat(protocol.calls).contains("close " + CloseReason.OVERLOADED);
  }

  @Test
  void letsTheProtocolSendItsLastBytesToAClientWhoseConnectionIsSpared() {
    protocol.spared = connection -> connection.out().append(new byte[] {'b', 'y', 'e'}, 0, 3);
    Connection idle = open();
    loop.run(
        () -> {
          idle.setDeadline(Deadline.KEEP_ALIVE, idle.nanos() + DAY);
          new MemoryRelief(group.turn, group.connections).onTick(true, none);
        });
    assertThat(socket.text()).isEqualTo("bye");
    expectClosed(CloseReason.OVERLOADED);
    log.expectOne(Level.WARNING, "the heap (-Xmx) is full");
  }

  @Test
  void closesTheConnectionThatHoldsMostAndReleasesNothing() {
    Connection some = open();
    Connection most = open();
    loop.run(
        () -> {
          held.put(some, 100_000L);
          held.put(most, 200_000L);
          MemoryRelief relief = new MemoryRelief(group.turn, group.connections);
          relief.onTick(false, none);
          relief.onTick(false, none + 1);
          assertThat(most.isOpen()).as("it has a tick to release some").isTrue();
          relief.onTick(false, none + 1);
          assertThat(most.isOpen()).isFalse();
          assertThat(some.isOpen()).isTrue();
        });
  }

  @Test
  void leavesConnectionsThatReleaseMemory() {
    Connection taking = open();
    loop.run(
        () -> {
          MemoryRelief relief = new MemoryRelief(group.turn, group.connections);
          for (int i = 1; i < 100; i++) {
            held.put(taking, 200_000L - i);
            relief.onTick(false, none + i);
          }
        });
    assertThat(taking.isOpen()).isTrue();
  }

  /** A response of which as much arrives from the application as the client takes. */
  @Test
  void leavesAConnectionWhoseContentMovesThoughItsQueueStaysFull() {
    assertThat(isOpenAfterTicks(MOVED_BYTES_MIN)).isTrue();
  }

  @Test
  void closesAConnectionWhoseContentHardlyMoves() {
    assertThat(isOpenAfterTicks(MOVED_BYTES_MIN - 1)).isFalse();
    log.expectOne(Level.INFO, "which held 256000 bytes");
  }

  private boolean isOpenAfterTicks(long movedPerTick) {
    Connection taking = open();
    long[] moved = {0};
    protocol.moved = connection -> moved[0];
    loop.run(
        () -> {
          held.put(taking, HELD_BYTES);
          MemoryRelief relief = new MemoryRelief(group.turn, group.connections);
          for (int i = 1; i < 100; i++) {
            moved[0] += movedPerTick;
            relief.onTick(false, none + i);
          }
        });
    return taking.isOpen();
  }

  @Test
  void closesAStuckConnectionBehindThoseThatMove() {
    List<Connection> moving = List.of(open(), open(), open());
    Connection stuck = open();
    long[] moved = {0};
    protocol.moved = connection -> moving.contains(connection) ? moved[0] : 0;
    loop.run(
        () -> {
          moving.forEach(connection -> held.put(connection, HELD_BYTES));
          held.put(stuck, HELD_BYTES - 1);
          MemoryRelief relief = new MemoryRelief(group.turn, group.connections);
          for (int i = 1; i < 10; i++) {
            moved[0] += MOVED_BYTES_MIN;
            relief.onTick(false, none + i);
          }
        });
    assertThat(moving).allMatch(Connection::isOpen);
    assertThat(stuck.isOpen()).isFalse();
  }

  @Test
  void closesNoOtherConnectionUnlessMemoryRunsOutAgain() {
    Connection some = open();
    Connection most = open();
    loop.run(
        () -> {
          held.put(some, 100_000L);
          held.put(most, 200_000L);
          MemoryRelief relief = new MemoryRelief(group.turn, group.connections);
          for (int i = 0; i < 10; i++) {
            relief.onTick(false, none + 1);
          }
          assertThat(most.isOpen()).isFalse();
          assertThat(some.isOpen()).isTrue();
          relief.onTick(false, none + 2);
          relief.onTick(false, none + 2);
          assertThat(some.isOpen()).isFalse();
        });
  }

  @Test
  void leavesConnectionsThatHoldLittle() {
    Connection connection = open();
    loop.run(
        () -> {
          held.put(connection, MemoryRelief.HELD_BYTES_MAX);
          MemoryRelief relief = new MemoryRelief(group.turn, group.connections);
          for (int i = 1; i < 100; i++) {
            relief.onTick(false, none + i);
          }
        });
    assertThat(connection.isOpen()).isTrue();
  }
}
