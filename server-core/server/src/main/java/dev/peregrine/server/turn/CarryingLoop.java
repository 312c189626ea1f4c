package dev.peregrine.server.turn;

import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.loop.EventLoop;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The loop that carries a virtual thread, found by the thread's scheduler: a field of the JDK's
 * that needs the same {@code --add-opens} as {@link CarriedThreads}.
 */
public final class CarryingLoop {
  private static final @Nullable MethodHandle SCHEDULER = scheduler();

  private CarryingLoop() {}

  /** Returns true if loops carry threads, and {@link #of} finds them. */
  public static boolean isKnown() {
    return SCHEDULER != null && CarriedThreads.isAvailable();
  }

  /** Returns the loop that carries a virtual thread; null if none does, or it isn't known. */
  @SuppressWarnings(
      "ReferenceEquality") // threads that a carried one has created share its scheduler
  public static @Nullable EventLoop of(Thread virtual) {
    MethodHandle scheduler = SCHEDULER;
    if (scheduler == null) {
      return null;
    }
    try {
      return (Executor) scheduler.invokeExact(virtual) instanceof CarriedWork carried
              && carried.thread() == virtual
          ? carried.loop()
          : null;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static @Nullable MethodHandle scheduler() {
    try {
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      return MethodHandles.privateLookupIn(virtual, MethodHandles.lookup())
          .findGetter(virtual, "scheduler", Executor.class)
          .asType(MethodType.methodType(Executor.class, Thread.class));
    } catch (ReflectiveOperationException | RuntimeException unknown) {
      return null;
    }
  }
}
