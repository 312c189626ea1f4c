package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeNotes;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Handshakes that fail, and those in which the application takes part. */
final class TlsHandshakeIT {
  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private final HandshakeNotes notes = new HandshakeNotes();

  private HttpServer start(Handler handler, Tls tls) {
    return servers.start(handler, options -> options.with(tls).connectionListener(notes));
  }

  /** Starts a server of one loop. */
  private HttpServer start(Tls tls, ServerLimits.Builder limits) {
    return servers.start(
        HttpsClient.FACTS,
        options -> options.with(tls).loops(1).connectionListener(notes).limits(limits.build()));
  }

  private static ServerLimits.Builder limits() {
    return Servers.LIMITS.toBuilder();
  }

  /** Row S9 of the attacks. */
  @Test
  void refusesClientsWithoutACommonApplicationProtocol() throws Exception {
    HttpServer server = start(HttpsClient.FACTS, Certificates.TLS);

    assertThat(
            HttpsClient.refused(
                server,
                Certificates.client(),
                options -> options.setApplicationProtocols(new String[] {"smtp"})))
        .hasMessageContaining("no_application_protocol");
    FailedHandshake failed = notes.failure();
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
    HttpServer server = start(HttpsClient.FACTS, Certificates.TLS);

    HttpsClient.refused(server, SSLContext.getDefault(), HttpsClient.version("TLSv1.3"));

    FailedHandshake failed = notes.failure();
    assertThat(failed.reason()).isEqualTo(HandshakeFailure.CLIENT_ALERT);
    assertThat(failed.detail()).contains("certificate_unknown");
  }

  /** As clients with OpenSSL do in TLS 1.3. */
  @Test
  void reportsAClientThatRejectsTheCertificateWithoutEncryption() throws Exception {
    HttpServer server = start(HttpsClient.FACTS, Certificates.TLS);
    SSLEngine client = Certificates.client(null).createSSLEngine("localhost", 443);
    client.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
    client.wrap(ByteBuffer.allocate(0), hello);

    try (Socket socket = new Socket()) {
      socket.connect(server.address());
      socket.setSoTimeout(120_000);
      socket.getOutputStream().write(hello.array(), 0, hello.position());
      assertThat(socket.getInputStream().read()).isEqualTo(22); // a handshake record
      socket.getOutputStream().write(new byte[] {21, 3, 3, 0, 2, 2, 48});
      FailedHandshake failed = notes.failure();
      assertThat(failed.reason()).isEqualTo(HandshakeFailure.CLIENT_ALERT);
      assertThat(failed.detail()).containsIgnoringCase("unknown_ca");
    }
  }

  /**
   * Checks of health connect, and close or reset: before the ClientHello, or within a handshake.
   */
  @Test
  void doesNotLogClientsThatGoAway() throws Exception {
    HttpServer server = start(HttpsClient.FACTS, Certificates.TLS);

    RawClient.connect(server.address()).close();
    RawClient.connect(server.address()).reset();
    RawClient.connect(server.address()).send(new byte[] {22, 3, 1, 0}).reset();

    assertThat(notes.closes(3))
        .containsExactlyInAnyOrder(
            CloseReason.CLIENT_CLOSED, CloseReason.CLIENT_RESET, CloseReason.HANDSHAKE_FAILED);
    assertThat(notes.reasons()).containsExactly(HandshakeFailure.CLIENT_GONE);
    assertThat(servers.log().take(Level.INFO))
        .extracting(LogRecord::getMessage)
        .noneMatch(line -> line.contains("handshake"));
  }

