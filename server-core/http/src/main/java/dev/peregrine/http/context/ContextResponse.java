package dev.peregrine.http.context;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.ScheduledWork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A response whose callbacks, and the work for it, run in a context. */
final class ContextResponse extends ForwardingResponse {
  private final CallContext context;

  ContextResponse(Response wrapped, CallContext context) {
    super(wrapped);
    this.context = context;
  }

  @Override
  public void send(ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(content, "content");
    super.send(content, LeaseInContext.of(context, content, whenSent));
  }

  @Override
  public ResponseStream stream() {
    return new ContextStream(super.stream(), context);
  }

  @Override
  public Response async(Supplier<? extends CompletionStage<?>> work) {
    Objects.requireNonNull(work, "work");
    return super.async(
        work instanceof BlockingWork blocking ? new Work(blocking) : () -> start(work));
  }

  private CompletionStage<?> start(Supplier<? extends CompletionStage<?>> work) {
    AtomicReference<CompletionStage<?>> stage = new AtomicReference<>();
    ContextCallbacks.run(context, () -> stage.set(work.get()));
    return stage.get();
  }

  @Override
  public void onLoop(Runnable work) {
    super.onLoop(ContextCallbacks.in(context, work));
  }

  @Override
  public ScheduledWork onLoopAfter(Duration delay, Runnable work) {
    return super.onLoopAfter(delay, ContextCallbacks.in(context, work));
  }

  @Override
  public Response onAbort(Consumer<IOException> callback) {
    return super.onAbort(ContextCallbacks.in(context, callback));
  }

  @Override
  public Response onClientClosed(Runnable callback) {
    return super.onClientClosed(ContextCallbacks.in(context, callback));
  }

  @Override
  public Response onShutdown(Runnable callback) {
    return super.onShutdown(ContextCallbacks.in(context, callback));
  }

  @Override
  public Response beforeCommit(Runnable callback) {
    return super.beforeCommit(ContextCallbacks.in(context, callback));
  }

  @Override
  public Response onComplete(Consumer<Outcome> callback) {
    return super.onComplete(ContextCallbacks.in(context, callback));
  }

  /** A blocking handler, on the thread that runs it. */
  private final class Work implements BlockingWork {
    private final BlockingWork blocking;

    Work(BlockingWork blocking) {
      this.blocking = blocking;
    }

    @Override
    public void run(long nowNanos) throws Exception {
      context.run(() -> blocking.run(nowNanos));
    }

    @Override
    public CompletionStage<?> start(BlockingWork outermost) {
      return blocking.start(outermost);
    }
  }
}
