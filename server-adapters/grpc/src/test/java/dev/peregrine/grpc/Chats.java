package dev.peregrine.grpc;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;

/** Clients of the method that sends each text back. */
final class Chats {
  private Chats() {}

  /** Opens a call. Its answers and the name of its status are added to a queue. */
  static StreamObserver<String> open(ManagedChannel channel, BlockingQueue<String> answers) {
    return ClientCalls.asyncBidiStreamingCall(
        TestService.call(channel, TestService.CHAT),
        new StreamObserver<>() {
          @Override
          public void onNext(String text) {
            answers.add(text);
          }

          @Override
          public void onError(Throwable failure) {
            answers.add(Status.fromThrowable(failure).getCode().name());
          }

          @Override
          public void onCompleted() {
            answers.add("OK");
          }
        });
  }
}
