package dev.peregrine.server.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Notification of a handler about bytes that a layer holds. */
final class LayeredSocketTest {
  /** A layer that holds some bytes from the beginning. */
  private static final class Holding extends LayeredSocket {
    int held = 3;
    boolean blocked; // bytes of the layer itself wait

    Holding(StreamSocket inner, EventLoop loop) {
      super(inner, loop);
    }

    @Override
    protected int receive(ByteBuffer target) throws IOException {
      if (held == 0) {
        return inner.read(target);
      }
      held--;
      target.put((byte) 'h');
      return 1;
    }

    @Override
    protected int innerInterest(int ops) {
      return blocked ? ops | Ready.WRITE : ops;
    }

    @Override
    protected boolean holdsInput() {
      return held > 0;
    }
  }

  private final ScriptedLoop loop = new ScriptedLoop();
  private final ScriptedSocket inner = new ScriptedSocket();
  private final Holding socket = new Holding(inner, loop.loop());
  private final List<String> told = new ArrayList<>();
  private boolean fails;

  private final ReadyHandler handler =
      new ReadyHandler() {
        @Override
        public void onReady(int ops) {
          told.add("ready " + ops);
          if (fails) {
            throw new IllegalStateException("planned");
          }
          try {
            assertThat(socket.read(ByteBuffer.allocate(10))).isEqualTo(1);
          } catch (IOException failure) {
            throw new AssertionError(failure);
          }
        }

        @Override
        public void onFailure(Throwable failure) {
          told.add(String.valueOf(failure.getMessage()));
        }
      };

  @BeforeEach
  void attach() {
    loop.start();
    loop.run(() -> socket.attach(loop.loop().poller(), handler));
  }

  @AfterEach
  void close() {
    loop.close();
  }

  private void interest(int ops) {
    loop.run(() -> socket.interest(ops));
    for (int i = 0; i < 5; i++) {
      loop.run(() -> {});
    }
  }

  @Test
  void notifiesUntilNothingIsHeld() {
    interest(Ready.READ);

    assertThat(told).containsExactly("ready 1", "ready 1", "ready 1");
    assertThat(inner.interest()).isEqualTo(Ready.READ);
  }

  @Test
  void notifiesOnlyAHandlerThatWantsToRead() {
    interest(Ready.WRITE);
    assertThat(told).isEmpty();

    socket.held = 1;
    interest(Ready.READ | Ready.WRITE);
    assertThat(told).containsExactly("ready 1");
  }

  @Test
  void notifiesNoHandlerWithoutInterest() {
    loop.run(
        () -> {
          socket.interest(Ready.READ);
          socket.interest(0);
        });
    interest(0);

    assertThat(told).isEmpty();
  }

  @Test
  void notifiesNoHandlerAfterTheClose() {
    loop.run(
        () -> {
          socket.interest(Ready.READ);
          socket.close();
        });
    loop.run(() -> {});

    assertThat(told).isEmpty();
  }

  @Test
  void notifiesOfHeldBytesAfterTheSocketWasReady() {
    socket.held = 0;
    interest(Ready.READ);
    inner.receive("x");
    loop.run(
        () -> {
          inner.serve();
          socket.held = 2;
          socket.interest(Ready.READ);
        });
    interest(Ready.READ);

    assertThat(told).containsExactly("ready 1", "ready 1", "ready 1");
  }

  @Test
  void passesAFailureOnAndContinues() {
    fails = true;
    interest(Ready.READ);
    assertThat(told).containsExactly("ready 1", "planned");

    fails = false;
    interest(Ready.READ);
    assertThat(told).hasSize(5);
  }

  /** Such as records of TLS. */
  @Test
  void knowsWhetherItsOwnBytesAreForgotten() {
    interest(Ready.READ);
    assertThat(loop.call(() -> socket.isWriteForgotten(false))).isFalse();
    assertThat(loop.call(() -> socket.isWriteForgotten(true))).isTrue();

    socket.blocked = true;
    assertThat(loop.call(() -> socket.isWriteForgotten(false))).isTrue();
    interest(Ready.READ);
    assertThat(loop.call(() -> socket.isWriteForgotten(false))).isFalse();
  }

  @Test
  void hasThePropertiesOfTheSocketUnderIt() throws IOException {
    assertThat(socket.tls()).isNull();
    assertThat(socket.isSecure()).isFalse();
    assertThat(socket.remoteAddress()).isEqualTo(inner.remoteAddress());
    assertThat(socket.localAddress()).isEqualTo(inner.localAddress());
  }
}
