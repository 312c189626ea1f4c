package dev.peregrine.server.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.loop.Ready;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ScriptedSocket.Operation;
import dev.peregrine.testing.Seeds;
import dev.peregrine.testing.ServerLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionTest {
  private static final int HIGH = 10_000;
  private static final int LOW = 5_000;
  private static final int LINGER_BYTES = 1_000;
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(20);
  private static final ConnectionLimits LIMITS =
      new ConnectionLimits(HIGH, LOW, 0, SHORT, SHORT, LINGER_BYTES);

  private final ScriptedLoop loop = new ScriptedLoop();
  private final RecordingProtocol protocol = new RecordingProtocol();
  private final ConnectionGroup group = new ConnectionGroup(loop.loop(), protocol, LIMITS, SHORT);
  private final ScriptedSocket socket = new ScriptedSocket();
  private final long idleBytes = loop.loop().arena().bytesInUse();
  private final ServerLog log = new ServerLog();

  ConnectionTest() {
    loop.atEnd(() -> group.close(CloseReason.SHUTDOWN));
    loop.start();
  }

  @AfterEach
  void end() {
    loop.close();
    log.close();
  }

  @Test
  void waitsForBytesWithoutHoldingAny() {
    Connection connection = open();

    assertThat(protocol.calls).containsExactly("open");
    assertThat(socket.interest()).isEqualTo(Ready.READ);
    assertThat(connection.isOpen()).isTrue();
    assertThat(group.size()).isEqualTo(1);
    expectIdleMemory();
  }

  @Test
  void passesBytesOn() {
    open();

    loop.run(() -> socket.receive("abc").receive("de").serve());

    assertThat(protocol.calls).containsExactly("open", "input 3", "input 2");
    assertThat(protocol.consumed).hasToString("abcde");
    expectIdleMemory();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4031, 4032, 4096, 4097, 60_000, 65_472, 65_473, 200_000})
  void carriesUnconsumedBytesOver(int size) {
    byte[] content = Requests.content(size);
    protocol.input =
        (connection, in) -> {
          if (in.to() - in.from() == size) {
            protocol.consume(in, size);
          }
        };
    open();

    loop.run(
        () -> {
          socket.receive(content).serve();
          socket.receive(content).serve();
        });

    assertThat(protocol.consumed.toByteArray()).isEqualTo(Requests.join(content, content));
    expectIdleMemory();
  }

  @Test
  void carriesTheRestOverThatWasNotConsumed() {
    protocol.input = (connection, in) -> protocol.consume(in, (in.to() - in.from()) / 2);
    open();

    loop.run(() -> socket.receive("abcdefgh").receive("ijkl").receive("mn").serve());

    assertThat(protocol.calls).containsExactly("open", "input 8", "input 8", "input 6");
    assertThat(protocol.consumed).hasToString("abcdefghijk");
  }

  @Test
  void writesOnceAtTheEndOfATurn() {
    protocol.input =
        (connection, in) -> {
          protocol.consume(in, in.to() - in.from());
          for (int i = 0; i < 10; i++) {
            connection.out().append(Requests.bytes("answer"), 0, 6);
          }
        };
    open();

    loop.run(() -> socket.receive("a").serve());

    assertThat(socket.text()).isEqualTo("answer".repeat(10));
    assertThat(socket.writes()).isEqualTo(1);
    assertThat(socket.interest()).isEqualTo(Ready.READ);
  }

  @Test
  void waitsUntilItCanWriteOn() {
    answerWith(1000);
    open();
    AtomicInteger capacity = new AtomicInteger(300);
    loop.run(() -> socket.takePerWrite(() -> capacity.getAndSet(0)).receive("a").serve());

    assertThat(socket.written()).hasSize(300);
    assertThat(socket.interest()).isEqualTo(Ready.READ | Ready.WRITE); // not above the mark
    loop.run(() -> socket.takePerWrite(() -> 1).serve());

    assertThat(socket.written()).isEqualTo(Requests.content(1000));
    assertThat(socket.interest()).isEqualTo(Ready.READ);
    expectIdleMemory();
  }

  @Test
  void stopsReadingAboveTheHighWaterMarkAndGoesOnBelowTheLow() {
    answerWith(HIGH);
    Connection connection = open();
    AtomicInteger capacity = new AtomicInteger();
    loop.run(
        () -> socket.takePerWrite(() -> capacity.getAndSet(0)).receive("a").receive("b").serve());

    assertThat(socket.interest()).isEqualTo(Ready.WRITE);
    assertThat(loop.call(connection::isBlocked)).isTrue();
    assertThat(protocol.calls).containsExactly("open", "input 1");

    capacity.set(HIGH - LOW);
    loop.run(socket::serve);
    assertThat(protocol.calls).containsExactly("open", "input 1");

    capacity.set(1);
    loop.run(socket::serve);
    // Told that it may go on, twice: with what was carried over, then with what came.
    assertThat(protocol.calls).containsExactly("open", "input 1", "writable", "input 0", "input 1");
    assertThat(loop.call(connection::isBlocked)).isTrue();

    loop.run(() -> socket.takePerWrite(() -> 777).serve());
    assertThat(socket.written())
        .isEqualTo(Requests.join(Requests.content(HIGH), Requests.content(HIGH)));
    expectIdleMemory();
  }

  @ParameterizedTest
  @ValueSource(ints = {HIGH - 1, HIGH, HIGH + 1})
  void tellsWhoWasToldToWaitThatTheEndOfTheTurnMadeRoom(int bytes) {
    List<Boolean> told = new ArrayList<>();
    protocol.input =
        (connection, in) -> {
          in.consumeAll();
          connection.out().append(Requests.content(bytes), 0, bytes);
          told.add(connection.isBlocked());
          protocol.input = (same, nothing) -> {};
        };
    open();

    loop.run(() -> socket.receive("a").serve());

    assertThat(told).containsExactly(bytes >= HIGH);
    assertThat(protocol.calls.contains("writable")).isEqualTo(bytes >= HIGH);
    assertThat(socket.written()).hasSize(bytes);
    assertThat(socket.interest()).isEqualTo(Ready.READ);
    expectIdleMemory();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, HIGH - 1, HIGH, 5 * HIGH})
  void goesOnWithInputAfterATurnThatWroteMuch(int bytes) {
    protocol.input = (connection, in) -> {};
    Connection connection = open();
    loop.run(() -> socket.receive("abc").serve());
    protocol.input = (same, in) -> protocol.consume(in, in.to() - in.from());

    connection.execute(() -> connection.out().append(Requests.content(bytes), 0, bytes));

    loop.run(() -> {}); // behind it
    assertThat(protocol.consumed).hasToString("abc");
    assertThat(socket.written()).hasSize(bytes);
    expectIdleMemory();
  }

  @Test
  void tellsTheEndOfTheStreamOnceAndReadsNoMore() {
    protocol.inputEnd = (connection, in) -> {};
    Connection connection = open();

    loop.run(() -> socket.receive("a").receiveEnd().serve());

    assertThat(protocol.calls).containsExactly("open", "input 1", "input end");
    assertThat(socket.interest()).isZero();
    assertThat(loop.call(connection::isInputEnded)).isTrue();
    assertThat(loop.call(connection::isOpen)).isTrue();
  }

  @Test
  void endsInOrderWhenTheClientDoes() {
    open();

    loop.run(() -> socket.receiveEnd().serve());

    expectClosed(CloseReason.CLIENT_CLOSED);
    assertThat(socket.wasReset()).isFalse();
  }

  @Test
  void sendsEverythingThenItsEndThenWaitsForTheClients() {
    protocol.input =
        (connection, in) -> {
          in.consumeAll();
          connection.out().append(Requests.content(3000), 0, 3000);
          connection.closeAfterFlush(CloseReason.RESPONSE_COMPLETE);
        };
    open();
    loop.run(() -> socket.takePerWrite(() -> 1000).receive("a").ready(Ready.READ));
    assertThat(socket.isOutputShutDown()).isFalse();
    assertThat(socket.interest()).isEqualTo(Ready.WRITE);

    loop.run(() -> socket.receive("ignored").serve());
    assertThat(socket.written()).isEqualTo(Requests.content(3000));
    assertThat(socket.isOutputShutDown()).isTrue();
    assertThat(socket.isOpen()).isTrue();
    assertThat(protocol.calls).containsExactly("open", "input 1");
    expectIdleMemory();

    loop.run(() -> socket.receiveEnd().serve());
    expectClosed(CloseReason.RESPONSE_COMPLETE);
  }

  @Test
  void closesWhenTheClientSendsTooMuchAfterTheEnd() {
    protocol.input =
        (connection, in) -> {
          in.consumeAll();
          connection.closeAfterFlush(CloseReason.REJECTED);
        };
    open();
    loop.run(() -> socket.receive("a").receive(new byte[LINGER_BYTES]).serve());
    assertThat(socket.isOpen()).isTrue();

    loop.run(() -> socket.receive("b").serve());

    expectClosed(CloseReason.REJECTED);
  }

  @Test
  void closesWhenTheClientTakesTooLongToEnd() {
    protocol.input =
        (connection, in) -> {
          in.consumeAll();
          connection.closeAfterFlush(CloseReason.REJECTED);
        };
    open();
    loop.run(() -> socket.receive("a").serve());

    Await.until("it is closed", () -> loop.call(group::size) == 0);

    expectClosed(CloseReason.REJECTED);
  }

  @Test
  void closesAtOnceWhatTheClientHasEndedAlready() {
    protocol.inputEnd =
        (connection, in) -> {
          connection.out().append(Requests.bytes("bye"), 0, 3);
          connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
        };
    open();

    loop.run(() -> socket.receiveEnd().serve());

    assertThat(socket.text()).isEqualTo("bye");
    expectClosed(CloseReason.CLIENT_CLOSED);
  }

  @Test
  void abortsWithAReset() {
    protocol.input =
        (connection, in) -> {
          connection.out().append(Requests.content(3000), 0, 3000);
          connection.abort(CloseReason.HANDLER_FAILED);
          connection.abort(CloseReason.RESET); // is closed already
          connection.close(CloseReason.RESET);
        };
    open();

    loop.run(() -> socket.receive("abc").serve());

    assertThat(socket.wasReset()).isTrue();
    assertThat(socket.written()).isEmpty();
    expectClosed(CloseReason.HANDLER_FAILED);
  }

  @ParameterizedTest
  @EnumSource(names = {"READ", "WRITE", "SHUTDOWN_OUTPUT"})
  void closesWhenTheSocketFails(Operation operation) {
    protocol.input =
        (connection, in) -> {
          connection.out().append(Requests.content(30), 0, 30);
          connection.closeAfterFlush(CloseReason.RESPONSE_COMPLETE);
        };
    open();

    loop.run(() -> socket.fail(operation).receive("abc").serve());

    expectClosed(CloseReason.RESET);
    assertThat(log.take(Level.INFO)).isEmpty(); // a client can cause it at will
  }

  @Test
  void closesWhenTheSocketFailsAmidAResponse() {
    answerWith(HIGH);
    open();
    loop.run(() -> socket.takePerWrite(() -> 10).receive("a").ready(Ready.READ));

    loop.run(() -> socket.fail(Operation.WRITE).serve());

    expectClosed(CloseReason.RESET);
  }

  @ParameterizedTest
  @EnumSource(names = {"RESET", "CLOSE"})
  void isClosedThoughClosingFails(Operation operation) {
    protocol.input = (connection, in) -> connection.abort(CloseReason.HANDLER_FAILED);
    open();

    loop.run(() -> socket.fail(operation).receive("abc").serve());

    expectClosed(CloseReason.HANDLER_FAILED);
    assertThat(log.take(Level.INFO)).isEmpty();
  }

  @Test
  void isNotOpenedWhenItCannotBeAttached() {
    assertThatThrownBy(() -> loop.run(() -> group.open(socket.fail(Operation.ATTACH))))
        .hasRootCauseInstanceOf(IOException.class);

    assertThat(protocol.calls).containsExactly("close INTERNAL");
    assertThat(group.size()).isZero();
    assertThat(socket.isOpen()).isFalse();
    expectIdleMemory();
  }

  @Test
  void closesWhenItsInterestCannotBeSet() {
    answerWith(100);
    open();

    loop.run(
        () -> {
          socket.fail(Operation.INTEREST).takePerWrite(() -> 10).receive("abc");
          socket.ready(Ready.READ);
        });

    expectClosed(CloseReason.INTERNAL);
    assertThat(log.take(Level.WARNING)).hasSize(1);
  }

  @Test
  void closesAndLogsWhenTheProtocolFails() {
    protocol.input =
        (connection, in) -> {
          connection.out().append(Requests.content(100), 0, 100);
          throw new IllegalStateException("intended");
        };
    open();

    loop.run(() -> socket.receive("abc").serve());

    expectClosed(CloseReason.INTERNAL);
    assertThat(log.take(Level.WARNING)).hasSize(1);
  }

  @Test
  void survivesAProtocolThatFailsAtTheClose() {
    protocol.close =
        () -> {
          throw new IllegalStateException("intended");
        };
    answerWith(100);
    ConnectionGroup strict = strict();
    for (int i = 0; i < 3; i++) {
      ScriptedSocket each = new ScriptedSocket().takePerWrite(() -> 1);
      loop.run(
          () -> {
            strict.open(each);
            each.receive("a").ready(Ready.READ);
          });
    }

    // Whoever comes first, the others are still looked at.
    Await.until("all are cut", () -> loop.call(strict::size) == 0);

    assertThat(log.take(Level.WARNING)).hasSize(3);
    expectIdleMemory();
    loop.run(() -> strict.close(CloseReason.SHUTDOWN));
  }

  @Test
  void tellsADeadlineOnce() {
    Connection connection = open();

    loop.run(() -> connection.setDeadline(Deadline.REQUEST_HEAD, loop.loop().nanos() + SHORT));
    Await.until(
        "the deadline has passed",
        () -> loop.call(() -> protocol.calls.contains("deadline REQUEST_HEAD")));
    awaitSweeps(connection, 5);

    assertThat(loop.call(() -> protocol.calls.stream().filter(c -> c.startsWith("dead")).count()))
        .isEqualTo(1);
  }

  @Test
  void tellsNoDeadlineThatWasCleared() {
    Connection connection = open();

    loop.run(
        () -> {
          connection.setDeadline(Deadline.REQUEST_HEAD, loop.loop().nanos() + SHORT / 2);
          connection.clearDeadline();
        });
    awaitSweeps(connection, 5);

    assertThat(loop.call(() -> protocol.calls.contains("deadline REQUEST_HEAD"))).isFalse();
  }

  @Test
  void cutsAClientThatTakesTooLittle() {
    ConnectionGroup strict = strict();
    answerWith(100);
    loop.run(
        () -> {
          strict.open(socket);
          socket.takePerWrite(() -> 1).receive("a").ready(Ready.READ);
        });

    Await.until("it is cut", () -> loop.call(strict::size) == 0);

    assertThat(socket.wasReset()).isTrue();
    expectClosed(CloseReason.TOO_SLOW);
    loop.run(() -> strict.close(CloseReason.SHUTDOWN));
  }

  @Test
  void tellsAClientThatSendsTooLittle() {
    Connection connection = open();
    loop.run(
        () -> {
          protocol.tooSlow = slow -> !protocol.calls.contains("sends too slowly");
          connection.attach("something to look at");
        });

    Await.until("it is told", () -> loop.call(() -> protocol.calls.contains("sends too slowly")));
  }

  /** A thousand connections at work; what the sweep itself needs is the same for one. */
  @Test
  void looksAtConnectionsWithoutAllocating() {
    int connections = 1000;
    int sweeps = 20;
    AtomicInteger looks = new AtomicInteger();
    protocol.tooSlow = swept -> looks.incrementAndGet() < 0;
    loop.run(
        () -> {
          for (int i = 0; i < connections; i++) {
            group.open(new ScriptedSocket()).attach("something to look at");
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
  void pausesAndResumesReading() {
    protocol.input =
        (connection, in) -> {
          if (!in.isEmpty()) {
            protocol.consume(in, in.to() - in.from());
            connection.limitInput(0);
          }
        };
    Connection connection = open();
    loop.run(() -> socket.receive("a").receive("b").serve());
    assertThat(protocol.consumed).hasToString("a");
    assertThat(socket.interest()).isZero();

    loop.run(() -> connection.execute(connection::unlimitInput));
    loop.run(socket::serve);

    assertThat(protocol.consumed).hasToString("ab");
  }

  @Test
  void runsWorkInATurn() {
    Connection connection = open();

    connection.execute(
        () -> {
          assertThat(connection.isInTurn()).isTrue();
          connection.out().append(Requests.bytes("later"), 0, 5);
        });
    loop.run(() -> assertThat(connection.isInTurn()).isFalse());

    assertThat(socket.text()).isEqualTo("later");
    assertThat(connection.isInTurn()).isFalse();
  }

  @Test
  void runsWorkOutsideOfAnyTurnWhenItIsClosed() {
    Connection connection = open();
    loop.run(() -> connection.close(CloseReason.SHUTDOWN));
    AtomicInteger run = new AtomicInteger();

    connection.execute(
        () -> {
          assertThat(connection.isInTurn()).isFalse();
          run.incrementAndGet();
        });
    connection.execute(
        () -> {
          throw new IOException("of no interest");
        });
    loop.run(() -> {});

    assertThat(run).hasValue(1);
    assertThat(log.take(Level.INFO)).isEmpty();
  }

  @Test
  void closesWhenItsWorkFails() {
    Connection connection = open();
    connection.execute(
        () -> {
          throw new IllegalStateException("intended");
        });
    loop.run(() -> {});

    expectClosed(CloseReason.INTERNAL);
    assertThat(log.take(Level.WARNING)).hasSize(1);
  }

  @Test
  void isForgottenByItsGroupWhicheverGoesFirst() {
    Seeds.each(
        50,
        random -> {
          List<Connection> open = new ArrayList<>();
          for (int i = 0; i < 200; i++) {
            if (open.isEmpty() || random.nextInt(3) > 0) {
              open.add(loop.call(() -> group.open(new ScriptedSocket())));
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

  @Test
  void echoesLikeAModelWhateverIsReadAndWrittenAtATime() {
    Seeds.each(
        100,
        random -> {
          ByteArrayOutputStream sent = new ByteArrayOutputStream();
          int unit = 1 + random.nextInt(30_000);
          protocol.input =
              (connection, in) -> {
                while (in.to() - in.from() >= unit
                    && (!connection.isBlocked() || connection.flush())) {
                  if (unit > 16_384 && in.lend()) {
                    connection.out().appendLoan(in.block(), in.from(), in.from() + unit);
                  } else {
                    connection.out().append(in.segment(), in.from(), unit);
                  }
                  in.consumeTo(in.from() + unit);
                }
              };
          ScriptedSocket own = new ScriptedSocket();
          loop.run(
              () -> {
                Connection connection = group.open(own);
                own.takePerWrite(
                    () -> random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(40_000));
                for (int i = 0; i < 50; i++) {
                  byte[] bytes = new byte[random.nextInt(50_000)];
                  random.nextBytes(bytes);
                  sent.writeBytes(bytes);
                  own.receive(bytes);
                  own.ready(random.nextBoolean() ? Ready.READ : Ready.WRITE);
                }
                own.takePerWrite(() -> 50_000).serve();
                byte[] expected = Arrays.copyOf(sent.toByteArray(), sent.size() / unit * unit);
                assertThat(own.written()).isEqualTo(expected);
                connection.close(CloseReason.SHUTDOWN);
              });
          expectIdleMemory();
        });
  }

  private Connection open() {
    return loop.call(() -> group.open(socket));
  }

  /** A group that cuts clients which don't take what they are sent; has a block of its own. */
  private ConnectionGroup strict() {
    return new ConnectionGroup(
        loop.loop(),
        protocol,
        new ConnectionLimits(HIGH, LOW, 1_000_000_000, SHORT, SHORT, LINGER_BYTES),
        SHORT);
  }

  private void answerWith(int bytes) {
    protocol.input =
        (connection, in) -> {
          if (!in.isEmpty()) {
            in.consumeAll();
            connection.out().append(Requests.content(bytes), 0, bytes);
          }
        };
  }

  private void awaitSweeps(Connection connection, int count) {
    AtomicInteger sweeps = new AtomicInteger();
    loop.run(
        () -> {
          protocol.tooSlow = swept -> sweeps.incrementAndGet() < 0;
          connection.attach("something to sweep");
        });
    Await.until("it was swept often", () -> sweeps.get() >= count);
  }

  private void expectClosed(CloseReason reason) {
    assertThat(loop.call(() -> protocol.calls.stream().filter(c -> c.startsWith("close")).toList()))
        .containsExactly("close " + reason);
    assertThat(socket.isOpen()).isFalse();
    assertThat(group.size()).isZero();
    expectIdleMemory();
  }

  /** Nothing is held but what the group has at hand to write into. */
  private void expectIdleMemory() {
    assertThat(loop.call(() -> loop.loop().arena().bytesInUse()))
        .isBetween(idleBytes, idleBytes + 64 * 1024);
  }
}
