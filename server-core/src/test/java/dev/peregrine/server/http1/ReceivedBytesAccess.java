package dev.peregrine.server.http1;

import dev.peregrine.http.Bytes;
import dev.peregrine.server.memory.Block;
import java.util.function.Consumer;

/** Lets tests of other packages see bytes as they are received. */
public final class ReceivedBytesAccess {
  private ReceivedBytesAccess() {}

  /** Passes a range of a block on as received bytes, readable during the call. */
  public static void pass(Block block, int from, int to, Consumer<Bytes> taker) {
    ReceivedBytes received = new ReceivedBytes(block, from, to);
    taker.accept(received);
    received.close();
  }
}
