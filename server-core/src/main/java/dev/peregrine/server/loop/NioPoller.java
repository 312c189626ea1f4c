package dev.peregrine.server.loop;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A {@link Selector} that notifies the handlers of ready keys one by one, without a key set. */
final class NioPoller implements Poller {
  private final Selector selector;
  private final Runnable afterWait;
  private final Consumer<SelectionKey> dispatch = this::dispatch;
  private boolean waiting;
  private boolean failed; // since the keys were last renewed

  NioPoller(Selector selector, Runnable afterWait) {
    this.selector = selector;
    this.afterWait = afterWait;
  }

  @Override
  public void poll(long timeoutNanos) throws IOException {
    waiting = true;
    try {
      if (failed) {
        renewKeys();
        failed = false;
      }
      if (timeoutNanos <= 0) {
        selector.selectNow(dispatch);
      } else if (timeoutNanos == FOREVER) {
        selector.select(dispatch);
      } else {
        selector.select(dispatch, 1 + TimeUnit.NANOSECONDS.toMillis(timeoutNanos - 1));
      }
    } catch (Throwable failure) {
      failed = true;
      throw failure;
    } finally {
      endWait();
    }
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

  private void endWait() {
    if (waiting) {
      waiting = false;
      afterWait.run();
    }
  }

  private void dispatch(SelectionKey key) {
    endWait();
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
    } catch (Throwable failure) {
      handler.onFailure(failure);
    }
  }
}
