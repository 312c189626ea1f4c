package dev.peregrine.server.loop;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads with a scheduler of the caller's, so that an event loop can carry the threads of
 * its blocking handlers. The JDK keeps them for its own tests. They need {@code --add-opens
 * java.base/java.lang}. They are not available without it, or on a JDK that has changed what is
 * used here.
 */
public final class CarriedThreads {
  private static final int CHARACTERISTICS = 0; // those of Thread.ofVirtual()

  private static final Jdk JDK = new Jdk();
  private static final MethodHandle NEW_THREAD; // constant, so that calls of it are compiled
  private static final @Nullable String PROBLEM; // null if they are available

  static {
    Throwable failure = JDK.findOrFail();
    NEW_THREAD = JDK.newThread;
    if (failure instanceof IllegalAccessException) {
      PROBLEM = "they need --add-opens java.base/java.lang=" + moduleName();
    } else {
      PROBLEM = failure == null ? JDK.difference : "this JDK has other virtual threads: " + failure;
      if (PROBLEM != null) {
        Log.add(Level.INFO, "event loops don't carry blocking handlers: " + PROBLEM, null);
      }
    }
  }

  private CarriedThreads() {}

  private static String moduleName() {
    Module module = CarriedThreads.class.getModule();
    return module.isNamed() ? module.getName() : "ALL-UNNAMED";
  }

  /** Returns true if {@link #create} works. */
  public static boolean isAvailable() {
    return PROBLEM == null;
  }

  /** Returns why {@link #create} doesn't work; null if it does. */
  public static @Nullable String problem() {
    return PROBLEM;
  }

  /**
   * Creates a virtual thread that isn't started.
   *
   * @param scheduler gets the same object each time the thread can run, the first time when it is
   *     started. To run that on a platform thread runs the virtual thread until it parks or ends.
   *     Virtual threads that this one creates have the same scheduler
   */
  static Thread create(Executor scheduler, String name, Runnable work) {
    try {
      return (Thread) NEW_THREAD.invokeExact(scheduler, name, CHARACTERISTICS, work);
    } catch (Throwable failure) {
      throw CarriedThreads.<RuntimeException>unchecked(failure);
    }
  }

  /** Returns a failure that isn't declared. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T unchecked(Throwable failure) throws T {
    throw (T) failure;
  }

  /** Returns the scheduler that virtual threads have by default. */
  static Executor defaultScheduler() {
    return JDK.defaultScheduler;
  }

  /** The parts of the JDK that are used. */
  private static final class Jdk {
    MethodHandle newThread = MethodHandles.zero(Thread.class);
    Executor defaultScheduler = Runnable::run;
    @Nullable String difference; // null if virtual threads run as expected

    /** Finds all of it. Returns why that isn't possible; null if it is. */
    @Nullable Throwable findOrFail() {
      try {
        find();
        return null;
      } catch (Throwable failure) {
        return failure;
      }
    }

    private void find() throws Throwable {
      MethodHandles.Lookup jdk =
          MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
      newThread =
          jdk.findStatic(
              jdk.findClass("java.lang.ThreadBuilders"),
              "newVirtualThread",
              MethodType.methodType(
                  Thread.class, Executor.class, String.class, int.class, Runnable.class));
      defaultScheduler =
          (Executor)
              jdk.findStatic(
                      jdk.findClass("java.lang.VirtualThread"),
                      "defaultScheduler",
                      MethodType.methodType(Executor.class))
                  .invokeExact();
      difference = Trial.run(newThread);
    }
  }

  /** A thread that yields once, to find out whether the JDK does what is expected of it. */
  private static final class Trial {
    private Trial() {}

    /** Returns what is different; null if nothing is. */
    @SuppressWarnings("ThreadPriorityCheck") // a yield is a park that ends at once
    static @Nullable String run(MethodHandle newThread) throws Throwable {
      List<Object> seen = new ArrayList<>();
      List<Runnable> steps = new ArrayList<>();
      Executor scheduler = steps::add;
      Runnable work =
          () -> {
            seen.add(Thread.currentThread());
            Thread.yield();
            seen.add(Thread.currentThread());
          };
      Thread thread = (Thread) newThread.invokeExact(scheduler, "trial", CHARACTERISTICS, work);
      thread.start();
      Thread carrier =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < steps.size(); i++) {
                      steps.get(i).run();
                    }
                  });
      carrier.join();
      boolean asExpected =
          seen.equals(List.of(thread, thread))
              && steps.size() == 2
              && steps.get(0).equals(steps.get(1))
              && !thread.isAlive();
      return asExpected ? null : "this JDK runs virtual threads in another way";
    }
  }
}
