package dev.peregrine.server.exchange.state;

import org.jspecify.annotations.Nullable;

/**
 * The objects and threads that may keep a reference to an exchange. An exchange that is held or
 * async serves no other request.
 */
public final class ExchangeUse {
  private final ExchangeReuse reuse;
  private volatile boolean async; // the handler's side may be on another thread
  private volatile boolean held; // a queued task or a thread may refer to it after its end
  private boolean left; // this and the next ones: written before async
  private volatile boolean confined; // to the thread of a handler that was left
  private @Nullable Thread only; // that thread, until the handler returns

  ExchangeUse(ExchangeReuse reuse) {
    this.reuse = reuse;
  }

  /** Returns true if the handler's side may be on another thread. */
  public boolean isAsync() {
    return async;
  }

  public void setAsync() {
    async = true;
  }

  /** Returns true if nothing but its stream refers to the exchange once that has ended. */
  public boolean isOwned() {
    return !async && !held;
  }

  /**
   * Prevents reuse of the exchange, because its handler has failed, or a caller keeps a reference
   * to it.
   */
  public void markHeld() {
    if (!held) {
      held = true;
    }
  }

  /** Prevents reuse of the exchange, and of all views of the server: a caller has kept its own. */
  public void endReuse() {
    markHeld();
    reuse.end();
  }

  // ---- a handler that was left ----

  /**
   * The handler that runs is left on its thread, which alone uses the exchange then.
   *
   * @param confines false if other threads may use the exchange too
   */
  public void leave(Thread handler, boolean confines) {
    left = true;
    only = handler;
    confined = confines;
    async = true;
  }

  /** Returns true if a handler of the exchange was left. */
  public boolean wasLeft() {
    return left;
  }

  /** The handler that was left has returned: its thread serves other exchanges from here on. */
  public void onReturn() {
    only = null;
  }

  /** Lets other threads use the exchange of a handler that was left. */
  public void passOn() {
    confined = false;
  }

  /** Returns true if only the handler that was left may use the exchange. */
  public boolean isConfined() {
    return confined;
  }

  /**
   * Returns true if the caller may use an async exchange: any thread, or only that of a handler
   * that was left and hasn't called {@code async}.
   */
  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  public boolean isPassedOn() {
    return async && (!confined || only == Thread.currentThread());
  }

  /** Returns true if other threads may use the exchange. */
  public boolean isShared() {
    return async && !confined;
  }
}
