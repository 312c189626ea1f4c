package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.tls.Tls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that aren't calls, and calls with content that isn't messages. */
@ParameterizedClass(name = "{0}")
@EnumSource(
    value = Setup.class,
    names = {"NIO_LOOP", "EPOLL_THREADS"})
@Timeout(60)
final class BadCallsIT {
  private static final int LIMIT = 1000;

  @Parameter Setup setup;

  private HttpServer server;
  private HttpClient client;

  @BeforeEach
  void connect() throws Exception {
    server =
        Peregrine.builder()
            .transport(setup.isOnLoop() ? TransportKind.NIO : TransportKind.EPOLL)
            .loops(1)
            .daemon(true)
            .port(0)
            .with(Tls.selfSigned())
            .handler(
                GrpcServices.builder()
                    .executor(setup.executor())
                    .maxInboundMessageSize(LIMIT)
                    .add(new TestService())
                    .build())
            .start();
    client = HttpClient.newBuilder().sslContext(trusting()).build();
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    assertThat(server.bufferBytesInUse()).isZero();
  }

  private HttpRequest.Builder request(String method, byte[] content) {
    return withoutTrailers(method, content).header("TE", "trailers");
  }

  private HttpRequest.Builder withoutTrailers(String method, byte[] content) {
    return HttpRequest.newBuilder(
            URI.create("https://localhost:" + server.port() + "/test.Texts/" + method))
        .timeout(Duration.ofSeconds(30))
        .header("Content-Type", "application/grpc+proto")
        .POST(BodyPublishers.ofByteArray(content));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private void expect(HttpRequest.Builder request, int status, String text) throws Exception {
    HttpResponse<String> response = send(request);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/grpc");
    assertThat(response.headers().firstValue("grpc-message").orElse("none")).contains(text);
    assertThat(response.headers().firstValue("grpc-status")).hasValue("" + status);
    assertThat(response.body()).isEmpty();
  }

  private static byte[] message(int flags, int length, byte[] content) {
    return ByteBuffer.allocate(5 + content.length)
        .put((byte) flags)
        .putInt(length)
        .put(content)
        .array();
  }

  // ---- heads ----

  @Test
  void rejectsRequestsThatAreNotCalls() throws Exception {
    HttpRequest.Builder page = request("Echo", new byte[0]).setHeader("Content-Type", "text/plain");
    HttpRequest.Builder similar =
        request("Echo", new byte[0]).setHeader("Content-Type", "application/grpc-web");

    assertThat(send(page).statusCode()).isEqualTo(415);
    assertThat(send(similar).statusCode()).isEqualTo(415);
    HttpResponse<String> got = send(request("Echo", new byte[0]).GET());
    assertThat(got.statusCode()).isEqualTo(405);
    assertThat(got.headers().firstValue("allow")).hasValue("POST");
    assertThat(send(request("Echo", new byte[0]).version(HttpClient.Version.HTTP_1_1)).statusCode())
        .isEqualTo(505);
  }

  @Test
  void answersUnimplementedForUnknownMethods() throws Exception {
    expect(request("None", new byte[0]), 12, "Method not found: test.Texts/None");
  }

  @Test
  void findsNoMethodByAPathWithAQuery() throws Exception {
    expect(request("Echo?", new byte[0]), 12, "Method not found: test.Texts/Echo?");
    expect(request("Echo?a=b", new byte[0]), 12, "Method not found: test.Texts/Echo?a=b");
  }

  @Test
  void rejectsBinaryMetadataThatIsNotBase64() throws Exception {
    for (String value : new String[] {"A", "****", "AA=A", "AA-_", "AAAA,A", "AAA AAA"}) {
      expect(request("Echo", new byte[0]).header("some-bin", value), 13, "Malformed binary");
    }
    for (String value : new String[] {"", "AA", "AA==", "AAAA,BBBB", "AAAA, BBBB"}) {
      expect(request("Echo", new byte[0]).header("some-bin", value), 13, "without a request");
    }
  }

  @Test
  void needsTrailers() throws Exception {
    expect(withoutTrailers("Echo", new byte[0]), 13, "TE: trailers");
  }

  @Test
  void rejectsMalformedTimes() throws Exception {
    for (String time : new String[] {"", "S", "1", "x1S", "123456789S", "-1S", "1s"}) {
      expect(request("Echo", new byte[0]).header("grpc-timeout", time), 13, "grpc-timeout");
    }
  }

  @Test
  void endsACallWhoseTimeIsOver() throws Exception {
    byte[] silence = message(0, 7, "silence".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    expect(request("Echo", silence).header("grpc-timeout", "0n"), 4, "");
    expect(request("Echo", silence).header("grpc-timeout", "100m"), 4, "");
  }

  @Test
  void answersUnimplementedForUnknownEncodings() throws Exception {
    HttpRequest.Builder request = request("Echo", new byte[0]).header("grpc-encoding", "snappy");
    expect(request, 12, "Can't find decompressor for snappy");
    assertThat(send(request).headers().firstValue("grpc-accept-encoding")).hasValue("gzip");
  }

  // ---- messages ----

  @Test
  void endsACallWithoutItsMessage() throws Exception {
    expect(request("Echo", new byte[0]), 13, "Half-closed without a request");
  }

  @Test
  void endsCallsWithBrokenPrefixes() throws Exception {
    expect(request("Echo", message(2, 1, new byte[1])), 13, "reserved bits not zero");
    expect(request("Echo", message(0xFF, 1, new byte[1])), 13, "reserved bits not zero");
    expect(request("Echo", new byte[] {0, 0, 0}), 13, "mid-frame");
    expect(request("Echo", message(0, 5, new byte[4])), 13, "mid-frame");
  }

  @Test
  void endsCallsWithMessagesThatAreTooLarge() throws Exception {
    expect(request("Echo", message(0, LIMIT + 1, new byte[3])), 8, "exceeds maximum size 1000");
    expect(request("Echo", message(0, -1, new byte[3])), 8, "4294967295");
    HttpResponse<String> taken = send(request("Echo", message(0, LIMIT, new byte[LIMIT])));
    assertThat(taken.body()).hasSize(5 + LIMIT);
  }

  @Test
  void endsCallsWithMessagesThatCannotBeDecompressed() throws Exception {
    expect(request("Echo", message(1, 3, new byte[3])), 13, "compression not configured");
    expect(
        request("Echo", message(1, 3, new byte[3])).header("grpc-encoding", "gzip"),
        13,
        "Can't decompress");
    byte[] bomb = zip(new byte[100_000]);
    expect(
        request("Echo", message(1, bomb.length, bomb)).header("grpc-encoding", "gzip"),
        8,
        "Decompressed gRPC message exceeds");
  }

  @Test
  void endsACallWhoseMarshallerCannotDecompressTheRestOfAMessage() throws Exception {
    byte[] whole = zip(new byte[LIMIT]);
    byte[] cut = Arrays.copyOf(whole, whole.length - 1);

    expect(
        request("Echo", message(1, cut.length, cut)).header("grpc-encoding", "gzip"),
        13,
        "Can't decompress");
  }

  private static byte[] zip(byte[] content) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
      zip.write(content);
    }
    return zipped.toByteArray();
  }

  static SSLContext trusting() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    return context;
  }

  /** Accepts the certificate of a test. */
  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
