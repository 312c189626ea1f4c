package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * An {@code SSL_CTX}, from which all threads create sessions; created by {@link ContextBuilder}.
 * Immutable. The owner closes it after the last call of {@link #newSession}; sessions keep the
 * native context alive.
 */
public final class OpenSslContext implements AutoCloseable {
  private static final LongAdder LIVE = new LongAdder();

  private final long address;
  private final TicketKeys tickets;

  /** Memory that OpenSSL's callbacks read while a session refers to this. */
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final List<MemorySegment> kept;

  OpenSslContext(long address, TicketKeys tickets, List<MemorySegment> kept) {
    this.address = address;
    this.tickets = tickets;
    this.kept = List.copyOf(kept);
  }

  /** Returns the number of contexts that exist; for tests. */
  public static long live() {
    return LIVE.sum();
  }

  static void count(int change) {
    LIVE.add(change);
  }

  static void free(long context) {
    call(Functions.SSL_CTX_FREE, context);
    count(-1);
  }

  /**
   * Creates the server's side of a connection.
   *
   * @param buffers the buffers of the calling thread, which uses the session from now on
   */
  public OpenSslSession newSession(RecordBuffers buffers) {
    tickets.rotateIfDue();
    return new OpenSslSession(this, address, buffers);
  }

  @Override
  public void close() {
    free(address);
  }
}
