package dev.peregrine.server.jfr;

import dev.peregrine.base.Log;
import dev.peregrine.server.loop.watch.BlockedTurn;
import dev.peregrine.server.start.RecordedLoop;
import dev.peregrine.server.start.ServerEvents;
import dev.peregrine.server.start.ServerFacts;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The events of one server in the JVM's Flight Recorder. Thread-safe.
 *
 * <p>Without a recording, the event loops have no listener of this package, so that a request and a
 * connection cost the same as without it.
 */
final class RecordedServer implements ServerEvents {
  private static final String MODULE = "jdk.jfr";

  private final ServerFacts facts;
  private final List<RecordedLoop> loops;
  private volatile @Nullable RecorderLink link; // null until attached, and without the module
  private @Nullable PinnedThreads pinned; // guarded by this
  private boolean closed; // guarded by this

  /** Creates the events of a server whose loops may not run yet. */
  RecordedServer(ServerFacts facts, List<RecordedLoop> loops) {
    this.facts = facts;
    this.loops = loops;
  }

  /**
   * Attaches before the loops run if the JVM's recorder is in use already. Otherwise loads one
   * class of it.
   */
  @Override
  public void attachBeforeStart() {
    if (isAvailable() && FlightRecorder.isInitialized()) {
      attach(true);
    }
  }

  @Override
  public void attach() {
    if (isAvailable()) {
      attach(false);
      watchPinned();
    } else if (facts.pinnedTime() != null) {
      Log.add(Level.WARNING, "pinned threads are not logged without the module " + MODULE);
    }
  }

  private synchronized void watchPinned() {
    Duration least = facts.pinnedTime();
    if (!closed && pinned == null && least != null) {
      pinned = new PinnedThreads(facts.server(), least);
    }
  }

  private synchronized void attach(boolean beforeStart) {
    if (!closed && link == null) {
      RecorderLink created = new RecorderLink(facts, loops);
      link = created;
      created.attach(beforeStart);
    }
  }

  /** Returns false in a runtime image, or in an application of modules, without the recorder. */
  private static boolean isAvailable() {
    return ModuleLayer.boot().findModule(MODULE).isPresent();
  }

  @Override
  public void onBlocked(BlockedTurn turn) {
    RecorderLink attached = link;
    if (attached != null) {
      attached.onBlocked(turn);
    }
  }

  /**
   * Ends the periodic events and leaves the recorder. Events of connections and exchanges are
   * recorded until their loop has ended.
   */
  @Override
  public synchronized void close() {
    closed = true;
    RecorderLink attached = link;
    if (attached != null) {
      attached.close();
    }
    if (pinned != null) {
      pinned.close();
    }
  }
}
