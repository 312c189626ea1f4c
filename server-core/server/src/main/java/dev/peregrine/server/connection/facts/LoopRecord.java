package dev.peregrine.server.connection.facts;

import dev.peregrine.base.LoopCounters;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.ConnectionListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The listeners for the connections of an event loop, and what they learn of the loop. */
public final class LoopRecord {
  private static final int RECEIVED = 0;
  private static final int SENT = 1;

  final EventLoop loop;
  private final ConnectionCount connections;
  private final LoopCounters traffic = new LoopCounters(SENT + 1); // of connections with a record
  private @Nullable LoopFacts facts; // created for the first listener that reads them
  private @Nullable List<ConnectionListener> listeners; // without a recorder; null if unobserved

  /** The listeners that are notified; null for none. On the loop's thread. */
  @Nullable ConnectionObservers observers;

  /** Creates the record of a loop without listeners. */
  public LoopRecord(EventLoop loop, ConnectionCount connections) {
    this.loop = loop;
    this.connections = connections;
  }

  /** Returns the facts of the loop for listeners; before the loop runs, or on its thread. */
  public LoopFacts facts() {
    LoopFacts known = facts;
    if (known == null) {
      known = new LoopFacts(this);
      facts = known;
    }
    return known;
  }

  /** Sets the listeners for connections; before the loop runs. */
  public void observeBy(List<ConnectionListener> observing) {
    listeners = observing;
    recordBy(null);
  }

  /** Sets a listener that is notified after the others, null for none; on the loop's thread. */
  public void recordBy(@Nullable ConnectionListener recorder) {
    observers = ConnectionObservers.of(loop, listeners, recorder);
  }

  /** Returns true if listeners are notified of connections; on the loop's thread. */
  public boolean isObserved() {
    return observers != null;
  }

  void countReceived(int bytes) {
    traffic.add(RECEIVED, bytes);
  }

  void countSent(long bytes) {
    traffic.add(SENT, bytes);
  }

  /** Returns the number of connections that are open or reserved; callable from any thread. */
  int connections() {
    return connections.reserved();
  }

  /** Returns the bytes received while connections were observed; callable from any thread. */
  public long bytesReceived() {
    return traffic.get(RECEIVED);
  }

  /** Returns the bytes sent while connections were observed; callable from any thread. */
  public long bytesSent() {
    return traffic.get(SENT);
  }
}
