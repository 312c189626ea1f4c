package dev.peregrine.grpc;

import dev.peregrine.http.RequestBody;
import io.grpc.Attributes;
import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call, as the application uses it: on one thread at a time. {@link CallInput} receives its
 * messages, {@link CallOutput} sends them, and {@link CallLifecycle} ends it.
 */
final class PeregrineCall<Q, R> extends ServerCall<Q, R> {
  private final CallSettings settings;
  private final ServerMethodDefinition<Q, R> definition;
  private final MethodDescriptor<Q, R> method;
  private final boolean sendsOneMessage;
  private final CallHead head;
  private final CallLifecycle<Q> lifecycle;
  private final CallInput<Q> input;
  private final CallOutput output;
  private boolean headSent;
  private boolean messageSent;
  private boolean closed;
  private boolean compresses = true;
  private Compressor compressor = Codec.Identity.NONE;

  PeregrineCall(
      CallSettings settings,
      ServerMethodDefinition<Q, R> definition,
      CallHead head,
      Executor serviceExecutor) {
    this.settings = settings;
    this.definition = definition;
    this.method = definition.getMethodDescriptor();
    this.sendsOneMessage = method.getType().serverSendsOneMessage();
    this.head = head;
    RequestBody body = head.request().body();
    Executor executor = settings.executor(this, head, serviceExecutor);
    this.lifecycle =
        new CallLifecycle<>(settings, method, head, executor, this::onReady, this::stopReading);
    this.input = new CallInput<>(settings, method, head, body, lifecycle);
    this.output = lifecycle.output();
  }

  /** Starts the call, on the event loop. */
  void start() {
    lifecycle.begin(this);
    lifecycle.call(this::startListener);
    if (!lifecycle.isOver()) {
      input.start();
    }
  }

  private void startListener() {
    lifecycle.startListener(
        () -> definition.getServerCallHandler().startCall(this, head.metadata()));
    callOnReady();
  }

  private void onReady() {
    lifecycle.call(this::callOnReady);
  }

  private void callOnReady() {
    if (!closed) {
      lifecycle.callOnReady();
    }
  }

  private void stopReading() {
    input.stop();
  }

  // ---- what the application calls ----

  @Override
  public void request(int messages) {
    if (messages <= 0) {
      throw new IllegalArgumentException("messages requested: " + messages + ", 1 or more needed");
    }
    if (!isCancelled()) {
      input.request(messages);
    }
  }

  @Override
  public void sendHeaders(Metadata headers) {
    checkState(!headSent, "sendHeaders has already been called");
    checkState(!closed, "call is closed");
    if (!head.accepts(compressor.getMessageEncoding())) {
      compressor = Codec.Identity.NONE;
    }
    headSent = true;
    output.sendHead(headers, settings.codings(compressor.getMessageEncoding()), !sendsOneMessage);
  }

  @Override
  public void sendMessage(R message) {
    checkState(headSent, "sendHeaders has not been called");
    checkState(!closed, "call is closed");
    if (sendsOneMessage && messageSent) {
      lifecycle.breakOffByFault(Status.INTERNAL.withDescription("Too many responses"));
      return;
    }
    messageSent = true;
    if (isCancelled()) {
      return;
    }
    boolean isPermitted;
    try {
      isPermitted = output.send(encode(method.streamResponse(message)), !sendsOneMessage);
    } catch (IOException | RuntimeException unreadable) {
      CallLog.failed(method, unreadable);
      lifecycle.breakOffByFault(
          Status.INTERNAL.withDescription("Server sendMessage() failed with RuntimeException"));
      return;
    } catch (Error failure) { // a stream without this message must not end as if it were whole
      close(
          Status.INTERNAL.withDescription("Server sendMessage() failed with Error"),
          new Metadata());
      throw failure;
    }
    if (!isPermitted) {
      lifecycle.exhaust();
    }
  }

  private FrameOutput encode(InputStream message) throws IOException {
    return compresses && !Codec.Identity.NONE.equals(compressor)
        ? FrameOutput.compressed(message, compressor)
        : FrameOutput.plain(message);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    checkState(!closed, "call already closed");
    closed = true;
    if (status.isOk() && sendsOneMessage && !messageSent && !isCancelled()) {
      lifecycle.breakOffByFault(Status.INTERNAL.withDescription("Completed without a response"));
      return;
    }
    boolean ignored = output.end(status, trailers);
  }

  private static void checkState(boolean expected, String otherwise) {
    if (!expected) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Override
  public boolean isReady() {
    return !closed && !isCancelled() && output.isReady();
  }

  @Override
  public boolean isCancelled() {
    return lifecycle.isCancelled();
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    compresses = enabled;
  }

  @Override
  public void setCompression(String encoding) {
    checkState(!headSent, "sendHeaders has been called");
    Compressor found = settings.compressors().lookupCompressor(encoding);
    if (found == null) {
      throw new IllegalArgumentException("Unable to find compressor by name " + encoding);
    }
    compressor = found;
  }

  @Override
  public SecurityLevel getSecurityLevel() {
    return head.isSecure() ? SecurityLevel.PRIVACY_AND_INTEGRITY : SecurityLevel.NONE;
  }

  @Override
  public Attributes getAttributes() {
    return head.attributes().all();
  }

  @Override
  public @Nullable String getAuthority() {
    return head.authority();
  }

  @Override
  public MethodDescriptor<Q, R> getMethodDescriptor() {
    return method;
  }
}
