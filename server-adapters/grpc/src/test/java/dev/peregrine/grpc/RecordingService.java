package dev.peregrine.grpc;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps the messages of each call by its metadata {@code call}, and responds with their number. */
final class RecordingService implements BindableService {
  private static final Metadata.Key<String> CALL =
      Metadata.Key.of("call", Metadata.ASCII_STRING_MARSHALLER);

  final AtomicInteger open = new AtomicInteger();
  private final Map<String, List<String>> received = new ConcurrentHashMap<>();

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(TestService.NAME)
        .addMethod(TestService.ECHO, this::startUnary)
        .addMethod(TestService.CHAT, this::startStream)
        .build();
  }

  /** Returns the messages that a call has received so far. */
  List<String> received(String call) {
    return received.computeIfAbsent(call, _ -> new CopyOnWriteArrayList<>());
  }

  private List<String> received(Metadata head) {
    String call = head.get(CALL);
    return received(call == null ? "none" : call);
  }

  private ServerCall.Listener<String> startUnary(ServerCall<String, String> call, Metadata head) {
    return counted(
        ServerCalls.<String, String>asyncUnaryCall(
                (text, answers) -> {
                  received(head).add(text);
                  answers.onNext("1");
                  answers.onCompleted();
                })
            .startCall(call, head));
  }

  /** Requests one message after another. */
  private ServerCall.Listener<String> startStream(ServerCall<String, String> call, Metadata head) {
    List<String> messages = received(head);
    call.request(1);
    return counted(
        new ServerCall.Listener<>() {
          @Override
          public void onMessage(String text) {
            messages.add(text);
            call.request(1);
          }

          @Override
          public void onHalfClose() {
            call.sendHeaders(new Metadata());
            call.sendMessage("" + messages.size());
            call.close(Status.OK, new Metadata());
          }
        });
  }

  private ServerCall.Listener<String> counted(ServerCall.Listener<String> listener) {
    open.incrementAndGet();
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onComplete() {
        super.onComplete();
        open.decrementAndGet();
      }

      @Override
      public void onCancel() {
        super.onCancel();
        open.decrementAndGet();
      }
    };
  }
}
