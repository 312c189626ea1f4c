package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeNotes;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** New certificates while a server runs, and sessions that must not be resumed with them. */
final class TlsReloadUnderLoadIT {
  // Few seconds; -Dtls.reloads=200 for more.
  private static final int RELOADS = Integer.getInteger("tls.reloads", 30);
  private static final Handler RESUMED =
      (request, response) -> response.text("" + Objects.requireNonNull(request.tls()).isResumed());

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private final HandshakeNotes notes = new HandshakeNotes();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicInteger answered = new AtomicInteger();

  private HttpServer start(Handler handler, Tls tls) {
    return servers.start(handler, options -> options.with(tls).connectionListener(notes));
  }

  private void replace(Tls tls, String name) {
    Certificates.builder(folder, Certificates.create(name)); // writes the files
    assertThat(tls.reload()).isTrue();
  }

  /** Returns a client that sends requests until the test ends. */
  private Callable<Boolean> repeated(Callable<String> request) {
    return () -> {
      while (!ends.get()) {
        assertThat(request.call()).startsWith("https true");
        answered.incrementAndGet();
      }
      return true;
    };
  }

  /** Row S13 of the attacks: full handshakes, resumed ones, and requests on one connection. */
  @Test
  void failsNoHandshakeAndLosesNoRequest() throws Exception {
    Tls tls = Certificates.builder(folder, Certificates.create("first")).build();
    HttpServer server = start(HttpsClient.FACTS, tls);
    SSLContext resuming = Certificates.client(null);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
        RawClient open = RawClient.connectSecured(server.address(), 0)) {
      List<Future<Boolean>> load =
          List.of(
              clients.submit(
                  repeated(() -> HttpsClient.ask(server, Certificates.client(null), o -> {}))),
              clients.submit(repeated(() -> HttpsClient.ask(server, resuming, o -> {}))),
              clients.submit(repeated(() -> open.get("/").read().text())));
      try {
        for (int i = 0; i < RELOADS; i++) {
          int before = answered.get();
          replace(tls, "next-" + i);
          assertThat(HttpsClient.served(server, "localhost")).isEqualTo("CN=next-" + i);
          Await.until(
              "requests are answered",
              () -> answered.get() > before || load.stream().anyMatch(Future::isDone));
        }
      } finally {
        ends.set(true);
      }
      for (Future<Boolean> one : load) {
        assertThat(one.get(120, TimeUnit.SECONDS)).isTrue();
      }
    }
    notes.expectNone();
  }

  /** Row S12 of the attacks. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void resumesNoSessionOfAnOlderCertificate(String version) throws IOException {
    Tls tls = Certificates.builder(folder, Certificates.create("first")).build();
    HttpServer server = start(RESUMED, tls);
    SSLContext client = Certificates.client(null);

    assertThat(HttpsClient.ask(server, client, HttpsClient.version(version))).isEqualTo("false");
    assertThat(HttpsClient.ask(server, client, HttpsClient.version(version))).isEqualTo("true");
    replace(tls, "second");
    assertThat(HttpsClient.ask(server, client, HttpsClient.version(version))).isEqualTo("false");
    assertThat(HttpsClient.ask(server, client, HttpsClient.version(version))).isEqualTo("true");
    notes.expectNone();
  }

  @Test
  void leavesOpenConnectionsAlone() throws IOException {
    Tls tls = Certificates.builder(folder, Certificates.create("first")).build();
    HttpServer server = start(HttpsClient.FACTS, tls);

    try (SSLSocket open = HttpsClient.connect(server, Certificates.client(null), o -> {})) {
      open.startHandshake();
      replace(tls, "second");
      replace(tls, "third");
      open.getOutputStream().write(Requests.bytes(HttpsClient.REQUEST));
      assertThat(new String(open.getInputStream().readAllBytes(), ISO_8859_1))
          .startsWith("HTTP/1.1 200 OK");
    }
  }
}
