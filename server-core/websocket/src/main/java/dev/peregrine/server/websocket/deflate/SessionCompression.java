package dev.peregrine.server.websocket.deflate;

import org.jspecify.annotations.Nullable;

/** The compression of a session, in both directions. Used by its event loop's thread only. */
public final class SessionCompression implements AutoCloseable {
  private final DeflateParameters parameters;
  private final MessageDeflater deflater;
  private final MessageInflater inflater;

  private SessionCompression(
      DeflateParameters parameters, MessageDeflater deflater, MessageInflater inflater) {
    this.parameters = parameters;
    this.deflater = deflater;
    this.inflater = inflater;
  }

  /**
   * Opens a session's compression. A context that the pool's budget has no room for is not kept:
   * the session's parameters then say so, and are the ones to answer. Returns null if the budget is
   * too small for compression at all.
   */
  public static @Nullable SessionCompression open(CompressionPool pool, DeflateParameters wanted) {
    CompressionBudget budget = pool.budget();
    if (!budget.hasRoomForMessages()) {
      return null;
    }
    boolean serverContext =
        !wanted.serverNoContextTakeover()
            && budget.takeForSession(CompressionBudget.DEFLATER_BYTES);
    boolean clientContext =
        !wanted.clientNoContextTakeover()
            && budget.takeForSession(CompressionBudget.INFLATER_BYTES);
    DeflateParameters agreed = wanted.keeping(serverContext, clientContext);
    return new SessionCompression(
        agreed,
        new MessageDeflater(pool, serverContext, agreed.serverWindowBits()),
        new MessageInflater(pool, clientContext));
  }

  /** Returns the parameters to answer. */
  public DeflateParameters parameters() {
    return parameters;
  }

  /** Returns the compressor of the server's messages. */
  public MessageDeflater deflater() {
    return deflater;
  }

  /** Returns the decompressor of the client's messages. */
  public MessageInflater inflater() {
    return inflater;
  }

  /** Gives back all memory, also in the middle of messages. Further calls have no effect. */
  @Override
  public void close() {
    deflater.close();
    inflater.close();
  }
}
