package dev.peregrine.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes in and out: turns, what is carried over, and the water marks. */
final class ConnectionTest extends ScriptedConnection {
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
  void waitsUntilItCanContinueToWrite() {
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
  void stopsReadingAboveTheHighWaterMarkAndContinuesBelowTheLow() {
    answerWith(HIGH);
    Connection connection = open();
    AtomicInteger capacity = new AtomicInteger();
    loop.run(
        () -> socket.takePerWrite(() -> capacity.getAndSet(0)).receive("a").receive("b").serve());

    assertThat(socket.interest()).isEqualTo(Ready.WRITE);
    assertThat(loop.call(connection.output()::requestRoom)).isFalse();
    assertThat(protocol.calls).containsExactly("open", "input 1");

    capacity.set(HIGH - LOW);
    loop.run(socket::serve);
    assertThat(protocol.calls).containsExactly("open", "input 1");

    capacity.set(1);
    loop.run(socket::serve);
    // Called twice: with the carried bytes, then with the received ones.
    assertThat(protocol.calls)
        .containsExactly("open", "input 1", "is read again", "writable", "input 0", "input 1");
    assertThat(loop.call(connection.output()::requestRoom)).isFalse();

    loop.run(() -> socket.takePerWrite(() -> 777).serve());
    assertThat(socket.written())
        .isEqualTo(Requests.join(Requests.content(HIGH), Requests.content(HIGH)));
    expectIdleMemory();
  }

  @ParameterizedTest
  @ValueSource(ints = {HIGH - 1, HIGH, HIGH + 1})
  void notifiesAWaitingCallerIfTheEndOfTheTurnMadeRoom(int bytes) {
    List<Boolean> told = new ArrayList<>();
    protocol.input =
        (connection, in) -> {
          in.consumeAll();
          connection.out().append(Requests.content(bytes), 0, bytes);
          told.add(!connection.output().requestRoom());
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
  void continuesWithInputAfterATurnThatWroteMuch(int bytes) {
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
  void pausesAndResumesReading() {
    protocol.input =
        (connection, in) -> {
          if (!in.isEmpty()) {
            protocol.consume(in, in.to() - in.from());
            connection.input().limit(0);
          }
        };
    Connection connection = open();
    loop.run(() -> socket.receive("a").receive("b").serve());
    assertThat(protocol.consumed).hasToString("a");
    assertThat(socket.interest()).isZero();

    loop.run(() -> connection.execute(connection.input()::unlimit));
    loop.run(socket::serve);

    assertThat(protocol.consumed).hasToString("ab");
  }

  /** Opens a connection whose protocol expects a number of bytes from the first input on. */
  private void openExpecting(long bytes, RecordingProtocol.On input) {
    protocol.expected = bytes;
    protocol.input =
        (connection, in) -> {
          in.consumeAll();
          connection.attach("content");
          input.accept(connection);
        };
    open();
  }

  @Test
  void readsMoreAtATimeWhenManyBytesAreExpected() {
    openExpecting(300_000, connection -> {});

    loop.run(() -> socket.receive(new byte[500_000]).serve());

    assertThat(protocol.calls)
        .containsExactly("open", "input 65472", "input 262080", "input 172448");
    expectIdleMemory();
  }

  @ParameterizedTest
  @ValueSource(longs = {70_000, 200_000})
  void readsNoMoreThanIsExpected(long expected) {
    openExpecting(expected, connection -> {});

    loop.run(() -> socket.receive("a").receive(new byte[500_000]).serve());

    assertThat(protocol.calls).contains("input 1", "input " + expected);
    assertThat(protocol.calls.subList(2, 4)).containsOnly("input " + expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 65_536})
  void readsAsUsualWhenFewBytesAreExpected(long expected) {
    openExpecting(expected, connection -> {});

    loop.run(() -> socket.receive("a").receive(new byte[80_000]).serve());

    assertThat(protocol.calls).containsExactly("open", "input 1", "input 65472", "input 14528");
  }

  @Test
  void readsAsUsualWhileSomethingIsUnsent() {
    openExpecting(
        Long.MAX_VALUE, connection -> connection.out().append(Requests.content(10), 0, 10));

    loop.run(() -> socket.takePerWrite(() -> 0).receive("a").receive(new byte[200_000]).serve());

    assertThat(protocol.calls)
        .containsExactly(
            "open", "input 1", "input 65472", "input 65472", "input 65472", "input 3584");
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
  void echoesLikeAModelForAllSizesOfReadsAndWrites() {
    Seeds.each(
        100,
        random -> {
          ByteArrayOutputStream sent = new ByteArrayOutputStream();
          int unit = 1 + random.nextInt(30_000);
          protocol.input =
              (connection, in) -> {
                while (in.to() - in.from() >= unit
                    && (connection.output().requestRoom() || connection.flush())) {
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
                Connection connection = group.open(own, protocol);
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
}
