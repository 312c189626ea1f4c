package dev.peregrine.server.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ScriptedSocket.Operation;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ends of a connection: in order, by a reset, and after a failure. */
final class ConnectionCloseTest extends ScriptedConnection {
  @Test
  void reportsTheEndOfTheStreamOnceAndReadsNoMore() {
    protocol.inputEnd = (connection, in) -> {};
    Connection connection = open();

    loop.run(() -> socket.receive("a").receiveEnd().serve());

    assertThat(protocol.calls).containsExactly("open", "input 1", "input end");
    assertThat(socket.interest()).isZero();
    assertThat(loop.call(connection.input()::isEnded)).isTrue();
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
          connection.closeAfterFlush(CloseReason.LAST_RESPONSE);
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
    expectClosed(CloseReason.LAST_RESPONSE);
  }

  @Test
  void closesWhenTheClientSendsTooMuchAfterTheEnd() {
    rejectRequests();
    open();
    loop.run(() -> socket.receive("a").receive(new byte[LINGER_BYTES]).serve());
    assertThat(socket.isOpen()).isTrue();

    loop.run(() -> socket.receive("b").serve());

    expectClosed(CloseReason.REQUEST_REJECTED);
  }

  @Test
  void discardsNoMoreAfterTheEndEvenIfTheInputIsUnlimitedThen() {
    rejectRequests();
    Connection connection = open();
    loop.run(() -> socket.receive("a").receive(new byte[LINGER_BYTES]).serve());

    loop.run(
        () -> {
          connection.input().unlimit();
          socket.receive("b").serve();
        });

    expectClosed(CloseReason.REQUEST_REJECTED);
  }

  @Test
  void discardsAllBytesAfterTheEndUpToTheLimit() {
    rejectRequests();
    ConnectionGroup patient = patient();
    loop.run(
        () -> {
          patient.open(socket, protocol);
          socket.receive("a").receive(new byte[1_000_000]).serve();
        });
    assertThat(socket.isOutputShutDown()).isTrue();
    assertThat(socket.isOpen()).isTrue();

    loop.run(() -> socket.receiveEnd().serve());

    expectClosed(CloseReason.REQUEST_REJECTED);
    loop.run(() -> patient.close(CloseReason.SHUTDOWN));
  }

  @Test
  void closesWhenTheClientTakesTooLongToEnd() {
    rejectRequests();
    ConnectionGroup hasty = hasty();
    loop.run(
        () -> {
          hasty.open(socket, protocol);
          socket.receive("a").serve();
        });

    Await.until("it is closed", () -> loop.call(hasty::size) == 0);

    expectClosed(CloseReason.REQUEST_REJECTED);
    loop.run(() -> hasty.close(CloseReason.SHUTDOWN));
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
          connection.abort(CloseReason.APPLICATION_FAILED);
          connection.abort(CloseReason.CLIENT_RESET); // is closed already
          connection.close(CloseReason.CLIENT_RESET);
        };
    open();

    loop.run(() -> socket.receive("abc").serve());

