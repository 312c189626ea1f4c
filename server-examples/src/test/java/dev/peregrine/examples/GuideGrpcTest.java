package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.Http2Limits;
import dev.peregrine.server.config.ServerLimits;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * HTTP/2 alone, and gRPC by hand, as docs/guide/http2-and-tls.md shows them. See {@link
 * GuideTextTest}.
 */
@SuppressWarnings("serial") // the exception is never serialized
class GuideGrpcTest extends GuideCase {
  // snippet: grpc-call
  /** The messages of a call. Before each are a byte for its compression and four for its length. */
  static final class GrpcCall {
    private static final int MESSAGE_BYTES_MAX = 4 << 20;

    private final Response response;
    private final DataInputStream in;
    private @Nullable ResponseStream out;

    GrpcCall(Request request, Response response) {
      this.response = response.contentType(ContentType.of("application/grpc"));
      this.in = new DataInputStream(request.body().inputStream());
    }

    /** Waits for the next message of the client. Returns null if there are no more. */
    byte @Nullable [] receive() throws IOException, GrpcException {
      int compression = in.read();
      if (compression < 0) {
        return null;
      }
      int length = in.readInt();
      if (compression != 0) {
        throw new GrpcException(12, "compressed messages aren't supported");
      } else if (length < 0 || length > MESSAGE_BYTES_MAX) {
        throw new GrpcException(8, "a message of more than " + MESSAGE_BYTES_MAX + " bytes");
      }
      byte[] message = in.readNBytes(length);
      if (message.length < length) {
        throw new EOFException("the call ends within a message");
      }
      return message;
    }

    /** Sends a message as soon as the client takes it. Throws if the client has cancelled. */
    void send(byte[] message) throws IOException {
      if (out == null) {
        out = response.stream();
      }
      out.awaitWritable();
      out.write(ByteBuffer.allocate(5).put((byte) 0).putInt(message.length).flip());
      out.write(message).flush();
    }

    /** Ends the call. Without messages, the status is in the head of the response. */
    void end(int status, String text) {
      String encoded = URLEncoder.encode(text, UTF_8).replace("+", "%20");
      if (out == null) {
        response.header("grpc-status", "" + status).header("grpc-message", encoded).send();
      } else {
        out.trailer("grpc-status", "" + status).trailer("grpc-message", encoded).complete();
      }
    }
  }

  // end

  // snippet: grpc
  /** A method: receives messages and sends messages. */
  interface GrpcMethod {
    void call(GrpcCall call) throws IOException, GrpcException;
  }

  /** The status of a call that has failed. */
  static final class GrpcException extends Exception {
    final int status;
    final String text;

    GrpcException(int status, String text) {
      super(text);
      this.status = status;
      this.text = text;
    }
  }

  static Handler grpc(GrpcMethod method) {
    return Handlers.blocking(
        (request, response) -> {
          GrpcCall call = new GrpcCall(request, response);
          try {
            method.call(call);
            call.end(0, "");
          } catch (GrpcException failure) {
            call.end(failure.status, failure.text);
          }
        });
  }

  // end

  @Test
  void servesGrpc() throws Exception {
    // snippet: grpc-methods
    GrpcMethod greet =
        call -> {
          byte[] name = call.receive();
          if (name == null || name.length == 0) {
            throw new GrpcException(3, "a name is required");
          }
          call.send(("Hello, " + new String(name, UTF_8)).getBytes(UTF_8));
        };
    GrpcMethod chat =
        call -> {
          for (byte[] each = call.receive(); each != null; each = call.receive()) {
            call.send(each);
          }
        };
    Routes routes =
        Routes.builder()
            .post("/example.Greeter/Greet", grpc(greet))
            .post("/example.Greeter/Chat", grpc(chat))
            .build();
    HttpServer server =
        Peregrine.builder()
            .endpoint(Endpoint.tcp("127.0.0.1", 0).withHttp2Only())
            .handler(routes)
            .start();
    // end
    ManagedChannel channel = connect(server);

    assertThat(greet(channel, "Ada")).isEqualTo("Hello, Ada");
    assertThatThrownBy(() -> greet(channel, "")).hasMessage("INVALID_ARGUMENT: a name is required");
    Answers answers = new Answers();
    StreamObserver<String> messages = chat(channel, answers);
    for (int i = 0; i < 100; i++) {
      messages.onNext("message " + i);
      assertThat(answers.received.take()).isEqualTo("message " + i);
    }
    messages.onCompleted();
    assertThat(answers.received.take()).isEqualTo("completed");
  }

  @Test
  void servesMoreCallsAtOnceThanByDefault() throws Exception {
    Handler handler = grpc(GuideGrpcTest::echo);
    // snippet: http2-limits
    Http2Limits http2 = Http2Limits.DEFAULT.withStreamsMax(500).withWindowBytesMax(8 << 20);
    ServerLimits limits = ServerLimits.builder().http2(http2).build();
    HttpServer server = Peregrine.builder().port(0).limits(limits).handler(handler).start();
    // end
    ManagedChannel channel = connect(server);
    List<StreamObserver<String>> calls = new ArrayList<>();
    List<Answers> answers = new ArrayList<>();
    for (int i = 0; i < 2 * Http2Limits.DEFAULT.streamsMax(); i++) {
      answers.add(new Answers());
      calls.add(chat(channel, answers.getLast()));
    }
    for (StreamObserver<String> call : calls.reversed()) {
      call.onNext("hello"); // the last call is open, and so are all others
    }
    for (Answers each : answers) {
      assertThat(each.received.take()).isEqualTo("hello");
    }
  }

  private static void echo(GrpcCall call) throws IOException, GrpcException {
    for (byte[] each = call.receive(); each != null; each = call.receive()) {
      call.send(each);
    }
  }

  private ManagedChannel connect(HttpServer server) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", open(server).port()).usePlaintext().build();
    AutoCloseable ignored = open(channel::shutdownNow);
    return channel;
  }

  private static String greet(ManagedChannel channel, String name) {
    return ClientCalls.blockingUnaryCall(
        channel, method(MethodType.UNARY, "Greet"), CallOptions.DEFAULT, name);
  }

  private static StreamObserver<String> chat(ManagedChannel channel, Answers answers) {
    return ClientCalls.asyncBidiStreamingCall(
        channel.newCall(method(MethodType.BIDI_STREAMING, "Chat"), CallOptions.DEFAULT), answers);
  }

  /** Collects the messages of a call, and how it ended. */
  private static final class Answers implements StreamObserver<String> {
    final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @Override
    public void onNext(String message) {
      received.add(message);
    }

    @Override
    public void onError(Throwable error) {
      received.add(error.toString());
    }

    @Override
    public void onCompleted() {
      received.add("completed");
    }
  }

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.newBuilder(new Text(), new Text())
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName("example.Greeter", name))
        .build();
  }

  /** Messages that are text. */
  private static final class Text implements Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), UTF_8);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }
}
