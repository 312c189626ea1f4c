package dev.peregrine.grpc;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A service of texts with methods of all four kinds. */
final class TestService implements BindableService {
  static final String NAME = "test.Texts";
  static final MethodDescriptor<String, String> ECHO = method("Echo", MethodType.UNARY);
  static final MethodDescriptor<String, String> COUNT =
      method("Count", MethodType.SERVER_STREAMING);
  static final MethodDescriptor<String, String> JOIN = method("Join", MethodType.CLIENT_STREAMING);
  static final MethodDescriptor<String, String> CHAT = method("Chat", MethodType.BIDI_STREAMING);

  /** The events that the service has noticed. */
  final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  final AtomicInteger sent = new AtomicInteger();

  static MethodDescriptor<String, String> method(String name, MethodType type) {
    return MethodDescriptor.<String, String>newBuilder()
        .setFullMethodName(NAME + "/" + name)
        .setType(type)
        .setRequestMarshaller(new Text())
        .setResponseMarshaller(new Text())
        .build();
  }

  static ClientCall<String, String> call(Channel channel, MethodDescriptor<String, String> method) {
    return channel.newCall(method, CallOptions.DEFAULT);
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(NAME)
        .addMethod(ECHO, ServerCalls.asyncUnaryCall(this::echo))
        .addMethod(COUNT, ServerCalls.asyncServerStreamingCall(this::count))
        .addMethod(JOIN, ServerCalls.asyncClientStreamingCall(this::join))
        .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(this::chat))
        .build();
  }

  private void echo(String text, StreamObserver<String> answers) {
    switch (text) {
      case "throw" -> throw new IllegalStateException("as asked");
      case "fail" ->
          answers.onError(
              Status.FAILED_PRECONDITION.withDescription("nicht möglich: 100 %").asException());
      case "nothing" -> answers.onCompleted();
      case "silence" -> {
        ((ServerCallStreamObserver<String>) answers)
            .setOnCancelHandler(() -> events.add("cancelled"));
        events.add("silent");
      }
      case "twice" -> {
        answers.onNext("one");
        answers.onNext("two");
        answers.onCompleted();
      }
      case "zip" -> {
        ((ServerCallStreamObserver<String>) answers).setCompression("gzip");
        answers.onNext("z".repeat(10_000));
        answers.onCompleted();
      }
      default -> {
        answers.onNext(text);
        answers.onCompleted();
      }
    }
  }

  private void count(String number, StreamObserver<String> answers) {
    ServerCallStreamObserver<String> out = (ServerCallStreamObserver<String>) answers;
    int count = Integer.parseInt(number);
    int[] next = {0};
    out.setOnCancelHandler(() -> events.add("cancelled"));
    out.setOnReadyHandler(
        () -> {
          while (out.isReady() && next[0] < count) {
            out.onNext("x".repeat(1000) + next[0]++);
            sent.incrementAndGet();
          }
          if (next[0] == count) {
            next[0]++;
            out.onCompleted();
          }
        });
  }

  private StreamObserver<String> join(StreamObserver<String> answers) {
    StringBuilder all = new StringBuilder();
    return new Observer(all::append, answers) {
      @Override
      public void onCompleted() {
        answers.onNext(all.toString());
        answers.onCompleted();
      }
    };
  }

  private StreamObserver<String> chat(StreamObserver<String> answers) {
    return new Observer(answers::onNext, answers);
  }

  /** Passes each text on. */
  private class Observer implements StreamObserver<String> {
    private final java.util.function.Consumer<String> target;
    private final StreamObserver<String> answers;

    Observer(java.util.function.Consumer<String> target, StreamObserver<String> answers) {
      this.target = target;
      this.answers = answers;
    }

    @Override
    public void onNext(String text) {
      if (text.equals("throw")) {
        throw new IllegalStateException("as asked");
      } else if (text.equals("end")) {
        answers.onCompleted();
        return;
      }
      target.accept(text);
    }

    @Override
    public void onError(Throwable failure) {
      events.add("cancelled");
    }

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }

  /** Texts in UTF-8. */
  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream message) {
      try {
        return new String(message.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }
}
