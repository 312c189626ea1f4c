package dev.peregrine.server.connection;

import dev.peregrine.base.Incident;
import dev.peregrine.base.LoopCounters;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTimer;
import dev.peregrine.server.loop.TurnUser;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.pace.DataRate;
import dev.peregrine.server.transport.Relieved;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, with the inbound memory and the outbound queue that they
 * share. Every connection's deadline is checked about once a second, a part of the connections each
 * tick. Used by the loop's thread only, unless a method says otherwise.
 *
 * <p>Clients are judged by the group's own clock. It follows the loop's clock, but from one tick to
 * the next it advances by no more than a tick should take. So the time in which the loop is
 * stalled, and doesn't read, doesn't count against clients.
 */
public final class ConnectionGroup implements TurnUser {
  static final int RECEIVED = 0; // in the traffic
  static final int SENT = 1;

  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int TICKS_PER_SWEEP = 4;

  // Closing a connection takes some ten microseconds, and a client can open thousands at a time.
  private static final int DUE_PER_TURN_MAX = 64;
  private static final int SPARE_QUEUES_MAX = 16;
  private static final int SLOTS_INITIAL = 64;

  final EventLoop loop;
  final ServerLimits limits;
  final long lingerNanos;
  final InboundBuffer inbound;
  final DataRate takingRate;
  final long tickNanos;
  final LoopCounters traffic = new LoopCounters(SENT + 1); // of the connections with a record

  @Nullable ConnectionObservers observers; // null without listeners
  private @Nullable LoopFacts facts; // created for the first listener that reads them
  private @Nullable List<ConnectionListener> listeners; // without a recorder; null if unobserved

  /** The connection whose turn it is. */
  @Nullable Connection current;

  /** The queue with a later step of a thread that the loop carries, while that runs. */
  @Nullable TurnQueue stepping;

  /** Whether the client has ended its stream, and the protocol must be notified in this turn. */
  boolean endsAhead;

  private final Consumer<Throwable> onGap = new OnGap();
  private OutboundQueue outbound;
  private final @Nullable OutboundQueue[] spareQueues = new OutboundQueue[SPARE_QUEUES_MAX];
  private int spareQueueCount;
  private @Nullable Connection[] slots = new Connection[SLOTS_INITIAL];
  private volatile int size;
  private final AtomicInteger reserved = new AtomicInteger();
  private final AtomicInteger admitted = new AtomicInteger(); // reserved and not shed
  private final MemoryRelief relief;
  private int swept;
  private final LoopTimer ticks;
  private boolean ticking;
  private long countedNanos; // of the clock that clients are judged by, at the last tick
  private long tickedNanos; // of the loop's clock, at the last tick

  /** Creates the group of a loop that isn't running yet. */
  public ConnectionGroup(EventLoop loop, ServerLimits limits) {
    this.loop = loop;
    this.limits = limits;
    this.lingerNanos = limits.lingerTime().toNanos();
    this.inbound = new InboundBuffer(loop.bufferPool());
    this.outbound = newQueue();
    this.takingRate =
        new DataRate(
            limits.responseBytesPerSecondMin(),
            limits.responseRateGrace().toNanos(),
            DataRate.TAKING_CREDIT_BYTES_MAX);
    long sweepNanos =
        Math.clamp(shortestNanos(limits) / 4, TimeUnit.MILLISECONDS.toNanos(20), SWEEP_NANOS);
    this.tickNanos = sweepNanos / TICKS_PER_SWEEP;
    this.ticks = loop.timer(new Tick());
    this.relief = new MemoryRelief(this);
    loop.serve(this);
  }

  @Override
  public void leaveHandler() {
    Connection served = current;
    if (served != null && stepping == null) { // a later step needs nothing of the turn
      served.endLoan();
      served.protocol().leaveHandler(served, inbound);
    }
  }

