package dev.peregrine.server.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.ScriptedSocket.Operation;
import java.io.IOException;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Connections above the limit: how they are counted, and how they are answered. */
final class ShedTest extends ScriptedConnection {
  private void shed() {
    loop.run(
        () -> {
          group.count().reserve();
          group.count().countShed();
          group.openShed(socket, protocol, 3);
        });
  }

  private void expectNone() {
    assertThat(group.count().reserved()).isZero();
    assertThat(group.count().admitted()).isZero();
    assertThat(group.count().shed()).isZero();
  }

  @Test
  void hasTheProtocolAnswerInATurn() {
    protocol.overload =
        connection -> {
          connection.out().append(new byte[] {'n', 'o'}, 0, 2);
          connection.closeAfterFlush(CloseReason.OVERLOADED);
        };
    shed();

    assertThat(socket.text()).isEqualTo("no");
    assertThat(socket.isOutputShutDown()).isTrue();
    assertThat(group.count().reserved()).isEqualTo(1);
    assertThat(group.count().admitted()).isZero();
    assertThat(group.count().shed()).isEqualTo(1);

    socket.receive("bytes that came too late").receiveEnd();
    loop.run(socket::serve);
    assertThat(loop.call(() -> List.copyOf(protocol.calls)))
        .containsExactly("open", "overload 3", "close OVERLOADED");
    expectNone();
  }

  @Test
  void closesAConnectionOfAProtocolThatHasNoAnswer() {
    protocol.overload = connection -> protocol.closeOverloaded(connection);
    shed();

    expectClosed(CloseReason.OVERLOADED);
    expectNone();
  }

  @Test
  void closesAConnectionWhoseAnswerFails() {
    protocol.overload =
        connection -> {
          throw new IOException("planned");
        };
    shed();

    expectClosed(CloseReason.INTERNAL_ERROR);
    log.await(Level.SEVERE);
    expectNone();
  }

  @Test
  void countsNothingOfWhatCannotBeOpened() {
    socket.fail(Operation.ATTACH);

    assertThatThrownBy(this::shed).hasRootCauseMessage("scripted: ATTACH");
    expectNone();
  }

  @Test
  void countsAdmittedConnectionsApart() {
    Connection admitted = open();
    group.count().reserve();
    group.count().countShed();
    assertThat(group.count().reserved()).isEqualTo(2);
    assertThat(group.count().admitted()).isEqualTo(1);
    group.count().release(true);
    assertThat(group.count().reserved()).isEqualTo(1);
    assertThat(group.count().admitted()).isEqualTo(1);
    loop.run(() -> admitted.close(CloseReason.IDLE));
    expectNone();
  }
}
