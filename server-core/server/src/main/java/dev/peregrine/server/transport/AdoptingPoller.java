package dev.peregrine.server.transport;

import java.io.IOException;

/** A poller to which the sockets of other transports can move. */
public interface AdoptingPoller extends Poller {
  /** Begins to take over sockets for this poller. */
  Adoption adoption() throws IOException;
}