    assertThat(socket.wasReset()).isTrue();
    assertThat(socket.written()).isEmpty();
    expectClosed(CloseReason.APPLICATION_FAILED);
  }

  @Test
  void breaksOffInOrderAfterWhatIsPending() {
    breakOff(connection -> {});
    open();
    loop.run(() -> socket.takePerWrite(() -> 1000).receive("abc").ready(Ready.READ));
    assertThat(protocol.calls).containsExactly("open", "input 3", "close APPLICATION_FAILED");
    assertThat(socket.isOutputShutDown()).isFalse();

    loop.run(() -> socket.receive("ignored").serve());
    assertThat(socket.written()).isEqualTo(Requests.content(3000));
    assertThat(socket.isOutputShutDown()).isTrue();

    loop.run(() -> socket.receiveEnd().serve());
    assertThat(socket.wasReset()).isFalse();
    expectClosed(CloseReason.APPLICATION_FAILED);
  }

  @Test
  void breaksOffWithAResetWhatTheEndOfTheStreamWouldComplete() {
    breakOff(Connection::endMarksContent);
    ConnectionGroup hasty = hasty();
    loop.run(
        () -> {
          hasty.open(socket, protocol);
          socket.takePerWrite(() -> 1000).receive("abc").serve();
        });
    assertThat(socket.written()).isEqualTo(Requests.content(3000));
    assertThat(socket.isOutputShutDown()).isFalse();

    Await.until("it is closed", () -> loop.call(hasty::size) == 0);

    assertThat(socket.wasReset()).isTrue();
    expectClosed(CloseReason.APPLICATION_FAILED);
    loop.run(() -> hasty.close(CloseReason.SHUTDOWN));
  }

  @Test
  void resetsOnceTheClientHasAcknowledgedWhatWasSentBefore() {
    breakOff(Connection::endMarksContent);
    AtomicLong unacknowledged = new AtomicLong(3000);
    socket.unacknowledged(unacknowledged::get);
    Connection connection = open();
    loop.run(() -> socket.receive("abc").receiveEnd().serve());

    awaitTicks(connection, 20);
    assertThat(socket.isOpen()).isTrue();
    unacknowledged.set(0);
    Await.until("it is closed", () -> group.size() == 0);

    assertThat(socket.wasReset()).isTrue();
    expectClosed(CloseReason.APPLICATION_FAILED);
  }

  @Test
  void lingersAsLongAsTheClientTakesWhatTheSystemHas() {
    rejectRequests();
    AtomicLong unacknowledged = new AtomicLong(3000);
    socket.unacknowledged(unacknowledged::get);
    ConnectionGroup hasty = hasty();
    Connection connection = loop.call(() -> hasty.open(socket, protocol));
    loop.run(() -> socket.receive("a").serve());

    awaitTicks(connection, 40);
    assertThat(socket.isOpen()).isTrue();
    unacknowledged.set(0);
    Await.until("it is closed", () -> loop.call(hasty::size) == 0);

    assertThat(socket.wasReset()).isFalse();
    expectClosed(CloseReason.REQUEST_REJECTED);
    loop.run(() -> hasty.close(CloseReason.SHUTDOWN));
  }

  @Test
  void endsInOrderWhatIsComplete() {
    protocol.input =
        (connection, in) -> {
          in.consumeAll();
          connection.endMarksContent();
          connection.closeAfterFlush(CloseReason.LAST_RESPONSE);
        };
    open();

    loop.run(() -> socket.receive("a").receiveEnd().serve());

    assertThat(socket.isOutputShutDown()).isTrue();
    assertThat(socket.wasReset()).isFalse();
    expectClosed(CloseReason.LAST_RESPONSE);
  }

  @Test
  void closesWithAResetWhatTheEndOfTheStreamWouldComplete() {
    protocol.input = (connection, in) -> connection.endMarksContent();
    Connection connection = open();
    loop.run(() -> socket.receive("a").ready(Ready.READ));

    loop.run(() -> connection.close(CloseReason.SHUTDOWN));

    assertThat(socket.wasReset()).isTrue();
    expectClosed(CloseReason.SHUTDOWN);
  }

  private void breakOff(Consumer<Connection> before) {
    protocol.input =
        (connection, in) -> {
          before.accept(connection);
          connection.out().append(Requests.content(3000), 0, 3000);
          connection.breakOff(CloseReason.APPLICATION_FAILED);
          connection.breakOff(CloseReason.INTERNAL_ERROR); // is broken off already
        };
  }

  /** Waits until the clock that clients are judged by has counted that many ticks. */
  private void awaitTicks(Connection connection, int count) {
    long from = loop.call(connection::nanos);
    long wanted = count * group.clock.tickNanos;
    Await.until("time passes", () -> loop.call(connection::nanos) - from >= wanted);
  }

  @ParameterizedTest
  @EnumSource(names = {"READ", "WRITE", "SHUTDOWN_OUTPUT"})
  void closesWhenTheSocketFails(Operation operation) {
    protocol.input =
        (connection, in) -> {
          connection.out().append(Requests.content(30), 0, 30);
          connection.closeAfterFlush(CloseReason.LAST_RESPONSE);
        };
    open();

    loop.run(() -> socket.fail(operation).receive("abc").serve());

    expectClosed(CloseReason.CLIENT_RESET);
    assertThat(log.take(Level.INFO)).isEmpty(); // a client can cause it as often as it likes
  }

  @Test
  void closesWhenTheSocketFailsAmidAResponse() {
    answerWith(HIGH);
    open();
    loop.run(() -> socket.takePerWrite(() -> 10).receive("a").ready(Ready.READ));

    loop.run(() -> socket.fail(Operation.WRITE).serve());

    expectClosed(CloseReason.CLIENT_RESET);
  }

  @ParameterizedTest
  @EnumSource(names = {"RESET", "CLOSE"})
  void isClosedThoughClosingFails(Operation operation) {
    protocol.input = (connection, in) -> connection.abort(CloseReason.APPLICATION_FAILED);
    open();

    loop.run(() -> socket.fail(operation).receive("abc").serve());

    expectClosed(CloseReason.APPLICATION_FAILED);
    assertThat(log.take(Level.INFO)).isEmpty();
  }

  @Test
  void isNotOpenedWhenItCannotBeAttached() {
    assertThatThrownBy(() -> loop.run(() -> group.open(socket.fail(Operation.ATTACH), protocol)))
        .hasRootCauseInstanceOf(IOException.class);

    assertThat(protocol.calls).containsExactly("close INTERNAL_ERROR");
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

    expectClosed(CloseReason.INTERNAL_ERROR);
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

    expectClosed(CloseReason.INTERNAL_ERROR);
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
            strict.open(each, protocol);
            each.receive("a").ready(Ready.READ);
          });
    }

    // The failure of one doesn't keep the others from being checked.
    Await.until("all are cut", () -> loop.call(strict::size) == 0);

    assertThat(log.take(Level.WARNING)).hasSize(3);
    expectIdleMemory();
    loop.run(() -> strict.close(CloseReason.SHUTDOWN));
  }

  @Test
  void closesWhenItsWorkFails() {
    Connection connection = open();
    connection.execute(
        () -> {
          throw new IllegalStateException("intended");
        });
    loop.run(() -> {});

    expectClosed(CloseReason.INTERNAL_ERROR);
    assertThat(log.take(Level.WARNING)).hasSize(1);
  }
}
