package dev.peregrine.grpc;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.Response;
import dev.peregrine.http.context.CallContext;
import dev.peregrine.http.context.InContext;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call from its start to its end, as its listener is notified of it. A {@link CallQueue} calls
 * the listener, on the executor of the service or on the event loop.
 *
 * <pre>
 *             ┌──────────────the status was sent──────▶ over, onComplete
 *   running ──┤                  ▲
 *             ├──breakOff──▶ cancelled
 *             │                  ▼
 *             └──────the client, a deadline, a fault──▶ over, onCancel
 * </pre>
 *
 * <p>Either of {@link #complete} and {@link #end} ends a call, once.
 */
final class CallLifecycle<Q> {
  private static final ServerCall.Listener<?> NO_LISTENER = new ServerCall.Listener<>() {};
  private static final Status FAILED =
      Status.UNKNOWN.withDescription("Application error processing RPC");
  private static final Status REJECTED =
      Status.UNKNOWN.withDescription("The executor has rejected a call");

  private static final Status EXHAUSTED =
      Status.RESOURCE_EXHAUSTED.withDescription("The client takes too few of the messages");
  private static final int TOO_MANY_REQUESTS = 429;

  private final MethodDescriptor<Q, ?> method;
  private final Response response;
  private final Executor executor;
  private final Runnable stopReading;
  private final boolean onLoop;
  private final @Nullable CallContext surrounding; // not on the loop, where the server has it
  private final CallQueue queue;
  private final CallTracers tracers;
  private final CallOutput output;
  private final Context.CancellableContext context;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile boolean cancelled;
  private volatile @Nullable Status fault; // written before the status is sent
  private ServerCall.Listener<Q> listener = none(); // used by one thread at a time

  /**
   * Creates the state of a call.
   *
   * @param onReady called when messages can be sent again
   * @param stopReading called on the event loop when nothing more is received
   */
  CallLifecycle(
      CallSettings settings,
      MethodDescriptor<Q, ?> method,
      CallHead head,
      Executor executor,
      Runnable onReady,
      Runnable stopReading) {
    this.method = method;
    this.response = head.response();
    this.executor = executor;
    this.stopReading = stopReading;
    this.onLoop = GrpcServices.ON_LOOP.equals(executor);
    this.surrounding = onLoop ? null : InContext.of(head.request());
    this.queue = new CallQueue(executor);
    // last, because a tracer must be notified of the end, and an exchange that has ended throws
    this.tracers =
        CallTracers.create(settings.tracers(), method.getFullMethodName(), head.metadata());
    this.output =
        new CallOutput(head.request(), response, head.web(), tracers, settings.unsent(), onReady);
    this.context = head.context(tracers.filter(Context.ROOT), settings);
  }

  CallTracers tracers() {
    return tracers;
  }

  CallOutput output() {
    return output;
  }

  ServerCall.Listener<Q> listener() {
    return listener;
  }

  boolean isCancelled() {
    return cancelled;
  }

  boolean isOver() {
    return over.get();
  }

  // ---- calling the listener ----

  /**
   * Begins to call the listener on this thread, if that is its thread and it isn't being called.
   */
  boolean tryEnter() {
    return onLoop && queue.tryEnter();
  }

  /** Ends what {@link #tryEnter} has begun. */
  void exit() {
    queue.exit();
  }

  /** Calls the listener: now, if this is its thread and it isn't being called. */
  void call(Runnable callback) {
    if (tryEnter()) {
      try {
        callback.run();
      } finally {
        exit();
      }
      return;
    }
    CallContext around = surrounding;
    try {
      queue.add(around == null ? callback : () -> runSurrounded(around, callback));
    } catch (Throwable rejected) { // also for lack of a thread
      fail(REJECTED, rejected);
    }
  }

  private void runSurrounded(CallContext around, Runnable callback) {
    try {
      around.run(callback::run);
    } catch (Exception thrown) { // by the context, because callbacks throw nothing
      failByApplication(thrown);
    }
  }

  Context attach() {
    return context.attach();
  }

  void detach(Context before) {
    context.detach(before);
  }

  // ---- callbacks: on the executor ----

  /** Starts the listener. */
  void startListener(Supplier<ServerCall.@Nullable Listener<Q>> handler) {
    if (cancelled) { // on a thread that was left: onCancel has had no listener to call
      return;
    }
    Context before = attach();
    try {
      ServerCall.Listener<Q> started = handler.get();
      if (started == null) {
        throw new NullPointerException(
            "startCall() returned a null listener for method " + method.getFullMethodName());
      }
      listener = started;
    } catch (Throwable thrown) {
      fail(Status.fromThrowable(thrown), thrown);
    } finally {
      detach(before);
    }
  }

  void callOnHalfClose() {
    if (cancelled) {
      return;
    }
    Context before = attach();
    try {
      listener.onHalfClose();
    } catch (Throwable thrown) {
      failByApplication(thrown);
    } finally {
      detach(before);
    }
  }

  void callOnReady() {
    if (cancelled) {
      return;
    }
    Context before = attach();
    try {
      listener.onReady();
    } catch (Throwable thrown) {
      failByApplication(thrown);
    } finally {
      detach(before);
    }
  }

  private void callOnComplete() {
    Context before = attach();
    try {
      listener.onComplete();
    } catch (Throwable thrown) {
      CallLog.failed(method, thrown);
    } finally {
      detach(before);
      context.cancel(null);
    }
  }

  private void callOnCancel(StatusRuntimeException cause) {
    Context before = attach();
    try {
      listener.onCancel();
    } catch (Throwable thrown) {
      CallLog.failed(method, thrown);
    } finally {
      detach(before);
      context.cancel(cause);
    }
  }

  // ---- the begin and the end: on the event loop ----

  /** Begins to observe the exchange, and notifies the tracers. */
  void begin(ServerCall<Q, ?> call) {
    response.onAbort(cause -> end(cancelledByClient()));
    response.onClientClosed(this::onClientClosed);
    response.onComplete(this::onExchangeEnd);
    if (context.getDeadline() != null) {
      context.addListener(this::onContextCancelled, GrpcServices.ON_LOOP);
    }
    tracers.onStart(call);
  }

  private void onExchangeEnd(Outcome outcome) {
    output.onExchangeEnd();
    Status sent = output.status();
    Status broken = fault;
    if (broken != null) {
      end(broken);
    } else if (outcome == Outcome.COMPLETED && sent != null) {
      complete(sent);
    } else {
      end(cancelledByClient());
    }
  }

  /**
   * A client that has ended its connection, as a killed process does, gets no response any more.
   */
  private void onClientClosed() {
    boolean ignored = output.end(cancelledByClient(), new Metadata());
    end(cancelledByClient());
  }

  private static Status cancelledByClient() {
    return Status.CANCELLED.withDescription("RPC cancelled");
  }

  private void complete(Status sent) {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    stopReading.run();
    try {
      tracers.onClosed(sent);
    } finally {
      call(this::callOnComplete);
    }
  }

  /** Ends a call that can't be completed. */
  void end(Status reason) {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    cancelled = true;
    output.abandon(reason);
    stopReading.run();
    StatusRuntimeException cause = reason.asRuntimeException();
    try {
      tracers.onClosed(reason);
      cancelContext(cause);
    } finally {
      call(() -> callOnCancel(cause));
    }
  }

  /** Notifies the application at once, though its callback may be running. */
  private void cancelContext(StatusRuntimeException cause) {
    if (onLoop) {
      context.cancel(cause);
      return;
    }
    try {
      executor.execute(() -> context.cancel(cause));
    } catch (Throwable rejected) {
      context.cancel(cause);
    }
  }

  private void onContextCancelled(Context cancelledContext) {
    Status reason = Contexts.statusFromCancelled(cancelledContext);
    if (reason != null && reason.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      boolean ignored = output.end(reason, new Metadata());
      end(reason);
    }
  }

  // ---- failures: on any thread ----

  /**
   * Ends the call for a fault that the application hasn't thrown. The application continues, and is
   * notified that its call is cancelled.
   */
  void breakOffByFault(Status status) {
    fault = status;
    breakOff(status, new Metadata());
    response.onLoop(() -> end(status));
  }

  /** Ends the call with a status that the application hasn't chosen. */
  void breakOff(Status status, Metadata trailers) {
    cancelled = true;
    boolean ignored = output.end(status, trailers);
    response.onLoop(stopReading);
  }

  /**
   * Ends the call because its client takes so little that no further message may wait. What waits
   * is dropped, and clients report the reset of the stream as this status, too.
   */
  void exhaust() {
    CallLog.exhausted(method);
    if (output.isReady()) { // but all calls together are not
      breakOff(EXHAUSTED, new Metadata());
      return;
    }
    cancelled = true;
    response.onLoop(
        () -> {
          end(EXHAUSTED);
          response.fail(new HttpException(TOO_MANY_REQUESTS, EXHAUSTED.getDescription()));
        });
  }

  /** Ends the call because of a failure that is logged. The status may lack memory. */
  private void fail(Status status, Throwable cause) {
    CallLog.failed(method, cause);
    try {
      breakOff(status, trailers(cause));
    } catch (Throwable noMemory) {
      response.fail(cause);
    }
  }

  void failByApplication(Throwable thrown) {
    fail(FAILED, thrown);
  }

  static Metadata trailers(Throwable thrown) {
    Metadata known = Status.trailersFromThrowable(thrown);
    return known == null ? new Metadata() : known;
  }

  @SuppressWarnings("unchecked") // it ignores what it is called with
  private static <Q> ServerCall.Listener<Q> none() {
    return (ServerCall.Listener<Q>) NO_LISTENER;
  }
}
