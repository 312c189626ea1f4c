package dev.peregrine.server.websocket;

import dev.peregrine.base.FailureLog;
import dev.peregrine.http.ScheduledWork;
import org.jspecify.annotations.Nullable;

/** The callbacks for the close of one socket, in order. Callable from any thread. */
final class CloseCallbacks {
  private static final FailureLog FAILURES = new FailureLog();

  /** Those of a socket that has closed without any. */
  static final CloseCallbacks CLOSED = new CloseCallbacks();

  static {
    CLOSED.run();
  }

  private @Nullable Callback first; // this and all below: by the monitor
  private @Nullable Callback last;
  private boolean closed;

  /** One callback, and a link of the list. */
  static final class Callback implements ScheduledWork, Runnable {
    private final CloseCallbacks list;
    private volatile @Nullable Runnable work; // null once cancelled or called
    private @Nullable Callback previous; // by the list's monitor, like the next
    private @Nullable Callback next;

    private Callback(CloseCallbacks list, Runnable work) {
      this.list = list;
      this.work = work;
    }

    @Override
    public void cancel() {
      work = null;
      list.remove(this);
    }

    @Override
    public void run() {
      Runnable present = work;
      work = null;
      try {
        if (present != null) {
          present.run();
        }
      } catch (Throwable failure) {
        FAILURES.add("a callback for the close of a WebSocket failed", failure);
      }
    }
  }

  /** Returns a callback that isn't in the list yet. */
  Callback create(Runnable work) {
    return new Callback(this, work);
  }

  /** Adds a callback. Returns false if the socket has closed, so that it is not called. */
  synchronized boolean add(Callback added) {
    if (closed) {
      return false;
    }
    added.previous = last;
    if (last == null) {
      first = added;
    } else {
      last.next = added;
    }
    last = added;
    return true;
  }

  private synchronized void remove(Callback removed) {
    boolean isLinked = !closed && (removed.previous != null || first == removed);
    if (!isLinked) {
      return;
    }
    Callback before = removed.previous;
    Callback after = removed.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    removed.previous = null;
    removed.next = null;
  }

  private synchronized @Nullable Callback close() {
    Callback begin = first;
    closed = true;
    first = null;
    last = null;
    return begin;
  }

  /** Calls all callbacks. Those that are added from now on aren't. */
  void run() {
    for (Callback one = close(); one != null; one = one.next) {
      one.run();
    }
  }
}
