package dev.peregrine.server.exchange.state;

/**
 * Whether the exchanges of a server serve one request after the other. One for all loops of a
 * server.
 *
 * <pre>
 *   each request has its own ──some requests of the loop──▶ reused ──first use by another thread──▶
 *   each request has its own, for good
 * </pre>
 *
 * <p>A request and its response have the same identity for the thread that the application passes
 * them to and for one that has kept them since an earlier request. So an object that other threads
 * may use must not have served before. That is known only when a handler calls {@code async}, so a
 * server in which one does stops reusing exchanges.
 */
public final class ExchangeReuse {
  /** In place of a number of requests: all of them. */
  public static final int NEVER = Integer.MAX_VALUE;

  private final int ownFirst;
  private volatile boolean over;

  /**
   * Creates the state of a server that hasn't started.
   *
   * @param ownFirst how many requests of each loop have their own exchange at first, or {@link
   *     #NEVER}
   */
  public ExchangeReuse(int ownFirst) {
    this.ownFirst = ownFirst;
    this.over = ownFirst == NEVER;
  }

  int ownFirst() {
    return ownFirst;
  }

  boolean isOver() {
    return over;
  }

  /** Ends reuse for good, because another thread uses an exchange; on any thread. */
  public void end() {
    if (!over) {
      over = true;
    }
  }
}
