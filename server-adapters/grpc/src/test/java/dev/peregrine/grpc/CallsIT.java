package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.HttpServer;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InternalServer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The client of grpc-java calls methods of all kinds. */
@ParameterizedClass(name = "{0}")
@EnumSource(Setup.class)
@Timeout(60)
final class CallsIT {
  private static final int INBOUND_BYTES = 64 * 1024; // of the loop, not of a connection
  private static final Metadata.Key<String> TEXT =
      Metadata.Key.of("text", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<byte[]> BINARY =
      Metadata.Key.of("some-bin", Metadata.BINARY_BYTE_MARSHALLER);

  @Parameter Setup setup;

  private final TestService service = new TestService();
  private final BlockingQueue<ServerCall<?, ?>> calls = new LinkedBlockingQueue<>();
  private final AtomicReference<Context> context = new AtomicReference<>();
  private HttpServer server;
  private ManagedChannel channel;

  @BeforeEach
  void connect() throws Exception {
    server =
        setup.start(
            GrpcServices.builder()
                .executor(setup.executor())
                .intercept(new Noting())
                .add(service)
                .build());
    channel = setup.connect(server);
  }

  @AfterEach
  void close() throws Exception {
    channel.shutdownNow();
    assertThat(channel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    Await.until("no connection is open", () -> server.connectionCount() == 0);
    Await.until("the loop is idle", () -> server.bufferBytesInUse() <= INBOUND_BYTES);
    server.close();
    assertThat(server.bufferBytesInUse()).isZero();
  }

  /** Notes calls, and returns the metadata of those that have some. */
  private final class Noting implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      calls.add(call);
      context.set(Context.current());
      Metadata returned = new Metadata();
      Iterable<String> texts = headers.getAll(TEXT);
      if (texts != null) {
        texts.forEach(text -> returned.put(TEXT, text));
        Objects.requireNonNull(headers.getAll(BINARY))
            .forEach(value -> returned.put(BINARY, value));
      }
      return MetadataUtilsServer.attach(call, headers, next, returned);
    }
  }

  private String echo(String text) {
    return ClientCalls.blockingUnaryCall(channel, TestService.ECHO, CallOptions.DEFAULT, text);
  }

  private Status statusOf(String text) {
    try {
      echo(text);
    } catch (StatusRuntimeException failed) {
      return failed.getStatus();
    }
    return Status.OK;
  }

  // ---- the four kinds ----

  @Test
  void callsAMethod() {
    assertThat(echo("hello")).isEqualTo("hello");
    assertThat(echo("")).isEmpty();
    String large = "é".repeat(1_000_000);
    assertThat(echo(large)).isEqualTo(large);
  }

