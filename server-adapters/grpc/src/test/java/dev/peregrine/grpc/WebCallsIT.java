package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.filter.Cors;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.tls.Tls;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls of gRPC-Web, in binary and in base64, over both versions of HTTP. */
@ParameterizedClass(name = "{0}")
@MethodSource("ways")
@Timeout(60)
final class WebCallsIT {
  private static final String BINARY = "application/grpc-web+proto";
  private static final String TEXT = "application/grpc-web-text+proto";
  private static final String ORIGIN = "https://app.example.com";
  private static final int LIMIT = 1000;
  private static final Metadata.Key<byte[]> BYTES =
      Metadata.Key.of("some-bin", Metadata.BINARY_BYTE_MARSHALLER);

  /** How calls are sent. */
  record Way(TransportKind transport, Version version, boolean isText) {
    String type() {
      return isText ? TEXT : BINARY;
    }
  }

  static Stream<Way> ways() {
    return Stream.of(TransportKind.NIO, TransportKind.EPOLL)
        .flatMap(
            transport ->
                Stream.of(Version.HTTP_1_1, Version.HTTP_2)
                    .flatMap(
                        version ->
                            Stream.of(true, false).map(text -> new Way(transport, version, text))));
  }

  /** A response: its messages, and the lines of its last frame. */
  private record Answer(
      HttpResponse<byte[]> response, List<String> messages, List<String> trailers) {}

  @Parameter Way way;

  private final TestService service = new TestService();
  private HttpServer server;
  private HttpClient client;

  @BeforeEach
  void connect() throws Exception {
    GrpcServices services =
        GrpcServices.builder()
            .executor(
                way.transport() == TransportKind.NIO
                    ? GrpcServices.ON_LOOP
                    : GrpcServices.VIRTUAL_THREADS)
            .maxInboundMessageSize(LIMIT)
            .intercept(new Returning())
            .add(methods())
            .web()
            .build();
    Handler routes = (_, response) -> response.text("a page");
    // snippet: grpc-web
    Handler handler =
        Cors.builder(services.beside(routes))
            .origins("https://app.example.com")
            .headers("Content-Type", "X-Grpc-Web", "X-User-Agent", "Grpc-Timeout", "Authorization")
            .exposedHeaders("grpc-status", "grpc-message")
            .build();
    // end
    server =
        Peregrine.builder()
            .transport(way.transport())
            .loops(1)
            .daemon(true)
            .port(0)
            .with(Tls.selfSigned())
            .handler(handler)
            .start();
    client = HttpClient.newBuilder().sslContext(BadCallsIT.trusting()).build();
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    assertThat(server.bufferBytesInUse()).isZero();
  }

  /** Returns the methods of the service, and one that sends a message and doesn't end the call. */
  private ServerServiceDefinition methods() {
    ServerServiceDefinition.Builder methods = ServerServiceDefinition.builder(TestService.NAME);
    service.bindService().getMethods().forEach(methods::addMethod);
    return methods
        .addMethod(
            TestService.method("Wait", MethodType.SERVER_STREAMING),
            ServerCalls.asyncServerStreamingCall((text, answers) -> answers.onNext(text)))
        .build();
  }

