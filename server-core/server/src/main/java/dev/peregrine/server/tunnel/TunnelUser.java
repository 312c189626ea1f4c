package dev.peregrine.server.tunnel;

import dev.peregrine.server.memory.Block;
import java.io.IOException;

/**
 * The user of a connection or stream after HTTP: raw bytes of an application, or a protocol above
 * them. Called on the event loop. An exception of a method is logged and ends the tunnel.
 */
public interface TunnelUser {
  /** The tunnel is open; called before all other methods. The last response was written. */
  void onOpen(Tunnel tunnel) throws Exception;

  /** Returns true if bytes that arrive are taken now. */
  boolean isTaking();

  /**
   * Returns how many bytes are likely to arrive at once and are taken then. If they are many, a
   * read may bring more than usual, but not more than these.
   */
  default long expectedBytes() {
    return 0;
  }

  /** Bytes have arrived, in a block that is valid, and may be changed, during the call. */
  void onData(Block block, int from, int to) throws Exception;

  /** The client has ended its side. */
  void onEnd() throws Exception;

  /** There is room to write again. */
  void onWritable() throws Exception;

  /** The time of {@link Tunnel#setDue} has come. */
  void onDue() throws Exception;

  /** The server has begun to shut down. */
  void onShutdown() throws Exception;

  /** The tunnel will not be opened, because its exchange has ended; no other method is called. */
  default void onDropped() {}

  /** The tunnel is closed; called once, also if it was never opened. */
  void onClose(IOException cause) throws Exception;
}
