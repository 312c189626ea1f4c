package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.GrpcMessages;
import dev.peregrine.testing.http2.GrpcSite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client of grpc-java calls methods of a handler that writes messages and trailers by hand. */
@ParameterizedClass(name = "TLS {0}")
@ValueSource(booleans = {false, true})
final class GrpcIT {
  private static final int CLIENT_WINDOW_BYTES = 65_535;
  private static final int AHEAD_BYTES_MAX = 4 * CLIENT_WINDOW_BYTES; // windows and high water
  private static final int LARGE_BYTES = 4_000_000;
  private static final int FRAMED_BYTES = GrpcMessages.PREFIX_BYTES + GrpcSite.COUNTED_BYTES;

  @RegisterExtension final Servers servers = new Servers();
  @Parameter boolean tls;

  private final GrpcSite site = new GrpcSite();
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ExecutorService callbacks = Executors.newFixedThreadPool(2);
  private HttpServer server;
  private ManagedChannel channel;

  @BeforeEach
  void connect() throws SSLException {
    server =
        servers.start(
            site,
            options -> {
              if (tls) {
                options.with(Certificates.TLS);
              }
            });
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress("localhost", server.port())
            .eventLoopGroup(loops)
            .channelType(NioSocketChannel.class)
            .executor(callbacks)
            .flowControlWindow(CLIENT_WINDOW_BYTES);
    if (tls || Servers.TLS) {
      SslContextBuilder context =
          GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
      builder.sslContext(context.trustManager(Certificates.LOCALHOST.chain().getFirst()).build());
    } else {
      builder.usePlaintext();
    }
    channel = builder.build();
  }

  @AfterEach
  void close() throws Exception {
    channel.shutdownNow();
    assertThat(channel.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
    assertThat(loops.shutdownGracefully(0, 30, TimeUnit.SECONDS).await(120, TimeUnit.SECONDS))
        .isTrue();
    callbacks.close();
  }

  // ---- one message each ----

  @Test
  void callsAMethod() {
    assertThat(echo(Requests.bytes("hello"))).isEqualTo(Requests.bytes("hello"));
    assertThat(echo(new byte[0])).isEmpty();
  }

  @Test
  void sendsAndReceivesLargeMessages() {
    byte[] large = Requests.content(LARGE_BYTES);

    for (int i = 0; i < 3; i++) {
      assertThat(echo(large)).isEqualTo(large);
    }
  }

  @Test
  void callsAThousandMethodsAtOnce() throws Exception {
    List<Future<byte[]>> responses = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      responses.add(
          ClientCalls.futureUnaryCall(
              call(MethodType.UNARY, "echo"), Requests.bytes("message " + i)));
    }

    for (int i = 0; i < 1000; i++) {
      assertThat(responses.get(i).get()).isEqualTo(Requests.bytes("message " + i));
    }
    assertThat(server.connectionCount()).isEqualTo(1);
  }

  // ---- streams of messages ----

  @Test
  void receivesManyMessages() {
    Iterator<byte[]> messages = count(10_000);

    for (int i = 0; i < 10_000; i++) {
      assertThat(messages.next()).isEqualTo(GrpcSite.numbered(i));
    }
    assertThat(messages.hasNext()).isFalse();
  }

