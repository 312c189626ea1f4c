package app;

import app.echo.EchoGrpc;
import app.echo.EchoRequest;
import app.echo.EchoResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** The same service for all servers in Java: generated stubs, messages by protobuf-java. */
final class EchoService extends EchoGrpc.EchoImplBase {
  private static final int STREAMED = 100;

  private static EchoResponse answer(EchoRequest request) {
    return EchoResponse.newBuilder().setMessage(request.getMessage()).build();
  }

  @Override
  public void unaryEcho(EchoRequest request, StreamObserver<EchoResponse> responses) {
    responses.onNext(answer(request));
    responses.onCompleted();
  }

  @Override
  public void serverStreamingEcho(EchoRequest request, StreamObserver<EchoResponse> responses) {
    ServerCallStreamObserver<EchoResponse> out = (ServerCallStreamObserver<EchoResponse>) responses;
    int[] sent = {0};
    out.setOnReadyHandler(() -> send(request, out, sent));
  }

  /** Sends while the transport takes messages, as programs do that bound their memory. */
  private static void send(EchoRequest request, ServerCallStreamObserver<EchoResponse> out, int[] sent) {
    while (sent[0] < STREAMED && out.isReady()) {
      sent[0]++;
      out.onNext(answer(request));
      if (sent[0] == STREAMED) {
        out.onCompleted();
      }
    }
  }

  @Override
  public StreamObserver<EchoRequest> bidirectionalStreamingEcho(StreamObserver<EchoResponse> responses) {
    return new StreamObserver<>() {
      @Override
      public void onNext(EchoRequest request) {
        responses.onNext(answer(request));
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }
}
