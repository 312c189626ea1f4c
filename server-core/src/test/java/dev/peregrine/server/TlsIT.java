package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.TlsCredential;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.tls.TlsInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that speak HTTPS, and clients of the JDK. */
final class TlsIT {
  private static final int LARGE = 3_000_000;
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  private static final Handler FACTS =
      (request, response) -> {
        TlsInfo tls = Objects.requireNonNull(request.tls());
        response.text(
            request.scheme()
                + " "
                + request.isSecure()
                + " "
                + tls.version()
                + " "
                + tls.serverName()
                + " "
                + tls.applicationProtocol()
                + " "
                + tls.clientCertificates().size());
      };

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private final BlockingQueue<FailedHandshake> failures = new ArrayBlockingQueue<>(100);
  private final BlockingQueue<CloseReason> closes = new ArrayBlockingQueue<>(100);

  private HttpServer start(Handler handler, Tls tls) {
    return servers.start(handler, options -> options.tls(tls).connectionListener(listener()));
  }

  private ConnectionListener listener() {
    return new ConnectionListener() {
      @Override
      public void onHandshakeFailed(ConnectionInfo connection, FailedHandshake failed) {
        failures.add(failed);
      }

      @Override
      public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
        closes.add(reason);
      }
    };
  }

  private FailedHandshake failure() throws InterruptedException {
    FailedHandshake failed = failures.poll(30, TimeUnit.SECONDS);
    CloseReason reason;
    do {
      reason = closes.poll(30, TimeUnit.SECONDS); // others may have ended in order
    } while (reason == CloseReason.LAST_RESPONSE || reason == CloseReason.CLIENT_CLOSED);
    assertThat(reason).isEqualTo(CloseReason.HANDSHAKE_FAILED);
    return Objects.requireNonNull(failed);
  }

  private static SSLSocket connect(
      HttpServer server, SSLContext context, Consumer<SSLParameters> options) throws IOException {
    Socket plain = new Socket();
    plain.setSoTimeout(30_000);
    plain.connect(server.address());
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(plain, "localhost", server.address().getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    options.accept(parameters);
    socket.setSSLParameters(parameters);
    return socket;
  }

  private static String ask(HttpServer server, SSLContext context, Consumer<SSLParameters> options)
      throws IOException {
    try (SSLSocket socket = connect(server, context, options)) {
      socket.getOutputStream().write(Requests.bytes(REQUEST));
      String response = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
  }

  private static SSLException refused(
      HttpServer server, SSLContext context, Consumer<SSLParameters> options) throws IOException {
    try {
      throw new AssertionError("was answered " + ask(server, context, options));
    } catch (SSLException expected) {
      return expected;
    }
  }

  private static Consumer<SSLParameters> version(String version) {
    return parameters -> parameters.setProtocols(new String[] {version});
  }

  private static Consumer<SSLParameters> name(String name) {
    return parameters -> parameters.setServerNames(List.of(new SNIHostName(name)));
  }

  private Path chain(TlsCredential credential) {
    return Certificates.writeChain(folder.resolve("chain.pem"), credential);
  }

  private Path key(TlsCredential credential) {
    return Certificates.writeKey(folder.resolve("key.pem"), credential);
  }

  private Tls.Builder builder(TlsCredential credential) {
    return Tls.builder()
        .engine(Certificates.ENGINE)
        .certificate(chain(credential), key(credential));
  }

  // ---- what is spoken ----

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void showsWhatWasAgreedOn(String version) throws IOException {
    HttpServer server = start(FACTS, Certificates.TLS);

    assertThat(
            ask(
                server,
                Certificates.client(),
                version(version)
                    .andThen(name("Some.Example"))
                    .andThen(
                        options ->
                            options.setApplicationProtocols(new String[] {"h2", "http/1.1"}))))
        .isEqualTo("https true " + version + " some.example http/1.1 0");
    assertThat(ask(server, Certificates.client(null), version(version)))
        .isEqualTo("https true " + version + " null null 0");
  }

  @Test
  void showsNoFactsOnAPlainConnection() {
    HttpServer server =
        servers.watch(
            HttpServer.builder()
                .transport(Servers.TRANSPORT)
                .handler((request, response) -> response.text(String.valueOf(request.tls())))
                .start());

    RawClient client = RawClient.connect(server.address());
    assertThat(client.get("/").read().text()).isEqualTo("null");
    client.close();
  }

  @Test
  void keepsFactsForOtherThreads() throws IOException {
    HttpServer server = start(Handlers.blocking(FACTS), Certificates.TLS);

    assertThat(ask(server, Certificates.client(), version("TLSv1.3")))
        .isEqualTo("https true TLSv1.3 null null 0");
  }

  @Test
  void resumesSessions() throws IOException {
    HttpServer server =
        start(
            (request, response) ->
                response.text("" + Objects.requireNonNull(request.tls()).isResumed()),
            Certificates.TLS);
    SSLContext context = Certificates.client(null);

    assertThat(ask(server, context, version("TLSv1.2"))).isEqualTo("false");
    assertThat(ask(server, context, version("TLSv1.2"))).isEqualTo("true");
    assertThat(ask(server, context, version("TLSv1.3"))).isEqualTo("false");
    assertThat(ask(server, context, version("TLSv1.3"))).isEqualTo("true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void sendsAndReceivesMuch(String version) throws IOException {
    byte[] content = Requests.content(LARGE);
    Path file = Files.write(folder.resolve("content"), content);
    HttpServer server =
        start(
            Handlers.blocking(
                (request, response) -> {
                  byte[] received = request.body().readAll(LARGE);
                  if (request.pathIs("/file")) {
                    response.send(file);
                  } else {
                    response.send(received);
                  }
                }),
            Certificates.TLS);

    for (String path : List.of("/file", "/echo")) {
      try (SSLSocket socket = connect(server, Certificates.client(), version(version))) {
        String head =
            "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ";
        socket.getOutputStream().write(Requests.bytes(head + LARGE + "\r\n\r\n"));
        socket.getOutputStream().write(content);
        byte[] response = socket.getInputStream().readAllBytes();
        assertThat(response).startsWith(Requests.bytes("HTTP/1.1 200 OK\r\n")).endsWith(content);
      }
    }
  }

  /** Row T28 of the attacks: the end of a chunked response is not left in a buffer. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void sendsTheLastChunkOfAResponse(String version) throws IOException {
    HttpServer server =
        start(
            Handlers.blocking(
                (request, response) -> {
                  try (var out = response.outputStream()) {
                    out.write("one".getBytes(ISO_8859_1));
                    out.flush();
                    out.write("two".getBytes(ISO_8859_1));
                  }
                }),
            Certificates.TLS);

    try (SSLSocket socket = connect(server, Certificates.client(), version(version))) {
      socket.getOutputStream().write(Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
      assertThat(readUntil(socket.getInputStream(), "\r\n0\r\n\r\n")).contains("3\r\ntwo\r\n");
    }
  }

  private static String readUntil(InputStream in, String end) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!bytes.toString(ISO_8859_1).endsWith(end)) {
      int next = in.read();
      assertThat(next).as("after %s", bytes).isNotNegative();
      bytes.write(next);
    }
    return bytes.toString(ISO_8859_1);
  }

  // ---- certificates ----

  @Test
  void choosesTheCertificateByTheName() throws IOException {
    TlsCredential first = Certificates.create("first");
    TlsCredential wide = Certificates.create("wide");
    TlsCredential deep = Certificates.create("deep");
    Path[] files = new Path[6];
    int i = 0;
    for (TlsCredential one : List.of(first, wide, deep)) {
      files[i] = Certificates.writeChain(folder.resolve("chain" + i), one);
      files[i + 1] = Certificates.writeKey(folder.resolve("key" + i), one);
      i += 2;
    }
    Tls tls =
        Tls.builder()
            .engine(Certificates.ENGINE)
            .certificate(files[0], files[1], "a.example")
            .certificate(files[2], files[3], "*.example")
            .certificate(files[4], files[5], "*.deep.example", "b.example")
            .build();
    HttpServer server = start(FACTS, tls);

    assertThat(served(server, "A.Example")).isEqualTo("CN=first");
    assertThat(served(server, "b.example")).isEqualTo("CN=deep");
    assertThat(served(server, "c.example")).isEqualTo("CN=wide");
    assertThat(served(server, "d.deep.example")).isEqualTo("CN=deep");
    assertThat(served(server, "deep.example")).isEqualTo("CN=wide");
    assertThat(served(server, "example")).isEqualTo("CN=first");
  }

  private static String served(HttpServer server, String name) throws IOException {
    try (SSLSocket socket = connect(server, Certificates.client(null), name(name))) {
      socket.startHandshake();
      X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return certificate.getSubjectX500Principal().getName();
    }
  }

  /** Row S8 of the attacks. */
  @Test
  void refusesUnknownNamesIfItIsToldTo() throws Exception {
    TlsCredential credential = Certificates.create("known.example");
    Tls tls =
        Tls.builder()
            .certificate(chain(credential), key(credential), "known.example")
            .refuseUnknownNames(true)
            .build();
    HttpServer server = start(FACTS, tls);

    assertThat(refused(server, Certificates.client(), name("unknown.example")))
        .hasMessageContaining("unrecognized_name");
    FailedHandshake failed = failure();
    assertThat(failed.reason()).isEqualTo(HandshakeFailure.NAME_UNKNOWN);
    assertThat(failed.serverName()).isEqualTo("unknown.example");
    assertThat(ask(server, Certificates.client(), name("known.example"))).contains("known.example");
    assertThat(ask(server, Certificates.client(), options -> {})).contains("null");
  }

  @Test
  void knowsItsClientsByTheirCertificates() throws Exception {
    TlsCredential client = Certificates.create("client");
    Path trusted = Certificates.writeChain(folder.resolve("trusted"), client);
    TlsCredential own = Certificates.create("localhost");
    HttpServer requiring = start(FACTS, builder(own).requireClientCertificates(trusted).build());
    HttpServer requesting = start(FACTS, builder(own).requestClientCertificates(trusted).build());
    SSLContext known = Certificates.client(client);
    SSLContext stranger = Certificates.client(Certificates.create("client"));

    for (String version : List.of("TLSv1.3", "TLSv1.2")) {
      assertThat(ask(requiring, known, version(version))).endsWith(" 1");
      assertThat(ask(requesting, known, version(version))).endsWith(" 1");
      assertThat(ask(requesting, Certificates.client(null), version(version))).endsWith(" 0");
      refused(requiring, Certificates.client(null), version(version));
      assertThat(failure().reason()).isEqualTo(HandshakeFailure.CLIENT_CERTIFICATE);
      refused(requiring, stranger, version(version));
      assertThat(failure().reason()).isEqualTo(HandshakeFailure.CLIENT_CERTIFICATE);
      refused(requesting, stranger, version(version));
      assertThat(failure().reason()).isEqualTo(HandshakeFailure.CLIENT_CERTIFICATE);
    }
  }

  // ---- failed handshakes ----

  /** Row S9 of the attacks. */
  @Test
  void refusesClientsWithoutACommonApplicationProtocol() throws Exception {
    HttpServer server = start(FACTS, Certificates.TLS);

    assertThat(
            refused(
                server,
                Certificates.client(),
                options -> options.setApplicationProtocols(new String[] {"smtp"})))
        .hasMessageContaining("no_application_protocol");
    FailedHandshake failed = failure();
    assertThat(failed.reason()).isEqualTo(HandshakeFailure.NO_APPLICATION_PROTOCOL);
    assertThat(failed.applicationProtocols()).containsExactly("smtp");
    assertThat(failed.versions()).contains("TLSv1.3", "TLSv1.2");
    assertThat(failed.time()).isPositive();
    assertThat(servers.log().take(Level.INFO))
        .extracting(LogRecord::getMessage)
        .anyMatch(line -> line.contains("no application protocol") && line.contains("smtp"));
  }

  @Test
  void reportsAClientThatDoesNotTrustTheCertificate() throws Exception {
    HttpServer server = start(FACTS, Certificates.TLS);

    refused(server, SSLContext.getDefault(), version("TLSv1.3"));

    FailedHandshake failed = failure();
    assertThat(failed.reason()).isEqualTo(HandshakeFailure.CLIENT_ALERT);
    assertThat(failed.detail()).contains("certificate_unknown");
  }

  @Test
  void speaksOnlyTheVersionsThatItIsToldTo() throws Exception {
    TlsCredential credential = Certificates.create("localhost");
    HttpServer server = start(FACTS, builder(credential).version12(false).build());

    refused(server, Certificates.client(), version("TLSv1.2"));
    assertThat(failure().reason()).isEqualTo(HandshakeFailure.NOTHING_IN_COMMON);
    assertThat(ask(server, Certificates.client(), version("TLSv1.3"))).contains("TLSv1.3");
  }

  /** Row S10 of the attacks. */
  @Test
  void tellsAClientWithoutTls() throws Exception {
    HttpServer server = start(FACTS, Certificates.TLS);

    RawClient client = RawClient.connect(server.address());
    assertThat(client.get("/").read().text()).contains("HTTPS");
    client.expectEnd();
    client.close();
    assertThat(failure().reason()).isEqualTo(HandshakeFailure.PLAIN_HTTP);
  }

  /** Row S1 of the attacks. */
  @Test
  void endsHandshakesThatTakeTooLong() throws Exception {
    HttpServer server =
        servers.start(
            FACTS,
            options ->
                options
                    .tls(Certificates.TLS)
                    .connectionListener(listener())
                    .limits(
                        Servers.LIMITS.toBuilder().handshakeTime(Duration.ofMillis(300)).build()));

    RawClient silent = RawClient.connect(server.address());
    RawClient slow = RawClient.connect(server.address()).send(new byte[] {22, 3, 1, 0});
    silent.expectEnd();
    slow.expectEnd();
    silent.close();
    slow.close();

    assertThat(failure().reason()).isEqualTo(HandshakeFailure.TIMED_OUT);
    assertThat(failure().reason()).isEqualTo(HandshakeFailure.TIMED_OUT);
  }

  @Test
  void boundsTheHandshakesUnderWay() throws Exception {
    HttpServer server =
        servers.start(
            FACTS,
            options ->
                options
                    .tls(Certificates.TLS)
                    .loops(1)
                    .limits(Servers.LIMITS.toBuilder().handshakesMax(2).build()));
    RawClient first = RawClient.connect(server.address());
    RawClient second = RawClient.connect(server.address());
    RawClient third = RawClient.connect(server.address());

    third.expectClosed();
    first.close();
    second.close();
    third.close();
    Await.until("they are gone", () -> server.connectionCount() == 0);
    assertThat(ask(server, Certificates.client(), options -> {})).startsWith("https");
  }

  // ---- reload ----

  /** Row S13 of the attacks. */
  @Test
  void reloadsUnderLoad() throws Exception {
    TlsCredential first = Certificates.create("first");
    Path chain = chain(first);
    Path key = key(first);
    Tls tls = builder(first).build();
    HttpServer server = start(FACTS, tls);
    AtomicBoolean ends = new AtomicBoolean();
    AtomicInteger answered = new AtomicInteger();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> load =
          clients.submit(
              () -> {
                while (!ends.get()) {
                  assertThat(ask(server, Certificates.client(null), options -> {}))
                      .startsWith("https");
                  answered.incrementAndGet();
                }
                return answered;
              });
      try (SSLSocket open = connect(server, Certificates.client(null), options -> {})) {
        open.startHandshake();
        for (int i = 0; i < 20; i++) {
          int before = answered.get();
          TlsCredential next = Certificates.create("next-" + i);
          Certificates.writeKey(key, next);
          Certificates.writeChain(chain, next);
          assertThat(tls.reload()).isTrue();
          assertThat(served(server, "localhost")).isEqualTo("CN=next-" + i);
          Await.until("a client is served", () -> answered.get() > before || load.isDone());
        }
        open.getOutputStream().write(Requests.bytes(REQUEST));
        assertThat(new String(open.getInputStream().readAllBytes(), ISO_8859_1))
            .startsWith("HTTP/1.1 200 OK");
      } finally {
        ends.set(true);
      }
      assertThat(load.get(30, TimeUnit.SECONDS)).isNotNull();
    }
    assertThat(failures).isEmpty();
  }

  // ---- the application in a handshake ----

  /** Keys whose use waits, as one that asks another server would. */
  private static final class WaitingKeys extends X509ExtendedKeyManager {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      asked.countDown();
      try {
        assertThat(released.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      }
      return "own";
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return Certificates.LOCALHOST.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return Certificates.LOCALHOST.key();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {"own"};
    }

    @Override
    public String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return "own";
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[0];
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }

  private HttpServer startWaiting(WaitingKeys keys, Duration handshakeTime) throws Exception {
    SSLContext own = SSLContext.getInstance("TLS");
    own.init(new KeyManager[] {keys}, null, null);
    return servers.start(
        FACTS,
        options ->
            options
                .tls(Tls.builder().context(own).build())
                .loops(1)
                .connectionListener(listener())
                .limits(Servers.LIMITS.toBuilder().handshakeTime(handshakeTime).build()));
  }

  /** Row S17 of the attacks. */
  @Test
  void doesNotHoldUpALoopByCodeOfTheApplication() throws Exception {
    WaitingKeys keys = new WaitingKeys();
    HttpServer server = startWaiting(keys, Duration.ofSeconds(10));
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> first = clients.submit(() -> ask(server, Certificates.client(), o -> {}));
      assertThat(keys.asked.await(30, TimeUnit.SECONDS)).isTrue();

      RawClient other = RawClient.connect(server.address()); // is served by the same loop
      assertThat(other.get("/").read().status()).isEqualTo(400);
      other.close();
      assertThat(first.isDone()).isFalse();
      keys.released.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS)).startsWith("https true");
    }
  }

  /** Row S17: its time counts against the handshake's. */
  @Test
  void endsAHandshakeInWhichTheApplicationTakesTooLong() throws Exception {
    WaitingKeys keys = new WaitingKeys();
    HttpServer server = startWaiting(keys, Duration.ofMillis(300));

    try {
      assertThatThrownBy(() -> ask(server, Certificates.client(), options -> {}))
          .isInstanceOf(IOException.class);
      assertThat(failure().reason()).isEqualTo(HandshakeFailure.TIMED_OUT);
    } finally {
      keys.released.countDown();
    }
  }
}
