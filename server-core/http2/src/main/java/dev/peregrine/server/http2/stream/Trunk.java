package dev.peregrine.server.http2.stream;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.PeerSettings;
import dev.peregrine.server.http2.flow.RecentResets;
import dev.peregrine.server.http2.flow.SendQueue;
import dev.peregrine.server.http2.flow.StreamTable;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.head.HeadTable;
import dev.peregrine.server.http2.head.HeadTarget;
import dev.peregrine.server.memory.OutboundQueue;
import org.jspecify.annotations.Nullable;

/**
 * The parts that all streams of a connection share: the way out, the budget of the client, and
 * notes for the end of the turn. It knows no stream, so a stream that resets itself writes the
 * frame and leaves a note; the connection then drops it.
 */
public final class Trunk implements HeadTarget {
  private final LoopParts loop;
  private final Connection connection;
  private final HeadTable table = new HeadTable();
  private final SendQueue output;
  private final PeerSettings peer;
  private final RecentResets resets;
  private final FloodBudget flood;
  private int orphans; // handlers that still run for streams that were reset
  private boolean serviceWanted; // a stream may have content to deliver, or is over
  private boolean shedWanted; // the loop has run out of memory

  public Trunk(LoopParts loop, Connection connection, StreamTable<?> streams) {
    long nowNanos = connection.nanos();
    this.loop = loop;
    this.connection = connection;
    this.output = new SendQueue(streams, this, loop.sending.takingRate(), nowNanos);
    this.peer = new PeerSettings(streams, table);
    this.resets = new RecentResets(loop.settings.streamsMax());
    this.flood = new FloodBudget(loop.context.limits().http2().floodPointsMax(), nowNanos);
  }

  public Connection connection() {
    return connection;
  }

  public long nanos() {
    return connection.nanos();
  }

  @Override
  public OutboundQueue out() {
    return connection.out();
  }

  @Override
  public HeadTable table() {
    return table;
  }

  public SendQueue output() {
    return output;
  }

  /** Returns the settings of the client, which concern what is sent. */
  public PeerSettings peer() {
    return peer;
  }

  /** Returns true if content may be sent in this turn. */
  boolean isBelowHighWater() {
    return connection.output().unsentBytes() < loop.sending.highWater();
  }

  // ---- the client ----

  /** Spends points of the flood budget; a violation if they are used up. */
  public @Nullable Violation spend(int points) {
    long nowNanos = nanos();
    boolean own = flood.spend(points, nowNanos);
    boolean all = loop.flood.spend(points, nowNanos);
    return own && (all || !flood.isHalfSpent()) ? null : Violation.FLOOD;
  }

  /** Returns points, because a request was served. */
  public void restoreServed() {
    flood.restore(FloodBudget.SERVED);
  }

  /** Sends the reset of a stream, which may have been refused or have ended. */
  public void reset(int id, int code) {
    resets.add(id);
    if (connection.isOpen()) {
      loop.control.reset(connection.out(), id, code);
    }
  }

  /** Returns true if this server has reset or refused a stream lately. */
  public boolean wasReset(int id) {
    return resets.contains(id);
  }

  // ---- notes for the end of the turn ----

  /** Lets the streams continue at the end of the turn. */
  public void serveLater() {
    serviceWanted = true;
  }

  public boolean isServiceWanted() {
    return serviceWanted;
  }

  public void beginService() {
    serviceWanted = false;
  }

  /** Ends the connection after its present streams, for want of memory. */
  void shedLater() {
    shedWanted = true;
  }

  public boolean isShedWanted() {
    return shedWanted;
  }

  // ---- handlers that outlive their streams ----

  void addOrphan() {
    orphans++;
  }

  void removeOrphan() {
    orphans--;
  }

  public int orphans() {
    return orphans;
  }
}