  /** The client takes messages one by one; the handler writes few of them ahead. */
  @Test
  void writesNoFasterThanTheClientTakes() throws Exception {
    int count = 5000;
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger ahead = new AtomicInteger();
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call = call(MethodType.SERVER_STREAMING, "count");
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(byte[] message) {
            ahead.accumulateAndGet(site.written.get() - taken.incrementAndGet(), Math::max);
            if (taken.get() > 1) { // the second one is requested by the test
              call.request(1);
            }
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage(Requests.bytes("" + count));
    call.halfClose();

    Await.until(
        "the handler writes until the window is full",
        () -> taken.get() == 1 && site.written.get() > CLIENT_WINDOW_BYTES / FRAMED_BYTES);
    call.request(1);

    assertThat(end.get().getCode()).isEqualTo(Status.Code.OK);
    assertThat(taken.get()).isEqualTo(count);
    assertThat(ahead.get()).isLessThan(AHEAD_BYTES_MAX / GrpcSite.COUNTED_BYTES);
  }

  @Test
  void sendsManyMessages() throws Exception {
    Answers answers = new Answers();
    StreamObserver<byte[]> messages =
        ClientCalls.asyncClientStreamingCall(call(MethodType.CLIENT_STREAMING, "sum"), answers);
    for (int i = 1; i <= 10_000; i++) {
      messages.onNext(Requests.bytes("" + i));
    }
    messages.onCompleted();

    assertThat(answers.end.get()).isEqualTo(Status.OK);
    assertThat(answers.messages).containsExactly(Requests.bytes("50005000"));
  }

  @Test
  void talksInBothDirections() throws Exception {
    Answers answers = new Answers();
    StreamObserver<byte[]> messages =
        ClientCalls.asyncBidiStreamingCall(call(MethodType.BIDI_STREAMING, "talk"), answers);
    for (int i = 0; i < 500; i++) {
      messages.onNext(Requests.bytes("" + i));
      assertThat(answers.next()).isEqualTo(Requests.bytes("re: " + i));
    }
    messages.onCompleted();

    assertThat(answers.end.get()).isEqualTo(Status.OK);
  }

  // ---- errors ----

  @Test
  void getsAnErrorInPlaceOfAResponse() {
    assertThatThrownBy(() -> unary("refuse"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            error -> {
              assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
              assertThat(error.getStatus().getDescription()).isEqualTo("no such thing");
            });
    assertThatThrownBy(() -> unary("unknown")).hasMessageStartingWith("UNIMPLEMENTED");
    expectServed();
  }

  @Test
  void getsAnErrorInTrailers() {
    Iterator<byte[]> messages =
        ClientCalls.blockingServerStreamingCall(
            call(MethodType.SERVER_STREAMING, "fail"), new byte[0]);

    assertThat(messages.next()).isEqualTo(Requests.bytes("first"));
    assertThatThrownBy(messages::hasNext).hasMessage("NOT_FOUND: nothing more");
    assertThatThrownBy(() -> unary("failAtOnce")).hasMessage("NOT_FOUND: nothing at all");
  }

  @ParameterizedTest
  @ValueSource(strings = {"endless", "endlessBlocking"})
  void cancelsACallWhoseHandlerIsNotified(String method) throws Exception {
    Answers answers = new Answers();
    ClientCall<byte[], byte[]> call = call(MethodType.SERVER_STREAMING, method);
    ClientCalls.asyncServerStreamingCall(call, new byte[0], answers);
    assertThat(answers.next()).isEqualTo(GrpcSite.numbered(0));

    call.cancel("enough", null);

    assertThat(answers.end.get().getCode()).isEqualTo(Status.Code.CANCELLED);
    expectAborted();
    expectServed();
    assertThat(server.connectionCount()).isEqualTo(1);
  }

  @Test
  void cancelsACallWhoseHandlerWaitsForAMessage() throws Exception {
    Answers answers = new Answers();
    ClientCall<byte[], byte[]> call = call(MethodType.BIDI_STREAMING, "talk");
    StreamObserver<byte[]> ignored = talk(call, answers);

    call.cancel("enough", null);

    expectAborted();
  }

  @Test
  void cancelsACallAtItsDeadline() throws Exception {
    assertThat(echo(Requests.bytes("connected"))).isEqualTo(Requests.bytes("connected"));
    String deadline = null;
    while (deadline == null) { // again if a slow machine hasn't sent it before
      assertThatThrownBy(
              () ->
                  ClientCalls.blockingUnaryCall(
                      channel,
                      method(MethodType.UNARY, "hang"),
                      CallOptions.DEFAULT.withDeadlineAfter(2, TimeUnit.SECONDS),
                      new byte[0]))
          .hasMessageStartingWith("DEADLINE_EXCEEDED");
      deadline = site.deadlines.poll();
    }
    assertThat(deadline).matches("[0-9]{1,8}[num]");
    expectAborted();
    expectServed();
  }

  @Test
  void completesACallThatIsUnderWayAtTheShutdown() throws Exception {
    Answers answers = new Answers();
    StreamObserver<byte[]> messages = talk(call(MethodType.BIDI_STREAMING, "talk"), answers);

    CompletableFuture<Boolean> allAnswered =
        CompletableFuture.supplyAsync(
            () -> server.shutdown(Duration.ofSeconds(30)).isComplete(), callbacks);
    messages.onNext(Requests.bytes("2"));
    assertThat(answers.next()).isEqualTo(Requests.bytes("re: 2"));
    messages.onCompleted();

    assertThat(answers.end.get()).isEqualTo(Status.OK);
    assertThat(allAnswered.get()).isTrue();
  }

  // ---- helpers ----

  private byte[] echo(byte[] message) {
    return ClientCalls.blockingUnaryCall(call(MethodType.UNARY, "echo"), message);
  }

  private void expectServed() {
    assertThat(echo(Requests.bytes("next"))).isEqualTo(Requests.bytes("next"));
  }

  /** Waits until a handler was notified that its call can't be completed. */
  private void expectAborted() throws InterruptedException {
    assertThat(site.aborted.poll(120, TimeUnit.SECONDS)).isNotNull();
  }

  /** Begins a call in both directions: sends a message, and waits for its response. */
  private static StreamObserver<byte[]> talk(ClientCall<byte[], byte[]> call, Answers answers)
      throws InterruptedException {
    StreamObserver<byte[]> messages = ClientCalls.asyncBidiStreamingCall(call, answers);
    messages.onNext(Requests.bytes("1"));
    assertThat(answers.next()).isEqualTo(Requests.bytes("re: 1"));
    return messages;
  }

  private byte[] unary(String method) {
    return ClientCalls.blockingUnaryCall(call(MethodType.UNARY, method), new byte[0]);
  }

  private Iterator<byte[]> count(int count) {
    return ClientCalls.blockingServerStreamingCall(
        call(MethodType.SERVER_STREAMING, "count"), Requests.bytes("" + count));
  }

  private ClientCall<byte[], byte[]> call(MethodType type, String name) {
    return channel.newCall(method(type, name), CallOptions.DEFAULT);
  }

  private static MethodDescriptor<byte[], byte[]> method(MethodType type, String name) {
    return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName("test.Site", name))
        .build();
  }

  /** Passes messages on as they are. */
  private static final class Bytes implements Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  /** Collects the messages of a call, and its status. */
  private static final class Answers implements StreamObserver<byte[]> {
    final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    final CompletableFuture<Status> end = new CompletableFuture<>();

    /** Returns the next message; fails if none arrives. */
    byte[] next() throws InterruptedException {
      return Objects.requireNonNull(messages.poll(120, TimeUnit.SECONDS), "no message");
    }

    @Override
    public void onNext(byte[] message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable error) {
      end.complete(Status.fromThrowable(error));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }
  }
}
