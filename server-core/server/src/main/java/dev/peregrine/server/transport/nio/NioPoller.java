package dev.peregrine.server.transport.nio;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.transport.AdoptingPoller;
import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.ReadyHandler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Selector} without a key set. A poll first notes the ready keys, then notifies their
 * handlers: while the selector passes keys on, it holds locks that another thread would need that
 * relieves the loop's.
 */
final class NioPoller implements Poller, Consumer<SelectionKey> {
  // More than FirstConnections: C2 compiles the poll before more keys are ready at once.
  private static final int KEYS_INITIAL = 256;

  private final Selector selector;
  private @Nullable SelectionKey[] ready = new SelectionKey[KEYS_INITIAL];
  private int readyCount;
  private int notified; // of the ready keys
  private boolean failed; // since the keys were last renewed

  NioPoller(Selector selector) {
    this.selector = selector;
  }

  @Override
  public void await(long timeoutNanos) throws IOException {
    if (notified == readyCount) { // otherwise the thread was relieved that notified the others
      select(timeoutNanos);
    }
  }

  @Override
  public void notifyReady() {
    while (notified < readyCount) {
      SelectionKey key = Objects.requireNonNull(ready[notified]);
      ready[notified++] = null;
      int ops = readyOps(key);
      if (ops == 0) {
        continue;
      }
      ReadyHandler handler = ((NioHandle) key.attachment()).handler();
      try {
        handler.onReady(ops);
      } catch (Throwable failure) {
        handler.onFailure(failure);
      }
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
        selector.selectNow(this);
      } else if (timeoutNanos == FOREVER) {
        selector.select(this);
      } else {
        selector.select(this, 1 + TimeUnit.NANOSECONDS.toMillis(timeoutNanos - 1));
      }
    } catch (Throwable failure) {
      failed = true;
      throw failure;
    }
  }

  /** Notes a ready key. */
  @Override
  public void accept(SelectionKey key) {
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

  /**
   * Moves the sockets in steps: both pollers know them at first, so that a failure changes nothing.
   * Readiness that this poller has noted is reported again by the other one.
   */
  @Override
  public void moveTo(Poller next) throws IOException {
    List<SelectionKey> keys = new ArrayList<>(selector.keys());
    keys.removeIf(key -> !key.isValid());
    List<AutoCloseable> adopted;
    try {
      if (!(next instanceof AdoptingPoller adopting)) {
        throw new UnsupportedOperationException("sockets can't be taken over");
      }
      adopted = adoptAll(keys, adopting);
    } catch (Throwable failure) {
      next.close();
      throw failure;
    }
    try {
      moveAll(keys, adopted);
    } catch (IOException failure) { // the sockets have moved
      Log.add(Level.WARNING, Incident.RELEASE_FAILED, failure);
    }
  }

  private void moveAll(List<SelectionKey> keys, List<AutoCloseable> adopted) throws IOException {
    for (int i = 0; i < keys.size(); i++) {
      SelectionKey key = keys.get(i);
      ((NioHandle) key.attachment()).moveTo(adopted.get(i));
      key.cancel();
    }
    selector.selectNow(); // deregisters them: the close of a registered socket ends its stream
    for (SelectionKey key : keys) {
      ((NioHandle) key.attachment()).closeMoved();
    }
    selector.close();
  }

  private static List<AutoCloseable> adoptAll(List<SelectionKey> keys, AdoptingPoller next)
      throws IOException {
    List<AutoCloseable> adopted = new ArrayList<>(keys.size());
    Adoption adoption = next.adoption();
    try {
      for (SelectionKey key : keys) {
        adopted.add(((NioHandle) key.attachment()).adopt(adoption, next));
      }
      return adopted;
    } catch (Throwable failure) {
      for (AutoCloseable unused : adopted) {
        try {
          unused.close();
        } catch (Exception further) {
          failure.addSuppressed(further);
        }
      }
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (selector.isOpen()) {
        for (SelectionKey key : selector.keys()) {
          ((NioHandle) key.attachment()).onPollerClosed();
        }
      }
    } finally {
      selector.close();
    }
  }

  /** Registers a channel, without an interest, that may have had a key of this selector before. */
  SelectionKey registerAgain(SelectableChannel channel, NioWatch watch) throws IOException {
    try {
      return register(channel, 0, watch);
    } catch (CancelledKeyException earlier) {
      selector.selectNow(this); // forgets cancelled keys, and notes ready ones for the next poll
      return register(channel, 0, watch);
    }
  }

  SelectionKey register(SelectableChannel channel, int ops, NioHandle handle)
      throws ClosedChannelException {
    return channel.register(selector, ops, handle);
  }

  /** Returns what a key is ready for; 0 if its channel was closed earlier in this turn. */
  private static int readyOps(SelectionKey key) {
    if (!key.channel().isOpen()) {
      // A close that runs out of memory leaves the key, which would be ready for ever.
      key.cancel();
      return 0;
    }
    try {
      return key.readyOps();
    } catch (CancelledKeyException closed) {
      return 0;
    }
  }
}
