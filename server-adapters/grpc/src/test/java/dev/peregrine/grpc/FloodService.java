package dev.peregrine.grpc;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A service that never looks at {@code isReady}. */
final class FloodService implements BindableService {
  static final int MESSAGE_BYTES = 16 * 1024;
  static final MethodDescriptor<String, String> FLOOD =
      TestService.method("Flood", MethodType.SERVER_STREAMING);

  static final MethodDescriptor<String, String> CHAT =
      TestService.method("Chat", MethodType.BIDI_STREAMING);

  /** The events of calls, in their order. */
  final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(TestService.NAME)
        .addMethod(FLOOD, this::start)
        .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(this::echo))
        .addMethod(
            TestService.ECHO,
            ServerCalls.asyncUnaryCall(
                (length, answers) -> {
                  answers.onNext("x".repeat(Integer.parseInt(length)));
                  answers.onCompleted();
                }))
        .build();
  }

  private StreamObserver<String> echo(StreamObserver<String> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(String text) {
        answers.onNext(text);
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {
        events.add("received all");
        answers.onCompleted();
      }
    };
  }

  /** Sends a number of messages, unless the call is cancelled. */
  private ServerCall.Listener<String> start(ServerCall<String, String> call, Metadata head) {
    call.request(1);
    return new ServerCall.Listener<>() {
      private int count;

      @Override
      public void onMessage(String number) {
        count = Integer.parseInt(number);
      }

      @Override
      public void onHalfClose() {
        call.sendHeaders(new Metadata());
        String text = "x".repeat(MESSAGE_BYTES);
        int sent = 0;
        while (sent < count && !call.isCancelled()) {
          call.sendMessage(text);
          sent++;
        }
        if (!call.isCancelled()) {
          events.add("sent all");
          call.close(Status.OK, new Metadata());
        }
      }

      @Override
      public void onCancel() {
        events.add("cancelled");
      }
    };
  }
}
