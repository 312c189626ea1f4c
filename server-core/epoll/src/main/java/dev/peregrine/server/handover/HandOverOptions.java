package dev.peregrine.server.handover;

import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.accept.SocketHandOver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options of a hand-over, as {@link HandOver} describes them.
 *
 * @param path of the socket where the processes meet
 */
record HandOverOptions(
    Path path, Duration patience, Duration readyTime, Runnable beforeReady, Runnable onHandedOver)
    implements SocketHandOver {
  @Override
  public Session begin(String threadName, List<ListenerSource> endpoints) throws IOException {
    return HandOverLink.open(this, threadName, endpoints);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
