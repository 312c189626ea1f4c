package dev.peregrine.server.loop;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Selector} without a key set. A poll first notes the ready keys, then notifies their
 * handlers: while the selector passes keys on, it holds locks that another thread would need that
 * relieves the loop's.
 */
final class NioPoller implements Poller {
  private static final int KEYS_INITIAL = 64;

  private final Selector selector;
  private final Runnable afterWait;
  private final Consumer<SelectionKey> note = this::note;
  private @Nullable SelectionKey[] ready = new SelectionKey[KEYS_INITIAL];
  private int readyCount;
  private int notified; // of the ready keys
  private boolean failed; // since the keys were last renewed

  NioPoller(Selector selector, Runnable afterWait) {
    this.selector = selector;
    this.afterWait = afterWait;
  }

  @Override
  public void poll(long timeoutNanos) throws IOException {
    if (notified == readyCount) {
      select(timeoutNanos);
    } else { // the thread was relieved that notified the others
      afterWait.run();
    }
    while (notified < readyCount) {
      SelectionKey key = Objects.requireNonNull(ready[notified]);
      ready[notified++] = null;
      dispatch(key);
    }
  }

  private void select(long timeoutNanos) throws IOException {
    notified = 0;
    readyCount = 0;
    try {
      if (failed) {
        renewKeys();
        failed = false;
      }
      if (timeoutNanos <= 0) {
        selector.selectNow(note);
      } else if (timeoutNanos == FOREVER) {
        selector.select(note);
      } else {
        selector.select(note, 1 + TimeUnit.NANOSECONDS.toMillis(timeoutNanos - 1));
      }
    } catch (Throwable failure) {
      failed = true;
      throw failure;
    } finally {
      afterWait.run();
    }
  }

  private void note(SelectionKey key) {
    if (readyCount == ready.length) {
      ready = Arrays.copyOf(ready, 2 * readyCount);
    }
    ready[readyCount++] = key;
  }

  /**
   * Has the selector take over the interest of all keys again. A selector that runs out of memory
   * while it does that forgets a key, whose channel would never be ready.
   */
  private void renewKeys() {
    for (SelectionKey key : selector.keys()) {
      try {
        int ops = key.interestOps();
        key.interestOps(0); // because it ignores an interest that stays the same
        key.interestOps(ops);
      } catch (CancelledKeyException closed) {
        // Its channel is closed.
      }
    }
  }

  @Override
  public void wakeUp() {
    selector.wakeup();
  }

  @Override
  public void close() throws IOException {
    selector.close();
  }

  SelectionKey register(SelectableChannel channel, int ops, ReadyHandler handler)
      throws ClosedChannelException {
    return channel.register(selector, ops, handler);
  }

  private static void dispatch(SelectionKey key) {
    if (!key.channel().isOpen()) {
      // A close that runs out of memory leaves the key, which would be ready for ever.
      key.cancel();
      return;
    }
    ReadyHandler handler = (ReadyHandler) key.attachment();
    int ops;
    try {
      ops = key.readyOps();
    } catch (CancelledKeyException closedEarlierInThisTurn) {
      return;
    }
    try {
      handler.onReady(ops);
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      handler.onFailure(failure);
    }
  }
}
