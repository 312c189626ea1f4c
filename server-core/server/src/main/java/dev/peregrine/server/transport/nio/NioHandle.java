package dev.peregrine.server.transport.nio;

import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.ReadyHandler;
import java.io.IOException;

/** A socket with a key of a {@link NioPoller}, which can move to another transport. */
interface NioHandle {
  /** Returns the handler to notify. */
  ReadyHandler handler();

  /**
   * Takes the socket over for another poller, and registers it there without an interest.
   *
   * @return the socket's other form
   */
  AutoCloseable adopt(Adoption adoption, Poller next) throws IOException;

  /**
   * Has the other form take the place of this one.
   *
   * @param adopted as {@link #adopt} returned it
   */
  void moveTo(AutoCloseable adopted);

  /** Closes the own descriptor, which no poller knows any more. */
  void closeMoved() throws IOException;

  /** The poller is about to be closed. */
  default void onPollerClosed() {}
}
