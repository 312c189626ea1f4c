package dev.peregrine.server.transport.nio;

import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.SocketWatch;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports of a loop about a channel that others use and close. A selector reports as long as a
 * channel is ready. So a report for which no thread waits ends the interest, and the next wait sets
 * it. A wait that is reported keeps it, because in the common case the socket is empty again before
 * the selector selects.
 */
public final class NioWatch implements SocketWatch, NioHandle, ReadyHandler {
  /** One or the other is what a channel can be ready for; a selector ignores the other one. */
  private static final int WRITE_OPS = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;

  private final SocketChannel channel;
  private final Listener listener;
  private @Nullable SelectionKey key;
  private volatile int reported; // bits of Ready; written on the loop's thread

  public NioWatch(SocketChannel channel, Listener listener) {
    this.channel = channel;
    this.listener = listener;
  }

  /** Returns true if channels can be watched by a poller. */
  public static boolean isPossible(Poller poller) {
    return poller instanceof NioPoller;
  }

  @Override
  public void begin(Poller poller) throws IOException {
    if (!(poller instanceof NioPoller nio)) {
      throw new IOException("the loop has left java.nio");
    }
    SelectionKey registered = nio.registerAgain(channel, this);
    key = registered;
    try {
      report();
    } catch (Throwable noMemory) {
      registered.cancel();
      throw noMemory;
    }
  }

  /** Ends the reports. A closed channel keeps its descriptor until the selector selects next. */
  @Override
  public void end(boolean isOpen) {
    key().cancel();
  }

  /**
   * The close cancels the key as well; if it was the first, its thread may be about to put the key
   * among the cancelled ones, and the loop must not sleep before. It must not wait for that thread
   * either, which it may have to carry.
   */
  @Override
  public boolean hasEnded() {
    return channel.isOpen() || channel.keyFor(key().selector()) == null;
  }

  @Override
  public boolean reports(int direction) {
    return (reported & direction) != 0;
  }

  @Override
  public void report() {
    int present = reported;
    int next = present | awaited(Ready.READ) | awaited(Ready.WRITE);
    if (next != present) {
      report(next);
    }
  }

  private int awaited(int direction) {
    return listener.isAwaited(direction) ? direction : 0;
  }

  private void report(int directions) {
    reported = directions;
    int ops = directions & SelectionKey.OP_READ;
    try {
      key().interestOps((directions & Ready.WRITE) != 0 ? ops | WRITE_OPS : ops);
    } catch (CancelledKeyException closed) {
      // The close of the channel ends all waits.
    }
  }

  private SelectionKey key() {
    return Objects.requireNonNull(key);
  }

  @Override
  public void onReady(int ops) {
    int ready = (ops & SelectionKey.OP_READ) != 0 ? Ready.READ : 0;
    if ((ops & WRITE_OPS) != 0) {
      ready |= Ready.WRITE;
    }
    int unawaited = ready & ~(awaited(Ready.READ) | awaited(Ready.WRITE));
    pass(ready & Ready.READ);
    pass(ready & Ready.WRITE);
    if (unawaited != 0) {
      ignore(unawaited);
    }
  }

  private void pass(int direction) {
    if (direction != 0) {
      listener.onReady(direction);
    }
  }

  private void ignore(int directions) {
    try {
      report(reported & ~directions);
      report(); // for a wait that has begun meanwhile, and found the old interest
    } catch (Throwable failure) { // the selector has no memory to note an interest
      key().cancel();
      listener.onLost(failure);
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    listener.onFailure(failure);
  }

  // ---- as a handle of the poller ----

  @Override
  public void onPollerClosed() {
    listener.onLoopEnd();
  }

  @Override
  public ReadyHandler handler() {
    return this;
  }

  /** Fails: calls on other threads use the channel, so its loop stays on {@code java.nio}. */
  @Override
  public AutoCloseable adopt(Adoption adoption, Poller next) {
    throw new UnsupportedOperationException("sockets of clients can't be taken over");
  }

  @Override
  public void moveTo(AutoCloseable adopted) {
    throw new UnsupportedOperationException("never adopted");
  }

  @Override
  public void closeMoved() {
    throw new UnsupportedOperationException("never adopted");
  }
}
