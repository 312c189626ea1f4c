package dev.peregrine.server.accept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.memory.JvmMemory;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.MemoryTransport;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers and the limit of connections, with a protocol that isn't HTTP. */
final class AdmissionTest {
  private static final int CONNECTIONS_MAX = 2;

  /** Records its calls. */
  private final class NotingProtocol implements Protocol {
    final Queue<String> calls = new ConcurrentLinkedQueue<>();

    @Override
    public void onOpen(Connection connection) {
      calls.add("open");
      if (idles) {
        connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + TimeUnit.DAYS.toNanos(1));
      }
    }

    @Override
    public void onInput(Connection connection, InboundBuffer in) {
      in.consumeAll();
      connection.clearDeadline();
    }

    @Override
    public void onOverload(Connection connection, int connectionsMax) {
      byte[] text = Requests.bytes("not more than " + connectionsMax);
      connection.out().append(text, 0, text.length);
      connection.closeAfterFlush(CloseReason.OVERLOADED);
    }

    @Override
    public void onDrain(long idleNanos) {
      calls.add("drain " + idleNanos);
    }

    @Override
    public void onShutdown(Connection connection) {
      calls.add("shutdown");
      connection.close(CloseReason.SHUTDOWN);
    }

    @Override
    public void onClose(Connection connection, CloseReason reason) {
      calls.add("close " + reason);
    }
  }

  private final ServerLog log = new ServerLog();
  private volatile boolean idles;
  private final NotingProtocol protocol = new NotingProtocol();
  private final List<EndpointOptions> endpoints = List.of(EndpointOptions.DEFAULT);
  private final List<Worker> workers = List.of(worker(), worker());
  private final Admission admission = new Admission(workers, CONNECTIONS_MAX, endpoints);

  private Worker worker() {
    try {
      return new Worker(
          "noting",
          new MemoryTransport(),
          new JvmMemory(),
          Servers.LIMITS,
          loop -> protocol,
          endpoints);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @BeforeEach
  void start() {
    workers.forEach(worker -> worker.loop.start());
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Worker worker : workers) {
      worker.stop(new CutShort());
      worker.loop.join();
      assertThat(worker.loop.bufferPool().blocksInUse()).isZero();
      assertThat(worker.connections.count().reserved()).isZero();
    }
    log.close();
  }

  /** Accepts a connection on the first worker. */
  private ScriptedSocket accept() {
    ScriptedSocket socket = new ScriptedSocket();
    Worker first = workers.getFirst();
    first.loop.execute(() -> admission.spread(first, 0, socket));
    return socket;
  }

  /** Accepts a connection on the first worker, where it stays. */
  private ScriptedSocket keep(ScriptedSocket socket) {
    Worker first = workers.getFirst();
    first.loop.execute(() -> admission.keep(first, 0, socket));
    return socket;
  }

  /** Waits until the loops have run their tasks. */
  private void settle() {
    for (Worker worker : workers) {
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      worker.loop.execute(() -> done.complete(true));
      done.join();
    }
  }

  @Test
  void spreadsConnectionsAndHasTheProtocolAnswerThoseAboveTheLimit() {
    accept();
    accept();
    settle();
    List<ScriptedSocket> above = List.of(accept(), accept());
    settle();

    for (ScriptedSocket shed : above) {
      assertThat(shed.text()).isEqualTo("not more than 2");
      assertThat(shed.isOutputShutDown()).isTrue();
    }
    for (Worker worker : workers) {
      assertThat(worker.connections.count().admitted()).isEqualTo(1);
      assertThat(worker.connections.count().shed()).isEqualTo(1);
    }
  }

  /** The protocol of this test sets no deadline, so none of its connections can be spared. */
  @Test
  void shedsAConnectionAboveTheLimitOfDescriptorsIfNoneIsIdle() {
    limitByDescriptors();
    accept();
    settle();
    ScriptedSocket above = accept();
    settle();

    assertThat(above.text()).isEqualTo("not more than 1");
    assertThat(admission.admitted()).isEqualTo(1);
  }

  @Test
  void closesTheConnectionThatIsIdleForLongestToMakeRoom() {
    limitByDescriptors();
    idles = true;
    ScriptedSocket first = keep(new ScriptedSocket());
    settle();
    ScriptedSocket second = keep(new ScriptedSocket());
    settle();
    ScriptedSocket third = keep(new ScriptedSocket());
    settle();

    assertThat(List.of(first.isOpen(), second.isOpen(), third.isOpen()))
        .containsExactly(false, false, true);
    assertThat(second.text()).isEmpty();
    assertThat(admission.admitted()).isEqualTo(1);
    assertThat(log.take(Level.WARNING))
        .extracting(LogRecord::getMessage)
        .containsExactly(
            "idle connections are closed to make room, and further ones get 503: the limit of 20"
                + " open files (LimitNOFILE, ulimit -n) allows 1 connections");
  }

  @Test
  void makesRoomOnAnotherLoopForTheNextOne() {
    limitByDescriptors();
    idles = true;
    ScriptedSocket first = accept();
    settle();
    ScriptedSocket second = accept(); // on the other loop, which has none to spare
    settle();
    settle(); // the other loop has the first one make room

    assertThat(second.text()).isEqualTo("not more than 1");
    assertThat(first.isOpen()).isFalse();
  }

  @Test
  void servesARequestThatArrivesAsItsConnectionIsSpared() {
    limitByDescriptors();
    idles = true;
    ScriptedSocket busy = keep(new ScriptedSocket().receive("not reported as ready"));
    settle();
    ScriptedSocket above = keep(new ScriptedSocket());
    settle();

    assertThat(busy.isOpen()).isTrue();
    assertThat(above.text()).isEqualTo("not more than 1");
  }

  @Test
  void saysThatTheProcessCannotHaveAsManyConnectionsAsItShould() {
    assertThat(admission.shortage()).isNull();
    limitByDescriptors();
    assertThat(admission.shortage())
        .isEqualTo(
            "connectionsMax is 2, but the limit of 20 open files (LimitNOFILE, ulimit -n) allows 1"
                + " connections");
  }

  private void limitByDescriptors() {
    int ignored = admission.limitBy(new OpenFiles(20, 18));
  }

  @Test
  void leavesTheDrainToTheProtocol() {
    accept();
    Worker worker = workers.getFirst();
    worker.loop.execute(() -> worker.drain(TimeUnit.SECONDS.toNanos(8)));
    settle();

    assertThat(protocol.calls)
        .containsExactly("open", "drain 8000000000", "shutdown", "close SHUTDOWN");
  }
}
