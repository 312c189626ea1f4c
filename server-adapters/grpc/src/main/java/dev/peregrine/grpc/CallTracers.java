package dev.peregrine.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.List;

/** The tracers of one call; none in the common case. */
final class CallTracers {
  static final CallTracers NONE = new CallTracers(new ServerStreamTracer[0]);

  private final ServerStreamTracer[] tracers;
  private int received; // used by the event loop
  private int sent; // used with the lock of the output

  private CallTracers(ServerStreamTracer[] tracers) {
    this.tracers = tracers;
  }

  static CallTracers create(
      List<ServerStreamTracer.Factory> factories, String method, Metadata headers) {
    if (factories.isEmpty()) {
      return NONE;
    }
    ServerStreamTracer[] created = new ServerStreamTracer[factories.size()];
    for (int i = 0; i < created.length; i++) {
      created[i] = factories.get(i).newServerStreamTracer(method, headers);
    }
    return new CallTracers(created);
  }

  Context filter(Context context) {
    Context filtered = context;
    for (ServerStreamTracer each : tracers) {
      filtered = each.filterContext(filtered);
    }
    return filtered;
  }

  @SuppressWarnings("deprecation") // tracers may implement either form
  void onStart(ServerCall<?, ?> call) {
    for (ServerStreamTracer each : tracers) {
      each.serverCallStarted(new CallInfo<>(call));
    }
  }

  void onReceived(int bytes) {
    if (tracers.length > 0) {
      int sequence = received++;
      for (ServerStreamTracer each : tracers) {
        each.inboundMessage(sequence);
        each.inboundMessageRead(sequence, bytes, -1);
        each.inboundWireSize(bytes);
      }
    }
  }

  void onSent(int wireBytes, int messageBytes) {
    if (tracers.length > 0) {
      int sequence = sent++;
      for (ServerStreamTracer each : tracers) {
        each.outboundMessage(sequence);
        each.outboundMessageSent(sequence, wireBytes, messageBytes);
        each.outboundWireSize(wireBytes);
      }
    }
  }

  void onClosed(Status status) {
    for (ServerStreamTracer each : tracers) {
      each.streamClosed(status);
    }
  }

  /** The call as a tracer sees it. */
  private static final class CallInfo<Q, R> extends ServerStreamTracer.ServerCallInfo<Q, R> {
    private final ServerCall<Q, R> call;

    CallInfo(ServerCall<Q, R> call) {
      this.call = call;
    }

    @Override
    public io.grpc.MethodDescriptor<Q, R> getMethodDescriptor() {
      return call.getMethodDescriptor();
    }

    @Override
    public io.grpc.Attributes getAttributes() {
      return call.getAttributes();
    }

    @Override
    public String getAuthority() {
      String authority = call.getAuthority();
      return authority == null ? "" : authority;
    }
  }
}
