package dev.peregrine.jdk.httpserver;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The executor of the program, which may block its caller until another task has ended. That task
 * may wait for the event loop. So only executors that are known not to block are called on it.
 *
 * @param executor null for a virtual thread each
 * @param blocks whether it might block its caller
 */
record ProgramExecutor(@Nullable Executor executor, boolean blocks) {
  private static final String JDK = "java.util.concurrent.";
  private static final String THREAD_PER_TASK = JDK + "ThreadPerTaskExecutor";

  static ProgramExecutor of(@Nullable Executor executor) {
    return new ProgramExecutor(executor, executor != null && mayBlock(executor));
  }

  private static boolean mayBlock(Executor executor) {
    Class<?> type = executor.getClass();
    if (executor instanceof ThreadPoolExecutor pool && type.equals(ThreadPoolExecutor.class)) {
      RejectedExecutionHandler handler = pool.getRejectedExecutionHandler();
      return !isOfTheJdk(handler) || !isOfTheJdk(pool.getQueue());
    }
    return !type.equals(ForkJoinPool.class) && !type.getName().equals(THREAD_PER_TASK);
  }

  private static boolean isOfTheJdk(Object part) {
    return part.getClass().getName().startsWith(JDK);
  }

  /**
   * Has the executor run an exchange; on the event loop.
   *
   * @throws RejectedExecutionException if it is full or shut down, and was called here
   */
  void execute(ExchangeRun run) {
    Executor called = executor;
    if (called == null) {
      run.startVirtual();
    } else if (blocks) {
      run.startVirtual(called);
    } else {
      called.execute(run);
    }
  }
}
