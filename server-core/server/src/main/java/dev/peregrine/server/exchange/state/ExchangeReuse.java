package dev.peregrine.server.exchange.state;

/**
 * Whether the handler's views of an exchange serve one request after the other. One for all loops
 * of a server.
 *
 * <pre>
 *   each request has its own ──some requests of the loop──▶ reused ──first use by another thread──▶
 *   each request has its own, for good
 * </pre>
 *
 * <p>A view that serves several requests is the same object for the thread that the application
 * passes it to and for one that has kept it since an earlier request. So a view that other threads
 * may use must not have served before. That is known only when a handler calls {@code async}, so a
 * server in which one does stops reusing views. Their exchanges are reused further on.
 */
public final class ExchangeReuse {
  /** In place of a number of requests: all of them. */
  public static final int NEVER = Integer.MAX_VALUE;

  private final int ownFirst;
  private volatile boolean over;

  /**
   * Creates the state of a server that hasn't started.
   *
   * @param ownFirst how many requests of each loop have their own views at first, or {@link #NEVER}
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