  @Test
  void callsManyMethodsAtOnce() throws Exception {
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      answers.add(
          ClientCalls.futureUnaryCall(TestService.call(channel, TestService.ECHO), "text " + i));
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(answers.get(i).get()).isEqualTo("text " + i);
    }
  }

  @Test
  void receivesManyMessages() {
    Iterator<String> messages =
        ClientCalls.blockingServerStreamingCall(
            channel, TestService.COUNT, CallOptions.DEFAULT, "3000");
    int count = 0;
    while (messages.hasNext()) {
      assertThat(messages.next()).endsWith("x" + count++);
    }
    assertThat(count).isEqualTo(3000);
  }

  @Test
  void sendsManyMessages() throws Exception {
    Answers answers = new Answers();
    StreamObserver<String> out =
        ClientCalls.asyncClientStreamingCall(TestService.call(channel, TestService.JOIN), answers);
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      out.onNext("message " + i);
      expected.append("message ").append(i);
    }
    out.onCompleted();

    assertThat(answers.next()).isEqualTo(expected.toString());
    assertThat(answers.next()).isEqualTo("OK");
  }

  @Test
  void talks() throws Exception {
    Answers answers = new Answers();
    StreamObserver<String> out =
        ClientCalls.asyncBidiStreamingCall(TestService.call(channel, TestService.CHAT), answers);
    for (int i = 0; i < 300; i++) {
      out.onNext("message " + i);
      assertThat(answers.next()).isEqualTo("message " + i);
    }
    String large = "0123456789".repeat(100_000);
    out.onNext(large);
    assertThat(answers.next()).isEqualTo(large);
    out.onCompleted();
    assertThat(answers.next()).isEqualTo("OK");
  }

  @Test
  void endsACallThatItsClientWouldContinue() throws Exception {
    Answers answers = new Answers();
    StreamObserver<String> out =
        ClientCalls.asyncBidiStreamingCall(TestService.call(channel, TestService.CHAT), answers);
    out.onNext("end");
    assertThat(answers.next()).isEqualTo("OK");
    assertThat(echo("the connection lives")).isEqualTo("the connection lives");
  }

  // ---- flow control ----

  @Test
  void sendsNoMoreThanTheClientTakes() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    ClientCall<String, String> call = TestService.call(channel, TestService.COUNT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(String message) {
            received.add(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            received.add(status.getCode().name());
          }
        },
        new Metadata());
    call.sendMessage("20000");
    call.halfClose();
    call.request(1);
    received.take();
    int before = -1;
    while (service.sent.get() != before) { // until it waits for the client
      before = service.sent.get();
      assertThat(echo("a neighbour")).isEqualTo("a neighbour");
    }
    assertThat(before).isLessThan(10_000);

    call.request(20_001);
    for (int i = 1; i < 20_000; i++) {
      assertThat(received.take()).endsWith("x" + i);
    }
    assertThat(received.take()).isEqualTo("OK");
  }

  // ---- metadata ----

  @Test
  void passesMetadataOnInBothDirections() {
    Metadata sent = new Metadata();
    sent.put(TEXT, "one");
    sent.put(TEXT, "two, three");
    sent.put(BINARY, new byte[] {0, 1, -1});
    sent.put(BINARY, new byte[0]);
    sent.put(BINARY, "x".repeat(3000).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    String answer =
        ClientCalls.blockingUnaryCall(
            ClientInterceptors.intercept(
                channel,
                MetadataUtils.newAttachHeadersInterceptor(sent),
                MetadataUtils.newCaptureMetadataInterceptor(headers, trailers)),
            TestService.ECHO,
            CallOptions.DEFAULT,
            "hello");

    assertThat(answer).isEqualTo("hello");
    for (Metadata received : List.of(headers.get(), trailers.get())) {
      assertThat(received.getAll(TEXT)).containsExactly("one", "two, three");
      List<Integer> lengths = new ArrayList<>();
      Objects.requireNonNull(received.getAll(BINARY)).forEach(value -> lengths.add(value.length));
      assertThat(lengths).containsExactly(3, 0, 3000);
    }
  }

  @Test
  void knowsTheConnectionOfACall() throws Exception {
    echo("hello");
    ServerCall<?, ?> call = calls.take();

    assertThat(call.getAuthority()).isEqualTo("localhost:" + server.port());
    assertThat(call.getAttributes().get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR)).isNotNull();
    assertThat(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)).isNotNull();
    assertThat(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION) != null)
        .isEqualTo(setup.name().endsWith("TLS"));
    assertThat(InternalServer.SERVER_CONTEXT_KEY.get(context.get()).getImmutableServices())
        .hasSize(1);
  }

  @Test
  void compressesMessages() {
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    String answer =
        ClientCalls.blockingUnaryCall(
            ClientInterceptors.intercept(
                channel, MetadataUtils.newCaptureMetadataInterceptor(headers, trailers)),
            TestService.ECHO,
            CallOptions.DEFAULT.withCompression("gzip"),
            "zip");

    assertThat(answer).isEqualTo("z".repeat(10_000));
    assertThat(
            headers.get().get(Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER)))
        .isEqualTo("gzip");
  }

  // ---- ends ----

  @Test
  void answersWithTheStatusOfTheService() {
    Status failed = statusOf("fail");
    assertThat(failed.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(failed.getDescription()).isEqualTo("nicht möglich: 100 %");
  }

  @Test
  void answersUnknownIfTheServiceThrows() throws Exception {
    Status failed = statusOf("throw");
    assertThat(failed.getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(failed.getDescription()).isEqualTo("Application error processing RPC");

    Answers answers = new Answers();
    StreamObserver<String> out =
        ClientCalls.asyncBidiStreamingCall(TestService.call(channel, TestService.CHAT), answers);
    out.onNext("one");
    assertThat(answers.next()).isEqualTo("one");
    out.onNext("throw");
    assertThat(answers.next()).isEqualTo("UNKNOWN");
  }

  @Test
  void answersInternalIfTheNumberOfResponsesIsWrong() {
    assertThat(statusOf("nothing").getDescription()).isEqualTo("Completed without a response");
    assertThat(statusOf("nothing").getCode()).isEqualTo(Status.Code.INTERNAL);
    assertThat(statusOf("twice").getDescription()).isEqualTo("Too many responses");
  }

  @Test
  void answersUnimplementedForUnknownMethods() {
    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    channel,
                    TestService.method("Unknown", io.grpc.MethodDescriptor.MethodType.UNARY),
                    CallOptions.DEFAULT,
                    "hello"))
        .hasMessage("UNIMPLEMENTED: Method not found: test.Texts/Unknown");
  }

  @Test
  void limitsTheSizeOfMessages() {
    String tooLarge = "x".repeat(4 * 1024 * 1024 + 1);
    Status failed = statusOf(tooLarge);
    assertThat(failed.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    channel,
                    TestService.ECHO,
                    CallOptions.DEFAULT.withCompression("gzip"),
                    tooLarge))
        .hasMessageContaining("RESOURCE_EXHAUSTED: Decompressed gRPC message exceeds maximum");
  }

  @Test
  void cancelsTheContextAndTheListenerAtTheDeadline() throws Exception {
    echo("connected"); // the deadline doesn't include that
    calls.clear();
    for (int seconds = 1; service.events.isEmpty(); seconds *= 2) { // until one begins in time
      CallOptions limited = CallOptions.DEFAULT.withDeadlineAfter(seconds, TimeUnit.SECONDS);
      assertThatThrownBy(
              () -> ClientCalls.blockingUnaryCall(channel, TestService.ECHO, limited, "silence"))
          .hasMessageContaining("DEADLINE_EXCEEDED");
    }
    assertThat(service.events.take()).isEqualTo("silent");
    Await.until("it is cancelled", () -> service.events.contains("cancelled"));
    awaitAllCancelled();
    assertThat(context.get().getDeadline()).isNotNull();
  }

  @Test
  void cancelsTheContextAndTheListenerIfTheClientCancels() throws Exception {
    ClientCall<String, String> call = TestService.call(channel, TestService.ECHO);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.sendMessage("silence");
    call.halfClose();
    assertThat(service.events.take()).isEqualTo("silent");
    call.cancel("by the test", null);
    expectCancelled();
    assertThat(echo("the connection lives")).isEqualTo("the connection lives");
  }

  @Test
  void cancelsCallsOfAClientThatDisconnects() throws Exception {
    Answers answers = new Answers();
    StreamObserver<String> out =
        ClientCalls.asyncBidiStreamingCall(TestService.call(channel, TestService.CHAT), answers);
    out.onNext("one");
    assertThat(answers.next()).isEqualTo("one");

    channel.shutdownNow();

    expectCancelled();
  }

  private void expectCancelled() throws InterruptedException {
    assertThat(service.events.take()).isEqualTo("cancelled");
    awaitAllCancelled();
  }

  private void awaitAllCancelled() {
    Await.until("the context is cancelled", () -> context.get().isCancelled());
    Await.until("all calls are", () -> calls.stream().allMatch(ServerCall::isCancelled));
  }

  @Test
  void servesOtherRequestsOnTheSamePort() throws Exception {
    Assumptions.assumeFalse(setup.name().endsWith("TLS"));
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> page =
          client.send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(page.body()).isEqualTo("a page");
    }
    assertThat(echo("hello")).isEqualTo("hello");
  }

  /** Collects answers and the status. */
  private static final class Answers implements StreamObserver<String> {
    private final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    String next() throws InterruptedException {
      return all.take();
    }

    @Override
    public void onNext(String text) {
      all.add(text);
    }

    @Override
    public void onError(Throwable failure) {
      all.add(Status.fromThrowable(failure).getCode().name());
    }

    @Override
    public void onCompleted() {
      all.add("OK");
    }
  }

  /** Adds metadata to the head and the trailers of a call. */
  private static final class MetadataUtilsServer {
    static <Q, R> ServerCall.Listener<Q> attach(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next, Metadata added) {
      return next.startCall(
          new io.grpc.ForwardingServerCall.SimpleForwardingServerCall<>(call) {
            @Override
            public void sendHeaders(Metadata head) {
              head.merge(added);
              super.sendHeaders(head);
            }

            @Override
            public void close(Status status, Metadata trailers) {
              trailers.merge(added);
              super.close(status, trailers);
            }
          },
          headers);
    }
  }
}
