package dev.peregrine.server.transport;

import java.nio.channels.SelectionKey;

/**
 * The events that a socket can be ready for, as bits; the values are those of {@link SelectionKey}.
 */
public final class Ready {
  public static final int READ = SelectionKey.OP_READ;
  public static final int WRITE = SelectionKey.OP_WRITE;
  public static final int ACCEPT = SelectionKey.OP_ACCEPT;

  /**
   * The connection has failed: the peer has reset it, or is unreachable. Reported once, regardless
   * of the interest, by transports that detect it without reading; never by {@code java.nio}.
   */
  public static final int ERROR = 1 << 1;

  /**
   * The peer has ended its stream; bytes before the end may still be unread. Reported once, by
   * transports that detect it without reading; never by {@code java.nio}.
   */
  public static final int INPUT_END = 1 << 5;

  private Ready() {}
}
