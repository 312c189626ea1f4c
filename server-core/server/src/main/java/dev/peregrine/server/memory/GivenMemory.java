package dev.peregrine.server.memory;

import dev.peregrine.base.Log;
import dev.peregrine.server.config.MemorySource;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The application's source of memory: whatever it throws or returns that it shouldn't is a shortage
 * of memory, which loops survive. Thread-safe.
 */
public final class GivenMemory implements MemorySource {
  private static final long LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final MemorySource source;
  private final AtomicLong nextLogNanos = new AtomicLong(System.nanoTime());

  /** Memory of that source. */
  public GivenMemory(MemorySource source) {
    this.source = source;
  }

  @Override
  public Region take(int bytes) {
    Region taken;
    try {
      taken = source.take(bytes);
    } catch (VirtualMachineError failure) {
      throw failure;
    } catch (Throwable failure) {
      throw shortage("the memory source has failed: " + failure, failure);
    }
    try {
      return checked(taken, bytes);
    } catch (Throwable unusable) { // or the heap is full
      giveBack(taken);
      throw unusable;
    }
  }

  private Region checked(@Nullable Region taken, int bytes) {
    String problem = problem(taken, bytes);
    if (taken == null || problem != null) {
      throw shortage("the memory source has returned " + problem, null);
    }
    return new Region(taken.memory(), new Owner(taken));
  }

  private static @Nullable String problem(@Nullable Region taken, int bytes) {
    if (taken == null) {
      return "null";
    }
    MemorySegment memory = taken.memory();
    if (!memory.isNative()) {
      return "memory in the heap";
    }
    if (memory.byteSize() != bytes) {
      return memory.byteSize() + " bytes instead of " + bytes;
    }
    if (memory.isReadOnly()) {
      return "memory that is read-only";
    }
    Thread other = Thread.ofPlatform().unstarted(GivenMemory::unused);
    if (!memory.scope().isAlive() || !memory.isAccessibleBy(other)) {
      return "memory that other threads can't use";
    }
    return null;
  }

  private static void unused() {}

  private void giveBack(@Nullable Region taken) {
    try {
      if (taken != null) {
        taken.owner().close();
      }
    } catch (Throwable failure) {
      long now = System.nanoTime();
      long next = nextLogNanos.get();
      if (now - next >= 0 && nextLogNanos.compareAndSet(next, now + LOG_INTERVAL_NANOS)) {
        Log.add(Level.WARNING, "the memory source has failed to take memory back", failure);
      }
    }
  }

  private static OutOfMemoryError shortage(String reason, @Nullable Throwable cause) {
    OutOfMemoryError shortage = new OutOfMemoryError(reason);
    if (cause != null) {
      Throwable ignored = shortage.initCause(cause);
    }
    return shortage;
  }

  private final class Owner implements AutoCloseable {
    private final Region taken;

    Owner(Region taken) {
      this.taken = taken;
    }

    @Override
    public void close() {
      giveBack(taken);
    }
  }
}