  @Override
  public void endLeftTurn() {
    Connection served = current;
    boolean ahead = endsAhead;
    endsAhead = false;
    TurnQueue queue = stepping;
    stepping = null;
    if (served != null) {
      LeftTurn.end(served, ahead);
    } else if (queue != null) { // of a connection that has closed
      queue.endLeftRun();
    }
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

  /** The shortest time that a connection may be given, which sets the pace of sweeps. */
  private static long shortestNanos(ServerLimits limits) {
    Duration begin = limits.responseBeginTime();
    Duration[] times = {
      begin.isZero() ? limits.keepAliveTime() : begin,
      limits.handshakeTime(),
      limits.proxyHeaderTime(),
      limits.requestHeadTime(),
      limits.keepAliveTime(),
      limits.lingerTime(),
      limits.requestRateGrace(),
      limits.responseRateGrace()
    };
    return Collections.min(Arrays.asList(times)).toNanos();
  }

  /**
   * Describes the exchange that the loop is serving, for a caller on another thread; null if it
   * serves no connection, or has switched to another one meanwhile.
   */
  @Override
  public @Nullable String describe() {
    Connection served = current;
    if (served == null) {
      return null;
    }
    String request = served.protocol().describe(served);
    String client;
    try {
      client = String.valueOf(served.remoteAddress());
    } catch (IOException unknown) {
      return request;
    }
    return served != current ? null : request == null ? client : request + " of " + client;
  }

  /** Returns the time that clients are judged by. */
  long nanos() {
    return countedNanos + Math.min(loop.nanos() - tickedNanos, tickNanos);
  }

  /** Takes a connection over; closes it if that fails. */
  public Connection open(StreamSocket socket, Protocol spoken) throws IOException {
    reserve();
    return openReserved(socket, spoken);
  }

  /**
   * Counts a connection that is on its way to this group. {@link #openReserved} or {@link #release}
   * has to follow. Callable from any thread.
   */
  public void reserve() {
    reserved.incrementAndGet();
    admitted.incrementAndGet();
  }

  /**
   * Counts a reserved connection as one to be shed because the server is overloaded. {@link
   * #openShed} or {@link #release} has to follow. Callable from any thread.
   */
  public void countShed() {
    admitted.decrementAndGet();
  }

  /**
   * Takes back {@link #reserve}; callable from any thread.
   *
   * @param shed whether it also takes back {@link #countShed}
   */
  public void release(boolean shed) {
    if (!shed) {
      admitted.decrementAndGet();
    }
    reserved.decrementAndGet();
  }

  /** Returns the number of connections that are open or reserved; callable from any thread. */
  public int reserved() {
    return reserved.get();
  }

  /** Returns the number of reserved connections that are not shed; callable from any thread. */
  public int admitted() {
    return admitted.get();
  }

  /** Returns the number of connections that are being shed; callable from any thread. */
  public int shed() {
    return reserved.get() - admitted.get();
  }

  /**
   * Returns the bytes that connections have received while they were observed; callable from any
   * thread.
   */
  public long bytesReceived() {
    return traffic.get(RECEIVED);
  }

  /**
   * Returns the bytes that connections have sent while they were observed; callable from any
   * thread.
   */
  public long bytesSent() {
    return traffic.get(SENT);
  }

  /** Takes over a connection that was counted by {@link #reserve}; closes it if that fails. */
  public Connection openReserved(StreamSocket socket, Protocol spoken) throws IOException {
    return open(socket, spoken, false);
  }

  /**
   * Takes over a connection that was counted by {@link #countShed}, and has its protocol respond
   * that the server is overloaded. Closes it if that fails.
   *
   * @param connectionsMax the number of connections that the server admits
   */
  public void openShed(StreamSocket socket, Protocol spoken, int connectionsMax)
      throws IOException {
    Connection connection = open(socket, spoken, true);
    try {
      connection.turn(() -> overload(connection, connectionsMax));
    } catch (Throwable failure) {
      connection.close(CloseReason.OVERLOADED);
      throw failure;
    }
  }

  private static void overload(Connection connection, int connectionsMax) {
    if (connection.isOpen()) {
      connection.protocol().onOverload(connection, connectionsMax);
    }
  }

  private Connection open(StreamSocket socket, Protocol spoken, boolean shed) throws IOException {
    Connection connection;
    try {
      connection = new Connection(this, socket, spoken, shed);
      add(connection);
    } catch (Throwable failure) {
      release(shed);
      socket.close();
      throw failure;
    }
    connection.open();
    return connection;
  }

  /** Returns the number of open connections; callable from any thread. */
  public int size() {
    return size;
  }

  public EventLoop loop() {
    return loop;
  }

  /**
   * Returns the connection at an index, 0 to {@link #size} - 1; indices change when connections
   * close.
   */
  public Connection get(int index) {
    return Objects.requireNonNull(slots[index]);
  }

  /** Reports what {@link #close} would cut short. */
  public void forEachUnfinished(Consumer<Unfinished> target) {
    for (int i = 0; i < size; i++) {
      ConnectionEnd.reportUnfinished(get(i), target);
    }
  }

  /** Closes every connection and releases the shared memory, because the loop is ending. */
  public void close(CloseReason reason) {
    while (size > 0) {
      get(size - 1).close(reason);
    }
    outbound.clear();
    for (int i = 0; i < spareQueueCount; i++) {
      Objects.requireNonNull(spareQueues[i]).clear();
    }
    spareQueueCount = 0;
    inbound.close();
  }

  /**
   * Returns the queue that the connection in its turn writes into, as long as all its bytes are
   * sent.
   */
  OutboundQueue outbound() {
    return outbound;
  }

  private OutboundQueue newQueue() {
    return new OutboundQueue(loop.bufferPool(), onGap);
  }

  /**
   * Ends the connection in its turn, because bytes of its response are missing. At once, so that it
   * doesn't matter whether the application catches the exception.
   */
  private void breakOffCurrent(Throwable cause) {
    Connection incomplete = current;
    if (incomplete != null) {
      boolean freed = cause instanceof RuntimeException; // a buffer, by the application
      incomplete.breakOff(freed ? CloseReason.APPLICATION_FAILED : CloseReason.OVERLOADED);
    }
  }

  /** Gives the shared queue away to a connection that couldn't send all of it. */
  OutboundQueue giveOutbound() {
    OutboundQueue given = outbound;
    outbound =
        spareQueueCount > 0 ? Objects.requireNonNull(spareQueues[--spareQueueCount]) : newQueue();
    return given;
  }

  /** Takes back a queue that was given away. */
  void takeBack(OutboundQueue queue) {
    queue.clear();
    if (spareQueueCount < SPARE_QUEUES_MAX) {
      spareQueues[spareQueueCount++] = queue;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // written by the loop's thread only
  void add(Connection connection) {
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, size + size / 2);
    }
    connection.slot = size;
    slots[size] = connection;
    size++;
    if (!ticking) {
      ticking = true;
      tickedNanos = loop.nanos();
      ticks.start(tickNanos);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // written by the loop's thread only
  void remove(Connection connection) {
    int last = size - 1;
    Connection moved = get(last);
    slots[connection.slot] = moved;
    moved.slot = connection.slot;
    slots[last] = null;
    size = last;
    release(connection.isShed());
  }

  /** Checks every connection for passed deadlines. */
  public void sweepAll() {
    count();
    for (int i = size - 1; i >= 0; i--) {
      if (i < size) { // a check may close several connections
        int ignored = sweep(get(i));
      }
    }
  }

  private void tick() {
    ticks.start(tickNanos); // first, so that the next tick happens even if this one throws
    count();
    if (!sweepPart()) {
      ticks.start(0); // at once, but after the sockets that have become ready
    }
    if (size == 0) {
      ticking = false;
      ticks.cancel();
      loop.bufferPool().trim();
    } else {
      loop.bufferPool().trimUnused();
      relief.onTick();
    }
  }

  private void count() {
    countedNanos = nanos();
    tickedNanos = loop.nanos();
  }

  /** Lets the time of a tick pass at once. */
  void skipTick() {
    countedNanos += tickNanos;
    boolean ignored = sweepPart();
    relief.onTick();
  }

  /**
   * Checks the next part of the connections. Returns false if it ended early, because closing more
   * connections in this tick would make the others wait.
   */
  private boolean sweepPart() {
    int part = size / TICKS_PER_SWEEP + 1;
    int due = 0;
    int checked = 0;
    while (checked < part && size > 0) {
      if (due >= DUE_PER_TURN_MAX) {
        return false;
      }
      if (swept >= size) {
        swept = 0;
      }
      int result = sweep(get(swept));
      due += result;
      if (result != ConnectionSweep.AGAIN) {
        swept++;
        checked++;
      }
    }
    return true;
  }

  /**
   * Checks a connection. An exception is logged, so that the other connections are checked too. The
   * connection keeps its deadline.
   */
  private int sweep(Connection connection) {
    try {
      return ConnectionSweep.sweep(connection, countedNanos);
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      loop.report(Incident.SWEEP_FAILED, failure);
      return ConnectionSweep.DUE;
    }
  }

  // Not lambdas, to start sooner: see docs/ARCHITECTURE.md.

  private final class OnGap implements Consumer<Throwable> {
    @Override
    public void accept(Throwable cause) {
      breakOffCurrent(cause);
    }
  }

  private final class Tick implements Runnable {
    @Override
    public void run() {
      tick();
    }
  }
}
