package dev.peregrine.http;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The call of a blocking handler, its run, and its response. Knows whether that is completed later.
 * One object, because there is one for each request.
 */
final class BlockingCall extends ForwardingResponse implements BlockingWork, BlockingRun {
  private static final VarHandle STARTED =
      FieldHandle.of(MethodHandles.lookup(), "startedNanos", long.class);

  private final Handler handler;
  private final Request request;
  private volatile long startedNanos;
  private volatile boolean later; // the response is not complete when the handler returns

  BlockingCall(Handler handler, Request request, Response response) {
    super(response);
    this.handler = handler;
    this.request = request;
  }

  @Override
  public void run(long nowNanos) throws Exception {
    STARTED.setRelease(this, nowNanos == 0 ? 1 : nowNanos); // without the fence of a volatile store
    handler.handle(request, this);
    if (!later) {
      wrapped().complete();
    }
  }

  @Override
  public CompletionStage<?> start(BlockingWork outermost) {
    wrapped().async(Duration.ZERO); // a handler that runs isn't forgotten
    CompletableFuture<Void> returned = new CompletableFuture<>();
    String caller = Thread.currentThread().getName(); // an event loop's, which names the server
    Thread.ofVirtual().name(caller + "-handler").start(() -> run(outermost, returned));
    return returned;
  }

  private static void run(BlockingWork work, CompletableFuture<Void> returned) {
    try {
      work.run(System.nanoTime());
    } catch (Throwable failure) {
      fail(returned, failure);
      return;
    }
    returned.complete(null);
  }

  @Override
  public boolean isStarted() {
    return startedNanos != 0;
  }

  @Override
  public long startedNanos() {
    return startedNanos;
  }

  /** Fails a stage; without memory for that, completes it, so that its work still ends. */
  private static void fail(CompletableFuture<Void> stage, Throwable failure) {
    try {
      stage.completeExceptionally(failure);
    } catch (Throwable noMemory) {
      stage.complete(null);
    }
  }

  @Override
  public Response async() {
    later = true;
    return super.async();
  }

  @Override
  public Response async(Duration beginsWithin) {
    later = true;
    return super.async(beginsWithin);
  }

  @Override
  public Response async(Supplier<? extends CompletionStage<?>> work) {
    later = true;
    return super.async(work);
  }
}