  /** Returns a field of bytes in the trailers. */
  private static final class Returning implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      byte[] sent = headers.get(BYTES);
      return next.startCall(
          new SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
              if (sent != null) {
                trailers.put(BYTES, sent);
              }
              super.close(status, trailers);
            }
          },
          headers);
    }
  }

  // ---- a client ----

  private HttpRequest.Builder request(String method, BodyPublisher content) {
    return HttpRequest.newBuilder(
            URI.create("https://localhost:" + server.port() + "/test.Texts/" + method))
        .version(way.version())
        .timeout(Duration.ofSeconds(30))
        .header("Content-Type", way.type())
        .header("X-Grpc-Web", "1")
        .POST(content);
  }

  private HttpRequest.Builder request(String method, String... messages) {
    return request(method, BodyPublishers.ofByteArray(encode(frames(messages))));
  }

  private byte[] encode(byte[] bytes) {
    return way.isText() ? Base64.getEncoder().encode(bytes) : bytes;
  }

  private static byte[] frames(String... messages) {
    int length = 0;
    for (String each : messages) {
      length += 5 + each.length();
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    for (String each : messages) {
      byte[] message = each.getBytes(StandardCharsets.US_ASCII);
      all.put((byte) 0).putInt(message.length).put(message);
    }
    return all.array();
  }

  private Answer send(HttpRequest.Builder request) throws Exception {
    HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
    assertThat(response.version()).isEqualTo(way.version());
    assertThat(response.statusCode()).isEqualTo(200);
    String type = response.headers().firstValue("content-type").orElse("none");
    ByteBuffer rest = ByteBuffer.wrap(decode(response.body(), type.contains("-text")));
    List<String> messages = new ArrayList<>();
    List<String> trailers = List.of();
    while (rest.hasRemaining()) {
      assertThat(trailers).isEmpty();
      int flags = rest.get();
      byte[] frame = new byte[rest.getInt()];
      rest.get(frame);
      String text = new String(frame, StandardCharsets.US_ASCII);
      if (flags == 0) {
        messages.add(text);
      } else {
        assertThat(flags).isEqualTo((byte) 0x80);
        assertThat(text).endsWith("\r\n");
        trailers = Arrays.asList(text.split("\r\n", -1)).subList(0, text.split("\r\n").length);
      }
    }
    return new Answer(response, messages, trailers);
  }

  /** Decodes base64 with padding after each part. */
  private static byte[] decode(byte[] content, boolean text) {
    if (!text) {
      return content;
    }
    ByteBuffer decoded = ByteBuffer.allocate(content.length);
    var parts = Pattern.compile("[^=]+=*").matcher(new String(content, StandardCharsets.US_ASCII));
    while (parts.find()) {
      decoded.put(Base64.getDecoder().decode(parts.group()));
    }
    return Arrays.copyOf(decoded.array(), decoded.position());
  }

  private void expect(HttpRequest.Builder request, int status, String text) throws Exception {
    Answer answer = send(request);
    assertThat(answer.messages()).isEmpty();
    assertThat(answer.trailers()).hasSizeGreaterThan(0).first().isEqualTo("grpc-status: " + status);
    assertThat(answer.trailers().toString()).contains(text);
  }

  // ---- calls ----

  @Test
  void callsAMethod() throws Exception {
    Answer answer = send(request("Echo", "hello"));

    assertThat(answer.response().headers().firstValue("content-type")).hasValue(way.type());
    assertThat(answer.messages()).containsExactly("hello");
    assertThat(answer.trailers()).containsExactly("grpc-status: 0");
    assertThat(send(request("Echo", "")).messages()).containsExactly("");
  }

  @Test
  void receivesManyMessages() throws Exception {
    Answer answer = send(request("Count", "300"));

    assertThat(answer.messages()).hasSize(300);
    assertThat(answer.messages().getLast()).endsWith("x299");
    assertThat(answer.trailers()).containsExactly("grpc-status: 0");
  }

  @Test
  void receivesAMessageBeforeTheEnd() throws Exception {
    HttpRequest request = request("Wait", "first").build();
    try (InputStream content = client.send(request, BodyHandlers.ofInputStream()).body()) {
      byte[] expected = encode(frames("first"));
      assertThat(content.readNBytes(expected.length)).isEqualTo(expected);
    }
  }

  @Test
  void sendsManyMessages() throws Exception {
    assertThat(send(request("Join", "a", "b", "c")).messages()).containsExactly("abc");
    assertThat(send(request("Chat", "a", "b", "c")).messages()).containsExactly("a", "b", "c");
  }

  @Test
  void sendsContentInPiecesOfEverySize() throws Exception {
    byte[] content = encode(frames("some", "text"));
    for (int split = 1; split < content.length; split++) {
      byte[] first = Arrays.copyOf(content, split);
      byte[] second = Arrays.copyOfRange(content, split, content.length);
      BodyPublisher pieces =
          BodyPublishers.concat(
              BodyPublishers.ofByteArray(first), BodyPublishers.ofByteArray(second));
      assertThat(send(request("Join", pieces)).messages()).containsExactly("sometext");
    }
  }

  @Test
  void answersInTheFormatThatTheClientAccepts() throws Exception {
    Answer binary = send(request("Echo", "hello").header("Accept", BINARY));
    Answer text = send(request("Echo", "hello").header("Accept", "application/grpc-web-text"));
    Answer any = send(request("Echo", "hello").header("Accept", "*/*"));

    assertThat(binary.response().headers().firstValue("content-type")).hasValue(BINARY);
    assertThat(text.response().headers().firstValue("content-type")).hasValue(TEXT);
    assertThat(any.response().headers().firstValue("content-type")).hasValue(way.type());
    for (Answer each : List.of(binary, text, any)) {
      assertThat(each.messages()).containsExactly("hello");
    }
  }

  @Test
  void namesTheCodecOfTheClient() throws Exception {
    String type = way.type().replace("+proto", "");
    Answer none = send(request("Echo", "hello").setHeader("Content-Type", type));
    Answer json =
        send(request("Echo", "hello").setHeader("Content-Type", type + "+json; charset=utf-8"));

    assertThat(none.response().headers().firstValue("content-type")).hasValue(type + "+proto");
    assertThat(json.response().headers().firstValue("content-type")).hasValue(type + "+json");
  }

  @Test
  void returnsMetadataInTheLastFrame() throws Exception {
    Answer answer = send(request("Echo", "hello").header("Some-Bin", "AAH/"));
    assertThat(answer.trailers()).containsExactly("grpc-status: 0", "some-bin: AAH/");
  }

  // ---- errors ----

  @Test
  void answersWithTheStatusOfTheService() throws Exception {
    Answer answer = send(request("Echo", "fail"));
    assertThat(answer.trailers())
        .containsExactly("grpc-status: 9", "grpc-message: nicht m%C3%B6glich: 100 %25");
    expect(request("Echo", "throw"), 2, "Application error processing RPC");
    expect(request("None", "hello"), 12, "Method not found: test.Texts/None");
  }

  @Test
  void endsACallWhoseTimeIsOver() throws Exception {
    expect(request("Echo", "silence").header("grpc-timeout", "100m"), 4, "");
    expect(request("Echo", "silence").header("grpc-timeout", "x"), 13, "Malformed grpc-timeout");
  }

  @Test
  void rejectsMalformedContent() throws Exception {
    expect(request("Echo", "x".repeat(LIMIT + 1)), 8, "exceeds maximum size 1000");
    byte[] cut = Arrays.copyOf(frames("hello"), 7);
    expect(request("Echo", BodyPublishers.ofByteArray(encode(cut))), 13, "mid-frame");
    byte[] trailers = {(byte) 0x80, 0, 0, 0, 0};
    expect(request("Echo", BodyPublishers.ofByteArray(encode(trailers))), 13, "reserved bits");
    if (way.isText()) {
      expect(request("Echo", BodyPublishers.ofString("AAA*")), 13, "is not base64");
      expect(request("Echo", BodyPublishers.ofString("AAA")), 13, "within a quantum");
    }
  }

  @Test
  void rejectsRequestsThatAreNotCalls() throws Exception {
    HttpRequest get = request("Echo", "hello").GET().build();
    assertThat(client.send(get, BodyHandlers.discarding()).statusCode()).isEqualTo(405);
    for (String type : List.of("application/grpc-webs", "application/grpc-web-textual", "a/b")) {
      HttpRequest page = request("Echo", "hello").setHeader("Content-Type", type).build();
      assertThat(client.send(page, BodyHandlers.ofString()).body()).isEqualTo("a page");
    }
  }

  // ---- clients that leave, or wait ----

  @Test
  void cancelsTheCallIfItsClientLeaves() throws Exception {
    var leaving = client.sendAsync(request("Echo", "silence").build(), BodyHandlers.discarding());
    assertThat(service.events.take()).isEqualTo("silent");
    assertThat(leaving.cancel(true)).isTrue();
    assertThat(service.events.take()).isEqualTo("cancelled");
  }

  @Test
  void sendsNoMoreThanTheClientTakes() throws Exception {
    int count = 50_000; // of 1000 bytes, more than sockets and windows take
    HttpRequest request = request("Count", "" + count).build();
    InputStream content = client.send(request, BodyHandlers.ofInputStream()).body();
    assertThat(content.read()).isNotNegative();
    int before = -1;
    while (service.sent.get() != before) { // until it waits for the client
      before = service.sent.get();
      assertThat(send(request("Echo", "a neighbour")).messages()).containsExactly("a neighbour");
    }
    assertThat(before).isLessThan(count);
    content.close();
    assertThat(service.events.take()).isEqualTo("cancelled");
  }

  // ---- pages of other origins ----

  @Test
  void letsPagesOfAllowedOriginsCall() throws Exception {
    HttpResponse<Void> preflight = preflight(ORIGIN);
    assertThat(preflight.statusCode()).isEqualTo(204);
    assertThat(preflight.headers().firstValue("access-control-allow-headers").orElse("none"))
        .contains("Content-Type", "X-Grpc-Web", "X-User-Agent", "Grpc-Timeout");
    assertThat(preflight.headers().firstValue("access-control-allow-methods").orElse("none"))
        .contains("POST");
    assertThat(preflight("https://other.example.com").statusCode()).isEqualTo(403);

    Answer answer = send(request("Echo", "hello").header("Origin", ORIGIN));
    assertThat(answer.messages()).containsExactly("hello");
    assertThat(answer.response().headers().firstValue("access-control-allow-origin"))
        .hasValue(ORIGIN);
    assertThat(answer.response().headers().firstValue("access-control-expose-headers"))
        .hasValue("grpc-status, grpc-message");
  }

  private HttpResponse<Void> preflight(String origin) throws Exception {
    HttpRequest request =
        request("Echo", "")
            .method("OPTIONS", BodyPublishers.noBody())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type,x-grpc-web,x-user-agent")
            .build();
    return client.send(request, BodyHandlers.discarding());
  }
}
