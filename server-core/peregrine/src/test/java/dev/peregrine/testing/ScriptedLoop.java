package dev.peregrine.testing;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.JvmMemory;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A running event loop of scripted sockets; a test does its steps on the loop's thread. */
public final class ScriptedLoop implements AutoCloseable {
  private static final long BOUND_SECONDS = 120;

  /** A step that may throw. */
  @FunctionalInterface
  public interface Step {
    void run() throws Exception;
  }

  private final EventLoop loop;
  private Runnable atEnd = () -> {};

  public ScriptedLoop() {
    this(System::nanoTime);
  }

  /** Creates a loop with the test's clock. */
  public ScriptedLoop(LongSupplier clock) {
    this(clock, new JvmMemory());
  }

  /** Creates a loop with the test's clock and memory. */
  public ScriptedLoop(LongSupplier clock, MemorySource memory) {
    try {
      loop = new EventLoop("scripted-loop", new MemoryTransport(memory), clock);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The loop, which runs from {@link #start} on. */
  public EventLoop loop() {
    return loop;
  }

  /** Sets the work that runs last, to release the objects that are attached to the loop. */
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

  /** Runs a step on the caller's thread while the loop is held. */
  public void whileHeld(Step step) {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    loop.execute(
        () -> {
          held.countDown();
          await(released);
        });
    await(held);
    try {
      step.run();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    } finally {
      released.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(BOUND_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("held for too long");
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
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

  /** Ends the loop; fails if any of its memory is in use. */
  @Override
  public void close() {
    loop.stop(atEnd);
    try {
      loop.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    if (loop.bufferPool().blocksInUse() != 0) {
      throw new AssertionError(loop.bufferPool().blocksInUse() + " blocks are left");
    }
  }
}
