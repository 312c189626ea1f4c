package dev.peregrine.server.tls;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work of a session on another thread, and the way back to its loop. The thread is a virtual one:
 * as many of them compute at a time as there are processors, and one that waits for the application
 * holds up no other.
 */
final class SessionTask extends LoopTask {
  private final EventLoop loop;
  private final Runnable work;
  private final Consumer<@Nullable Throwable> onEnd;
  private final Runnable onLost;
  private @Nullable Throwable thrown;

  /**
   * Work that isn't started yet.
   *
   * @param onEnd called on the loop, with what the work has thrown or null
   * @param onLost called instead if the loop has ended, on any thread
   */
  SessionTask(EventLoop loop, Runnable work, Consumer<@Nullable Throwable> onEnd, Runnable onLost) {
    this.loop = loop;
    this.work = work;
    this.onEnd = onEnd;
    this.onLost = onLost;
  }

  void start() {
    Thread ignored = Thread.ofVirtual().name("tls-handshake").start(this::work);
  }

  private void work() {
    try {
      work.run();
    } catch (Throwable failure) {
      thrown = failure;
    } finally {
      loop.execute(this);
    }
  }

  @Override
  protected void run() {
    onEnd.accept(thrown);
  }

  @Override
  protected void onRejected() {
    onLost.run();
  }
}
