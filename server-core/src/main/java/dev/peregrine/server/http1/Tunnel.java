package dev.peregrine.server.http1;

import dev.peregrine.base.Log;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.ScheduledWork;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionClosed;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.exchange.ReceivedBytes;
import dev.peregrine.server.exchange.TurnTimer;
import dev.peregrine.server.exchange.TurnTimers;
import dev.peregrine.server.exchange.WriteGate;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection after HTTP: passes bytes between it and the application's listener. */
final class Tunnel implements Protocol, RawConnection {
  /** A call of the listener. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private final Connection connection;
  private final RawListener listener;
  private final WriteGate gate;
  private final TurnTimers timers = new TurnTimers(this::call);
  private boolean paused;
  private boolean endTold;
  private long unacknowledged;
  private @Nullable Runnable onWritable;

  Tunnel(Connection connection, RawListener listener, long highWaterBytes) {
    this.connection = connection;
    this.listener = listener;
    this.gate = new WriteGate(highWaterBytes);
  }

  // ---- the loop's side ----

  @Override
  public void onOpen(Connection opened) {
    guard(() -> listener.onOpen(this));
  }

  @Override
  public void onInput(Connection from, InboundBuffer in) {
    if (!paused && !in.isEmpty()) {
      ReceivedBytes received = new ReceivedBytes(in.block(), in.from(), in.to());
      in.consumeAll();
      guard(() -> listener.onData(this, received));
      received.close();
    }
    if (paused && !in.isEmpty()) {
      connection.limitInput(0);
    }
    if (connection.isInputEnded() && in.isEmpty() && !endTold && connection.isOpen()) {
      endTold = true;
      guard(() -> listener.onEnd(this));
    }
  }

  @Override
  public void onInputEnd(Connection from, InboundBuffer in) {
    onInput(from, in);
  }

  @Override
  public void onWritable(Connection writable) {
    gate.passed(unacknowledged);
    unacknowledged = 0;
    Runnable callback = onWritable;
    if (callback != null) {
      onWritable = null;
      guard(callback::run);
    }
  }

  @Override
  public void onDeadline(Connection due, Deadline deadline) {}

  @Override
  public void onShutdown(Connection open) {
    connection.execute(
        () -> {
          if (connection.isOpen()) {
            guard(() -> listener.onShutdown(this));
          }
        });
  }

  @Override
  public Unfinished unfinished(Connection open) {
    return Unfinished.UPGRADED;
  }

  @Override
  public void onClose(Connection closed, CloseReason reason) {
    IOException cause = ConnectionClosed.by(reason);
    timers.end();
    gate.fail(cause);
    guard(() -> listener.onClose(cause));
  }

  private void guard(Step step) {
    try {
      step.run();
    } catch (Throwable failure) {
      Log.add(Level.ERROR, "the listener of an upgraded connection failed", failure);
      connection.endMarksContent();
      connection.breakOff(CloseReason.APPLICATION_FAILED);
    }
  }

  // ---- the application's side ----

  @Override
  public boolean isWritable() {
    return connection.isInTurn() ? connection.requestRoom() : gate.isOpen();
  }

  @Override
  public void onWritable(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    connection.execute(
        () -> {
          if (!connection.requestRoom()) {
            onWritable = callback;
          } else if (connection.isOpen()) {
            guard(callback::run);
          }
        });
  }

  @Override
  public RawConnection write(byte[] source) {
    return write(ByteBuffer.wrap(source));
  }

  @Override
  public RawConnection write(ByteBuffer source) {
    if (connection.isInTurn()) {
      append(source);
    } else {
      ByteBuffer own = source.duplicate();
      int bytes = own.remaining();
      gate.add(bytes);
      connection.execute(
          () -> {
            append(own);
            if (connection.isOpen() && !connection.makeRoom()) {
              unacknowledged += bytes;
            } else {
              gate.passed(bytes);
            }
          });
    }
    return this;
  }

  @Override
  public RawConnection write(Bytes source) {
    return write(source.toArray());
  }

  private void append(ByteBuffer source) {
    if (connection.isOpen()) {
      connection.out().append(source);
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
          connection.unlimitInput();
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
    if (connection.isOpen()) {
      guard(work::run);
    }
  }

  @Override
  public void end() {
    inTurn(() -> connection.closeAfterFlush(CloseReason.APPLICATION_CLOSED));
  }

  @Override
  public void abort() {
    inTurn(() -> connection.abort(CloseReason.APPLICATION_CLOSED));
  }

  private void inTurn(Runnable work) {
    if (connection.isInTurn()) {
      work.run();
    } else {
      connection.execute(work::run);
    }
  }
}
