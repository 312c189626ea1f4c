package dev.peregrine.server.exchange.view;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.ScheduledWork;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.GivenBuffer;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.bytes.Retainer;
import dev.peregrine.server.exchange.message.TurnTimer;
import dev.peregrine.server.exchange.message.TurnTimers;
import dev.peregrine.server.exchange.run.LeasedCall;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.WriteGate;
import dev.peregrine.server.memory.lease.Leases;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.ConnectionClosed;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.tunnel.TunnelUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes between a client and the application's listener, after an upgrade or CONNECT. Belongs to
 * the event loop, except for the methods of {@link RawConnection}.
 */
final class RawTunnel implements TunnelUser, RawConnection, LeasedCall {
  private final Connection connection;
  private final RawListener listener;
  private final Retainer retainer;
  private final WriteGate gate;
  private final Leases leases;
  private final TurnTimers timers = new TurnTimers(this::call);
  private @Nullable Tunnel tunnel; // null until it is open
  private boolean paused;
  private long unacknowledged;
  private @Nullable Runnable onWritable;

  RawTunnel(Connection connection, RawListener listener, long highWaterBytes, Retainer retainer) {
    this.connection = connection;
    this.listener = listener;
    this.retainer = retainer;
    this.gate = new WriteGate(highWaterBytes);
    this.leases = connection.loop().bufferPool().leases();
  }

  // ---- the tunnel's side: in a turn ----

  @Override
  public void onOpen(Tunnel opened) throws Exception {
    tunnel = opened;
    listener.onOpen(this);
  }

  @Override
  public boolean isTaking() {
    return !paused;
  }

  @Override
  public void onData(Block block, int from, int to) throws Exception {
    ReceivedBytes received = new ReceivedBytes(retainer, block, from, to);
    try {
      listener.onData(this, received);
    } finally {
      received.close();
    }
  }

  @Override
  public void onEnd() throws Exception {
    listener.onEnd(this);
  }

  @Override
  public void onDue() {}

  @Override
  public void onShutdown() throws Exception {
    listener.onShutdown(this);
  }

  /** The client has gone before: its listener must not wait for the connection. */
  @Override
  public void onDropped() {
    try {
      onClose(ConnectionClosed.by(CloseReason.CLIENT_CLOSED));
    } catch (Throwable failure) {
      Tunnel.log(failure);
    }
  }

  @Override
  public void onClose(IOException cause) {
    timers.end();
    gate.fail(cause);
    listener.onClose(cause);
  }

  @Override
  public void onWritable() {
    gate.passed(unacknowledged);
    unacknowledged = 0;
    Runnable callback = onWritable;
    if (callback != null) {
      onWritable = null;
      callback.run();
    }
  }

  // ---- the application's side ----

  private Tunnel tunnel() {
    return Objects.requireNonNull(tunnel);
  }

  /** Returns true if bytes can be sent. */
  private boolean isOpen() {
    return tunnel != null && tunnel.isOpen();
  }

  @Override
  public boolean isWritable() {
    int entered = connection.enterTurn();
    try {
      return entered == LoopOwner.OUTSIDE ? gate.isOpen() : isOpen() && tunnel().requestRoom();
    } finally {
      connection.exitTurn(entered);
    }
  }

  @Override
  public void onWritable(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    connection.execute(
        () -> {
          if (!isOpen()) {
            return;
          }
          if (!tunnel().requestRoom()) {
            onWritable = callback;
          } else {
            call(callback);
          }
        });
  }

  @Override
  public RawConnection write(byte[] source) {
    return write(ByteBuffer.wrap(source));
  }

  @Override
  public RawConnection write(ByteBuffer source) {
    GivenBuffer.check(source);
    int entered = connection.enterTurn();
    if (entered == LoopOwner.OUTSIDE) {
      writeLater(source.duplicate(), null);
      return this;
    }
    try {
      append(source);
    } finally {
      connection.exitTurn(entered);
    }
    return this;
  }

  @Override
  public RawConnection write(ByteBuffer source, Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(whenSent, "whenSent");
    int entered = connection.enterTurn();
    try {
      LeasedCall.make(this, entered, leases, source, whenSent);
    } finally {
      connection.exitTurn(entered);
    }
    return this;
  }

  @Override
  public void pass(
      ByteBuffer source, int bytes, int entered, @Nullable Consumer<? super ByteBuffer> whenSent) {
    if (entered == LoopOwner.OUTSIDE) {
      writeLater(source, whenSent);
    } else {
      append(source);
    }
  }

  /**
   * Writes a buffer in a later turn.
   *
   * @param whenSent gets it back; null for none
   */
  private void writeLater(ByteBuffer own, @Nullable Consumer<? super ByteBuffer> whenSent) {
    int bytes = own.remaining();
    Runnable writing = () -> append(own); // now, because the task must offer the lease first
    gate.add(bytes);
    connection.execute(
        () -> {
          leases.pass(own, whenSent, writing);
          if (isOpen() && !tunnel().makeRoom()) {
            unacknowledged += bytes;
          } else {
            gate.passed(bytes);
          }
        });
  }

  @Override
  public RawConnection write(Bytes source) {
    return write(source.toArray());
  }

  private void append(ByteBuffer source) {
    if (isOpen()) {
      tunnel().send(source);
    }
  }

  @Override
  public void pause() {
    inTurn(() -> paused = true);
  }

  @Override
  public void resume() {
    inTurn(
        () -> {
          paused = false;
          if (isOpen()) {
            tunnel().resumeInput();
          }
        });
  }

  @Override
  public void onLoop(Runnable work) {
    Objects.requireNonNull(work, "work");
    connection.execute(() -> call(work));
  }

  @Override
  public ScheduledWork onLoopAfter(Duration delay, Runnable work) {
    Objects.requireNonNull(delay, "delay");
    Objects.requireNonNull(work, "work");
    TurnTimer timer = new TurnTimer(connection, delay, work);
    inTurn(() -> timers.start(timer));
    return timer;
  }

  private void call(Runnable work) {
    if (isOpen()) {
      try {
        work.run();
      } catch (Throwable failure) {
        tunnel().fail(failure);
      }
    }
  }

  @Override
  public void end() {
    inTurn(
        () -> {
          if (isOpen()) {
            tunnel().endOutput(CloseReason.APPLICATION_CLOSED);
          }
        });
  }

  @Override
  public void abort() {
    inTurn(
        () -> {
          if (tunnel != null) {
            tunnel.reset(CloseReason.APPLICATION_CLOSED);
          }
        });
  }

  private void inTurn(Runnable work) {
    int entered = connection.enterTurn();
    if (entered == LoopOwner.OUTSIDE) {
      connection.execute(work::run);
      return;
    }
    try {
      work.run();
    } finally {
      connection.exitTurn(entered);
    }
  }
}
