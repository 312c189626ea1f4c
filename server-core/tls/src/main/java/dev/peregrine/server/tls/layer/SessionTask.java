package dev.peregrine.server.tls.layer;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work of a session on another thread, and its return to the loop. The thread is a virtual one: as
 * many compute at a time as the machine has processors, and one that waits for the application
 * doesn't block the others.
 */
final class SessionTask extends LoopTask {
  private final EventLoop loop;
  private final Runnable work;
  private final Consumer<@Nullable Throwable> onEnd;
  private final Runnable onLost;
  private @Nullable Throwable thrown;

  /**
   * Creates work that isn't started yet.
   *
   * @param onEnd called on the loop, with the exception of the work or null
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
