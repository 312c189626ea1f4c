package dev.peregrine.server.start;

import dev.peregrine.base.Log;
import dev.peregrine.server.accept.OpenFiles;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.transport.AdoptingPoller;
import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The change of a server that runs from {@code java.nio} to system calls, with its connections. */
final class TransportMove {
  private static final int TRIES = 10;
  private static final long PAUSE_MILLIS = 50; // before the second try; then twice as long each

  private static final int DESCRIPTORS_OF_LOOP = 4; // its poller's, and one to list the others

  private TransportMove() {}

  /**
   * Moves all loops, one after the other. Links the system calls first, which takes as long as the
   * rest of a start.
   *
   * @param workers the first one accepts the connections
   * @return true if all have moved
   */
  static boolean run(NativeTransport calls, List<Worker> workers) throws InterruptedException {
    String worse = "transport: nio; " + calls.name() + " would be faster, but ";
    String problem = calls.problem();
    if (problem != null) {
      Log.add(Level.INFO, worse + problem);
      return false;
    }
    Transport next = calls.open();
    rehearse(calls, next);
    // The accepting loop is the last one: a loop that has moved can take connections of java.nio
    // over, but not the other way round.
    for (int i = workers.size() - 1; i >= 0; i--) {
      Throwable failure = move(workers, workers.get(i), next);
      if (failure != null) {
        Log.add(Level.INFO, worse + "the change failed", failure);
        return false;
      }
    }
    return true;
  }

  /** Loads and links what a loop needs to move, so that its connections don't wait for that. */
  private static void rehearse(NativeTransport calls, Transport next) {
    calls.rehearseMove();
    try (Poller poller = next.openPoller()) {
      if (poller instanceof AdoptingPoller adopting) {
        Adoption ignored = adopting.adoption();
      }
    } catch (IOException failure) {
      // The loop has the same failure, and reports it.
    }
  }

  /**
   * Moves a loop. Tries again after a failure, because a connection that the client has just reset
   * can't be found, or because descriptors are short.
   */
  private static @Nullable Throwable move(List<Worker> workers, Worker moved, Transport next)
      throws InterruptedException {
    Move move = new Move(moved.loop, next);
    for (int i = 0; i < TRIES && move.isDue(); i++) {
      if (i > 0) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS << i);
        move = new Move(moved.loop, next);
      }
      int connections = 0;
      for (Worker worker : workers) {
        connections += worker.connections.count().reserved();
      }
      move.failure = shortage(OpenFiles.read(), connections, moved.connections.count().reserved());
      if (move.failure == null) {
        moved.loop.execute(move);
        move.done.await();
      }
    }
    return move.failure;
  }

  /**
   * Returns why a loop doesn't move now, or null: each of its connections needs a second descriptor
   * for a moment, which must not be missing for a file that is sent or a new connection.
   *
   * @param files null if no limit is known
   * @param connections of all loops
   * @param own of the loop that moves
   */
  private static @Nullable IOException shortage(
      @Nullable OpenFiles files, int connections, int own) {
    int needed = own + DESCRIPTORS_OF_LOOP;
    if (files == null || needed <= files.spare(connections)) {
      return null;
    }
    return new IOException(
        needed
            + " more descriptors are needed for a moment, and "
            + files.describe()
            + " leaves "
            + files.spare(connections));
  }

  /** One try on a loop's thread. */
  private static final class Move extends LoopTask {
    private final EventLoop loop;
    private final Transport next;
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable Throwable failure;
    private boolean isOver;

    Move(EventLoop loop, Transport next) {
      this.loop = loop;
      this.next = next;
    }

    boolean isDue() {
      return !isOver;
    }

    @Override
    protected void run() {
      try {
        loop.moveTo(next);
        isOver = true;
      } catch (IOException | RuntimeException | Error lasting) {
        failure = lasting;
        isOver = !(lasting instanceof IOException);
      } finally {
        done.countDown();
      }
    }

    @Override
    protected void onRejected() {
      isOver = true; // the server has been closed
      done.countDown();
    }
  }
}
