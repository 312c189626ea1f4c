package dev.peregrine.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.turn.LostWork;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** The sweep of a group over its connections: deadlines, data rates, and closed connections. */
final class ConnectionSweepTest extends ScriptedConnection {
  private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int SWEEP_TICKS = 5; // at most, between two checks of a connection

  @Test
  void reportsADeadlineOnce() {
    Connection connection = open();

    loop.run(() -> connection.setDeadline(Deadline.REQUEST_HEAD, connection.nanos() + SHORT));
    Await.until(
        "the deadline has passed",
        () -> loop.call(() -> protocol.calls.contains("deadline REQUEST_HEAD")));
    awaitSweeps(connection, 5);

    assertThat(loop.call(() -> protocol.calls.stream().filter(c -> c.startsWith("dead")).count()))
        .isEqualTo(1);
  }

  /** As if the thread that had to hand it over had come to the end of its stack. */
  @Test
  void handsOverWorkThatWasWithoutATurnForASecond() {
    Connection connection = open();
    List<String> turns = Collections.synchronizedList(new ArrayList<>());

    loop.run(
        () -> {
          LostWork.add(connection.turns(), () -> turns.add("lost"));
          connection.execute(() -> turns.add("next"));
          skip(group, LOST_NANOS - 2 * group.clock.tickNanos);
          assertThat(turns).isEmpty(); // here, because ticks follow that are not skipped
        });

    loop.run(() -> skip(group, 3 * group.clock.tickNanos));
    Await.until("it has run", () -> turns.size() == 2);
    assertThat(turns).containsExactly("lost", "next");
    log.expectOne(Level.SEVERE, "without a turn");
    loop.run(() -> connection.execute(() -> turns.add("later")));
    Await.until("it has run", () -> turns.size() == 3);
  }

  @Test
  void sendsBytesWhoseSocketWouldNotTellThatItIsWritable() {
    answerWith(100);
    Connection connection = open();

    loop.run(
        () -> {
          socket.takePerWrite(() -> 60).receive("a").ready(Ready.READ);
          assertThat(socket.interest() & Ready.WRITE).isNotZero();
          socket.interest(Ready.READ); // a fault
          skip(group, LOST_NANOS);
        });

    assertThat(socket.written()).isEqualTo(Requests.content(100));
    assertThat(loop.call(() -> connection.output().unsentBytes())).isZero();
    log.expectOne(Level.SEVERE, "would not have been sent");
  }

  /** Not all fits into the write of the sweep; the rest leaves as usual. */
  @Test
  void hasASocketTellAgainThatItIsWritable() {
    answerWith(100);
    Connection ignored = open();

    loop.run(
        () -> {
          socket.takePerWrite(() -> 20).receive("a").ready(Ready.READ);
          socket.interest(Ready.READ); // a fault
          skip(group, LOST_NANOS);
          socket.serve();
        });

    assertThat(socket.written()).isEqualTo(Requests.content(100));
    log.expectOne(Level.SEVERE, "would not have been sent");
  }

  @Test
  void sendsWhatTheProtocolHasForgotten() {
    protocol.writable = sending -> sending.out().append(Requests.content(10), 0, 10);
    Connection connection = open();

    loop.run(
        () -> {
          connection.attach("something to look at");
          protocol.forgotten = of -> socket.written().length == 0;
          skip(group, LOST_NANOS);
        });

    assertThat(socket.written()).isEqualTo(Requests.content(10));
    log.expectOne(Level.SEVERE, "would not have been sent");
  }

  @Test
  void leavesBytesAloneThatWaitForTheClient() {
    answerWith(100);
    Connection connection = open();

    loop.run(
        () -> {
          socket.takePerWrite(() -> 60).receive("a").ready(Ready.READ);
          connection.attach("something to look at");
          protocol.forgotten = of -> true; // it may wait for the socket
          skip(group, LOST_NANOS);
        });

    assertThat(socket.writes()).isEqualTo(1);
  }

  private static void skip(ConnectionGroup group, long nanos) {
    for (long skipped = 0; skipped < nanos; skipped += group.clock.tickNanos) {
      group.sweep.skipTick();
    }
  }

