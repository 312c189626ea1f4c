package dev.peregrine.bench.arena;

import dev.peregrine.grpc.GrpcServices;
import dev.peregrine.http.Handler;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** The profiles with gRPC: a sum, and a stream of sums that grow by one. */
final class ArenaCalls {
  private static final String SERVICE = "benchmark.BenchmarkService";
  private static final int MESSAGES = 2; // the second one would be an error, which this finds out

  private ArenaCalls() {}

  /** Serves calls beside the other requests, on the event loops. */
  static Handler beside(Handler others) {
    return GrpcServices.builder()
        .executor(GrpcServices.ON_LOOP)
        .add(service())
        .build()
        .beside(others);
  }

  private static ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(method("GetSum", MethodType.UNARY), (call, ignored) -> new Sums(call))
        .addMethod(
            method("StreamSum", MethodType.SERVER_STREAMING), (call, ignored) -> new Sums(call))
        .build();
  }

  private static MethodDescriptor<Numbers, Integer> method(String name, MethodType type) {
    return MethodDescriptor.newBuilder(Numbers.REQUEST, Numbers.REPLY)
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .build();
  }

  /** One call: sends sums while the client takes them. */
  private static final class Sums extends ServerCall.Listener<Numbers> {
    private final ServerCall<Numbers, Integer> call;
    private @Nullable Numbers numbers;
    private boolean begun;
    private int sent;
    private int count;

    Sums(ServerCall<Numbers, Integer> call) {
      this.call = call;
      call.request(MESSAGES);
    }

    @Override
    public void onMessage(Numbers message) {
      numbers = message;
    }

    @Override
    public void onHalfClose() {
      if (numbers == null) {
        call.close(Status.INVALID_ARGUMENT.withDescription("no message"), new Metadata());
        return;
      }
      boolean one = call.getMethodDescriptor().getType() == MethodType.UNARY;
      count = one ? 1 : Math.max(numbers.count(), 1);
      begun = true;
      call.sendHeaders(new Metadata());
      send(numbers);
    }

    @Override
    public void onReady() {
      if (begun && numbers != null) {
        send(numbers);
      }
    }

    private void send(Numbers of) {
      while (sent < count && call.isReady()) {
        call.sendMessage(of.a() + of.b() + sent++);
      }
      if (sent == count) {
        begun = false;
        call.close(Status.OK, new Metadata());
      }
    }
  }
}