  @Test
  void speaksOnlyTheVersionsThatItIsToldTo() throws Exception {
    HttpServer server =
        start(
            HttpsClient.FACTS,
            Certificates.builder(folder, Certificates.LOCALHOST).versions("TLSv1.3").build());

    HttpsClient.refused(server, Certificates.client(), HttpsClient.version("TLSv1.2"));
    assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.NOTHING_IN_COMMON);
    assertThat(HttpsClient.ask(server, Certificates.client(), HttpsClient.version("TLSv1.3")))
        .contains("TLSv1.3");
  }

  /** Row S19 of the attacks. */
  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, smtp, NO_APPLICATION_PROTOCOL",
    "TLSv1.2, smtp, NO_APPLICATION_PROTOCOL",
    "TLSv1.3, http/1.1, CLIENT_ALERT",
    "TLSv1.2, http/1.1, CLIENT_ALERT"
  })
  void reportsAFailedHandshakeWithAllThatIsKnown(
      String version, String protocol, HandshakeFailure reason) throws Exception {
    HttpServer server = start(HttpsClient.FACTS, Certificates.TLS);

    HttpsClient.refused(
        server,
        SSLContext.getDefault(), // doesn't trust the certificate
        HttpsClient.version(version)
            .andThen(HttpsClient.name("www.example"))
            .andThen(options -> options.setApplicationProtocols(new String[] {protocol})));

    FailedHandshake failed = notes.failure();
    assertThat(failed.reason()).isEqualTo(reason);
    assertThat(failed.serverName()).isEqualTo("www.example");
    assertThat(failed.versions()).containsExactly(version);
    assertThat(failed.applicationProtocols()).containsExactly(protocol);
    assertThat(failed.time()).isPositive();
    assertThat(servers.log().take(Level.INFO))
        .extracting(LogRecord::getMessage)
        .anyMatch(
            line ->
                line.startsWith("TLS handshake with /127.0.0.1:")
                    && line.contains(reason.text())
                    && line.endsWith(
                        "asked for www.example, offered [" + version + "] [" + protocol + "]"));
  }

  /** Row S19 of the attacks: the lines of one cause don't keep those of another out. */
  @Test
  void logsFewLinesOfOneCause() throws Exception {
    HttpServer server = start(Certificates.TLS, limits());

    for (int i = 0; i < 30; i++) {
      RawClient client = RawClient.connect(server.address()).send(new byte[] {0});
      client.expectClosed();
      client.close();
      assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.NOT_TLS);
    }
    HttpsClient.refused(server, SSLContext.getDefault(), HttpsClient.version("TLSv1.3"));
    assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.CLIENT_ALERT);

    List<String> lines =
        servers.log().take(Level.INFO).stream().map(LogRecord::getMessage).toList();
    assertThat(lines).filteredOn(line -> line.contains("first byte is 0")).hasSizeBetween(1, 20);
    assertThat(lines).anyMatch(line -> line.contains(HandshakeFailure.CLIENT_ALERT.text()));
  }

  /** Row S10 of the attacks. */
  @Test
  void tellsAClientWithoutTls() throws Exception {
    HttpServer server = start(HttpsClient.FACTS, Certificates.TLS);

    RawClient client = RawClient.connect(server.address());
    assertThat(client.get("/").read().text()).contains("HTTPS");
    client.expectEnd();
    client.close();
    assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.PLAIN_HTTP);
  }

  /** Row S1 of the attacks. */
  @Test
  void endsHandshakesThatTakeTooLong() throws Exception {
    Duration time = Duration.ofMillis(300);
    HttpServer server = start(Certificates.TLS, limits().handshakeTime(time));

    RawClient silent = RawClient.connect(server.address());
    expectTimeOut(server, time);
    silent.expectEnd();
    silent.close();

    assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.TIMED_OUT);
    assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.TIMED_OUT);
  }

  /** Expects the end of a handshake whose client has sent a part of its first record. */
  private static void expectTimeOut(HttpServer server, Duration time) {
    long began = System.nanoTime();
    RawClient slow = RawClient.connect(server.address());
    slow.sendWhileOpen(new byte[] {22, 3, 1, 0});
    if (System.nanoTime() - began < time.toNanos() / 2) {
      slow.expectEnd();
    } else {
      slow.expectClosed(); // the bytes may have come after the end, which resets the connection
    }
    slow.close();
  }

  /** A handshake has its own time. Otherwise an end in order would cut the first request. */
  @Test
  void doesNotTakeAHandshakeForAnIdleConnection() throws Exception {
    Duration time = Duration.ofMillis(500);
    HttpServer server =
        start(Certificates.TLS, limits().keepAliveTime(Duration.ofMillis(50)).handshakeTime(time));

    expectTimeOut(server, time);

    assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.TIMED_OUT);
  }

  @Test
  void boundsTheHandshakesUnderWay() throws Exception {
    HttpServer server = start(Certificates.TLS, limits().handshakesMax(2));
    RawClient first = RawClient.connect(server.address());
    RawClient second = RawClient.connect(server.address());
    RawClient third = RawClient.connect(server.address());

    third.expectClosed();
    first.close();
    second.close();
    third.close();
    Await.until("they are gone", () -> server.connectionCount() == 0);
    assertThat(HttpsClient.ask(server, Certificates.client(), options -> {})).startsWith("https");
  }

  /** Keys whose use waits, as one that asks another server would. */
  private static final class WaitingKeys extends X509ExtendedKeyManager {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      asked.countDown();
      try {
        assertThat(released.await(120, TimeUnit.SECONDS)).isTrue();
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
    return start(Tls.builder().context(own).build(), limits().handshakeTime(handshakeTime));
  }

  /** Row S17 of the attacks. */
  @Test
  void doesNotHoldUpALoopByCodeOfTheApplication() throws Exception {
    WaitingKeys keys = new WaitingKeys();
    HttpServer server = startWaiting(keys, Duration.ofMinutes(2));
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> first =
          clients.submit(() -> HttpsClient.ask(server, Certificates.client(), o -> {}));
      assertThat(keys.asked.await(120, TimeUnit.SECONDS)).isTrue();

      RawClient other = RawClient.connect(server.address()); // is served by the same loop
      assertThat(other.get("/").read().status()).isEqualTo(400);
      other.close();
      assertThat(first.isDone()).isFalse();
      keys.released.countDown();
      assertThat(first.get(120, TimeUnit.SECONDS)).startsWith("https true");
    }
  }

  /** Row S17: its time counts against the handshake's. */
  @Test
  void endsAHandshakeInWhichTheApplicationTakesTooLong() throws Exception {
    WaitingKeys keys = new WaitingKeys();
    HttpServer server = startWaiting(keys, Duration.ofMillis(300));

    try {
      assertThatThrownBy(() -> HttpsClient.ask(server, Certificates.client(), options -> {}))
          .isInstanceOf(IOException.class);
      assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.TIMED_OUT);
    } finally {
      keys.released.countDown();
    }
  }
}