  @Test
  void reportsNoDeadlineThatWasCleared() {
    Connection connection = open();

    loop.run(
        () -> {
          connection.setDeadline(Deadline.REQUEST_HEAD, connection.nanos() + SHORT / 2);
          connection.clearDeadline();
        });
    awaitSweeps(connection, 5);

    assertThat(loop.call(() -> protocol.calls.contains("deadline REQUEST_HEAD"))).isFalse();
  }

  @Test
  void leavesTheRestOfManyDueConnectionsToLaterTurns() {
    int many = 1_000;
    protocol.deadline = connection -> connection.close(CloseReason.IDLE);
    loop.run(
        () -> {
          for (int i = 0; i < many; i++) {
            Connection connection = group.open(new ScriptedSocket(), protocol);
            connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos());
          }
          group.sweep.skipTick();
          assertThat(group.size()).isEqualTo(many - 64);
        });

    Await.until("all are closed", () -> group.size() == 0);
  }

  @Test
  void readsArrivedBytesBeforeItReportsADeadline() {
    protocol.input =
        (connection, in) -> {
          protocol.consume(in, in.to() - in.from());
          connection.clearDeadline();
        };
    Connection connection = open();

    loop.run(
        () -> {
          connection.setDeadline(Deadline.REQUEST_HEAD, connection.nanos());
          socket.receive("in time, but not read yet");
          group.sweep.skipTick();
        });

    assertThat(protocol.calls).containsExactly("open", "input 25");
  }

  @Test
  void readsArrivedBytesBeforeItEndsALateHandshake() {
    Connection connection = open();

    loop.run(
        () -> {
          socket.handshakeUntilReceived(HANDSHAKE_NANOS).receive("the last flight");
          skip(group, 2 * HANDSHAKE_NANOS);
        });

    assertThat(connection.isOpen()).isTrue();
  }

  @Test
  void endsALateHandshake() {
    Connection connection = open();

    loop.run(
        () -> {
          socket.handshakeUntilReceived(HANDSHAKE_NANOS);
          skip(group, HANDSHAKE_NANOS - 2 * SWEEP_TICKS * group.clock.tickNanos);
          assertThat(connection.isOpen()).isTrue();
          skip(group, 4 * SWEEP_TICKS * group.clock.tickNanos);
        });

    expectClosed(CloseReason.CLIENT_RESET);
  }

  @Test
  void writesWhatCanBeWrittenBeforeItCutsAClient() {
    answerWith(100);
    ConnectionGroup strict = strict();
    loop.run(
        () -> {
          strict.open(socket, protocol);
          socket.takePerWrite(() -> 1).receive("a").ready(Ready.READ);
          socket.takePerWrite(() -> 1000);
          for (int i = 0; i < 1000; i++) {
            strict.sweep.skipTick();
          }
        });

    assertThat(socket.isOpen()).isTrue();
    assertThat(socket.written()).isEqualTo(Requests.content(100));
    loop.run(() -> strict.close(CloseReason.SHUTDOWN));
  }

  @Test
  void doesNotCountTheTimeInWhichTheLoopIsStalled() {
    ConnectionGroup hasty = hasty();
    Connection connection = loop.call(() -> hasty.open(socket, protocol));
    int ticks = 100;
    int turns = 3;
    CompletableFuture<Long> counted = new CompletableFuture<>();

    loop.run(
        () -> {
          long before = connection.nanos();
          long begun = System.nanoTime();
          while (System.nanoTime() - begun < ticks * hasty.clock.tickNanos) {
            Thread.onSpinWait();
          }
          inTurns(turns, () -> counted.complete(connection.nanos() - before));
        });

    assertThat(counted.join()).isLessThanOrEqualTo((turns + 3) * hasty.clock.tickNanos);
    loop.run(() -> hasty.close(CloseReason.SHUTDOWN));
  }

  private void inTurns(int turns, Runnable work) {
    loop.loop()
        .schedule(
            0,
            () -> {
              if (turns == 0) {
                work.run();
              } else {
                inTurns(turns - 1, work);
              }
            });
  }

  @Test
  void doesNotJudgeWhatAClientSendsWhileItIsNotRead() {
    answerWith(2 * HIGH);
    protocol.tooSlow = slow -> true;
    Connection connection = open();
    loop.run(
        () -> {
          connection.attach("something to look at");
          socket.takePerWrite(() -> 10).receive("a").ready(Ready.READ);
          for (int i = 0; i < 10; i++) {
            group.sweep.skipTick();
          }
        });
    assertThat(protocol.calls).doesNotContain("sends too slowly");

    loop.run(() -> socket.takePerWrite(() -> 2 * HIGH).serve());

    assertThat(protocol.calls).contains("is read again");
    Await.until(
        "it is reported", () -> loop.call(() -> protocol.calls.contains("sends too slowly")));
  }

  @Test
  void cutsAClientThatTakesTooLittle() {
    ConnectionGroup strict = strict();
    answerWith(100);
    loop.run(
        () -> {
          strict.open(socket, protocol);
          socket.takePerWrite(() -> 1).receive("a").ready(Ready.READ);
        });

    Await.until("it is cut", () -> loop.call(strict::size) == 0);

    assertThat(socket.wasReset()).isTrue();
    expectClosed(CloseReason.CLIENT_TOO_SLOW);
    loop.run(() -> strict.close(CloseReason.SHUTDOWN));
  }

  @Test
  void reportsAClientThatSendsTooLittle() {
    Connection connection = open();
    loop.run(
        () -> {
          protocol.tooSlow = slow -> !protocol.calls.contains("sends too slowly");
          connection.attach("something to look at");
        });

    Await.until(
        "it is reported", () -> loop.call(() -> protocol.calls.contains("sends too slowly")));
  }

  @Test
  void endsMuchThatIsLateInSeveralTurns() {
    int parts = 100;
    List<Integer> ended = new ArrayList<>(); // up to the end of each turn
    Connection connection = open();
    protocol.again = slow -> endedParts() < parts;
    protocol.tooSlow = slow -> endedParts() < parts;
    loop.run(
        () -> {
          connection.attach("something to look at");
          group.sweep.skipTick();
          ended.add(endedParts());
          group.sweep.skipTick();
          ended.add(endedParts());
        });

    assertThat(ended).containsExactly(8, 16);
    Await.until("all is ended", () -> loop.call(this::endedParts) == parts);
  }

  private int endedParts() {
    return Collections.frequency(protocol.calls, "sends too slowly");
  }

  /** A thousand busy connections. The sweep allocates as much for one. */
  @Test
  void sweepsConnectionsWithoutAllocating() {
    int connections = 1000;
    int sweeps = 20;
    AtomicInteger looks = new AtomicInteger();
    protocol.tooSlow = swept -> looks.incrementAndGet() < 0;
    loop.run(
        () -> {
          for (int i = 0; i < connections; i++) {
            group.open(new ScriptedSocket(), protocol).attach("something to look at");
          }
        });
    Await.until("all are looked at", () -> looks.get() >= connections);

    long before = Allocated.by(loop.loop().thread());
    int from = looks.get();
    Await.until("all are looked at often", () -> looks.get() >= from + sweeps * connections);
    long allocated = Allocated.by(loop.loop().thread()) - before;

    assertThat(allocated).isLessThan((long) sweeps * connections * 8);
    loop.run(
        () -> {
          while (group.size() > 0) {
            group.get(0).close(CloseReason.SHUTDOWN);
          }
        });
  }

  @Test
  void isRemovedFromItsGroupInAnyOrder() {
    Seeds.each(
        50,
        random -> {
          List<Connection> open = new ArrayList<>();
          for (int i = 0; i < 200; i++) {
            if (open.isEmpty() || random.nextInt(3) > 0) {
              open.add(loop.call(() -> group.open(new ScriptedSocket(), protocol)));
            } else {
              Connection closed = open.remove(random.nextInt(open.size()));
              loop.run(() -> closed.close(CloseReason.SHUTDOWN));
            }
            assertThat(group.size()).isEqualTo(open.size());
          }
          loop.run(
              () -> {
                for (int i = 0; i < group.size(); i++) {
                  assertThat(open).contains(group.get(i));
                }
                open.forEach(connection -> connection.close(CloseReason.SHUTDOWN));
              });
          assertThat(group.size()).isZero();
        });
  }
}
