package dev.peregrine.testing;

import dev.peregrine.server.loop.EventLoop;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A running event loop of scripted sockets; a test does its steps on the loop's thread. */
public final class ScriptedLoop implements AutoCloseable {
  private static final long BOUND_SECONDS = 60;

  /** Something that may throw. */
  @FunctionalInterface
  public interface Step {
    void run() throws Exception;
  }

  private final EventLoop loop;
  private Runnable atEnd = () -> {};

  public ScriptedLoop() {
    try {
      loop = new EventLoop("scripted-loop", new MemoryTransport());
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The loop, which runs from {@link #start} on. */
  public EventLoop loop() {
    return loop;
  }

  /** What runs last, to release what is attached to the loop. */
  public void atEnd(Runnable work) {
    atEnd = work;
  }

  public void start() {
    loop.start();
  }

  public void run(Step step) {
    call(
        () -> {
          step.run();
          return true;
        });
  }

  public <T> T call(Callable<T> step) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            result.complete(step.call());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    try {
      return result.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw failed;
    }
  }

  /** Ends the loop; nothing must be left of its memory. */
  @Override
  public void close() {
    loop.stop(atEnd);
    try {
      loop.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    if (loop.arena().blocksInUse() != 0) {
      throw new AssertionError(loop.arena().blocksInUse() + " blocks are left");
    }
  }
}
