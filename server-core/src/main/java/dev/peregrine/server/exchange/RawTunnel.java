package dev.peregrine.server.exchange;

import dev.peregrine.base.Log;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.ScheduledWork;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionClosed;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bytes between a client and the application's listener, after an upgrade or CONNECT. A protocol
 * passes on what arrives, and sends what is written. Belongs to the event loop, except for the
 * methods of {@link RawConnection}.
 */
public abstract class RawTunnel implements RawConnection {
  /** A call of the listener. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  protected final Connection connection;
  private final RawListener listener;
  private final WriteGate gate;
  private final TurnTimers timers = new TurnTimers(this::call);
  private boolean paused;
  private long unacknowledged;
  private @Nullable Runnable onWritable;

  protected RawTunnel(Connection connection, RawListener listener, long highWaterBytes) {
    this.connection = connection;
    this.listener = listener;
    this.gate = new WriteGate(highWaterBytes);
  }

  // ---- the protocol's side: in a turn ----

  /** Returns true if bytes can still be sent. */
  protected abstract boolean isOpen();

  /** Returns true if there is room to write now; if not, {@link #notifyWritable} follows. */
  protected abstract boolean requestRoom();

  /** Tries to make room to write. If it returns false, {@link #notifyWritable} follows. */
  protected abstract boolean makeRoom() throws IOException;

  /** Sends a buffer's remaining bytes, which aren't changed until they are sent. */
  protected abstract void send(ByteBuffer source);

  /** Lets bytes arrive again, because the listener takes them. */
  protected abstract void resumeInput();

  /** Ends the output in order. */
  protected abstract void endOutput();

  /** Ends both directions at once. */
  protected abstract void reset();

  /** Ends both directions, because the listener has failed. */
  protected abstract void breakOff();

  protected final boolean isPaused() {
    return paused;
  }

  protected final void notifyOpen() {
    guard(() -> listener.onOpen(this));
  }

  /** Passes bytes on, in a block that is valid during the call. */
  protected final void notifyData(Block block, int from, int to) {
    ReceivedBytes received = new ReceivedBytes(block, from, to);
    guard(() -> listener.onData(this, received));
    received.close();
  }

  protected final void notifyEnd() {
    guard(() -> listener.onEnd(this));
  }

  protected final void notifyShutdown() {
    guard(() -> listener.onShutdown(this));
  }

  protected final void notifyClosed(CloseReason reason) {
    IOException cause = ConnectionClosed.by(reason);
    timers.end();
    gate.fail(cause);
    guard(() -> listener.onClose(cause));
  }

  protected final void notifyWritable() {
    gate.passed(unacknowledged);
    unacknowledged = 0;
    Runnable callback = onWritable;
    if (callback != null) {
      onWritable = null;
      guard(callback::run);
    }
  }

  private void guard(Step step) {
    try {
      step.run();
    } catch (Throwable failure) {
      Log.add(Level.ERROR, "the listener of an upgraded connection failed", failure);
      breakOff();
    }
  }

  // ---- the application's side ----

  @Override
  public final boolean isWritable() {
    return connection.isInTurn() ? requestRoom() : gate.isOpen();
  }

  @Override
  public final void onWritable(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    connection.execute(
        () -> {
          if (!isOpen()) {
            return;
          }
          if (!requestRoom()) {
            onWritable = callback;
          } else {
            guard(callback::run);
          }
        });
  }

  @Override
  public final RawConnection write(byte[] source) {
    return write(ByteBuffer.wrap(source));
  }

  @Override
  public final RawConnection write(ByteBuffer source) {
    if (connection.isInTurn()) {
      append(source);
    } else {
      ByteBuffer own = source.duplicate();
      int bytes = own.remaining();
      gate.add(bytes);
      connection.execute(
          () -> {
            append(own);
            if (isOpen() && !makeRoom()) {
              unacknowledged += bytes;
            } else {
              gate.passed(bytes);
            }
          });
    }
    return this;
  }

  @Override
  public final RawConnection write(Bytes source) {
    return write(source.toArray());
  }

  private void append(ByteBuffer source) {
    if (isOpen()) {
      send(source);
    }
  }

  @Override
  public final void pause() {
    inTurn(() -> paused = true);
  }

  @Override
  public final void resume() {
    inTurn(
        () -> {
          paused = false;
          if (isOpen()) {
            resumeInput();
          }
        });
  }

  @Override
  public final void onLoop(Runnable work) {
    Objects.requireNonNull(work, "work");
    connection.execute(() -> call(work));
  }

  @Override
  public final ScheduledWork onLoopAfter(Duration delay, Runnable work) {
    Objects.requireNonNull(delay, "delay");
    Objects.requireNonNull(work, "work");
    TurnTimer timer = new TurnTimer(connection, delay, work);
    inTurn(() -> timers.start(timer));
    return timer;
  }

  private void call(Runnable work) {
    if (isOpen()) {
      guard(work::run);
    }
  }

  @Override
  public final void end() {
    inTurn(this::endIfOpen);
  }

  private void endIfOpen() {
    if (isOpen()) {
      endOutput();
    }
  }

  @Override
  public final void abort() {
    inTurn(this::reset);
  }

  private void inTurn(Runnable work) {
    if (connection.isInTurn()) {
      work.run();
    } else {
      connection.execute(work::run);
    }
  }
}
