package dev.peregrine.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.server.HttpServer;
import dev.peregrine.server.tls.config.TlsWatch;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that are reloaded without a call. */
final class TlsReloadIT {
  private static final Duration INTERVAL = Duration.ofMillis(10);

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  /** A check may come while a test writes. */
  @AfterEach
  void takesProblemsOfIncompleteFiles() {
    assertThat(servers.log().take(Level.WARNING))
        .allMatch(line -> line.getMessage().contains("not reloaded, the old ones stay"));
  }

  private HttpServer start(Tls tls) {
    return servers.start(HttpsClient.FACTS, options -> options.with(tls));
  }

  private static Tls watching(Path chain, Path key) {
    return Tls.builder()
        .engine(Certificates.ENGINE)
        .certificate(chain, key)
        .reloadAutomatically(INTERVAL)
        .build();
  }

  private static void awaitServed(HttpServer server, String subject) {
    Await.until(subject + " is served", () -> isServed(server, subject));
  }

  private static boolean isServed(HttpServer server, String subject) {
    try {
      return HttpsClient.served(server, "localhost").equals("CN=" + subject);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Writes a new certificate and its key into a folder. */
  private static Path write(Path into, String subject) throws IOException {
    TlsCredential credential = Certificates.create(subject);
    Files.createDirectories(into);
    Certificates.writeKey(into.resolve("tls.key"), credential);
    Certificates.writeChain(into.resolve("tls.crt"), credential);
    return into;
  }

  @Test
  void reloadsFilesThatAreRewritten() throws IOException {
    write(folder, "first");
    HttpServer server = start(watching(folder.resolve("tls.crt"), folder.resolve("tls.key")));

    assertThat(isServed(server, "first")).isTrue();
    for (String next : List.of("second", "third")) {
      write(folder, next);
      awaitServed(server, next);
    }
  }

  /** As Kubernetes does it: files link into ..data, which links into a folder that is replaced. */
  @Test
  void reloadsFilesWhoseFolderIsSwapped() throws IOException {
    write(folder.resolve("..1"), "first");
    link(folder.resolve("..data"), Path.of("..1"));
    Path chain = link(folder.resolve("tls.crt"), Path.of("..data", "tls.crt"));
    Path key = link(folder.resolve("tls.key"), Path.of("..data", "tls.key"));
    HttpServer server = start(watching(chain, key));

    assertThat(isServed(server, "first")).isTrue();
    write(folder.resolve("..2"), "second");
    link(folder.resolve("..data"), Path.of("..2"));
    awaitServed(server, "second");
  }

  /** As certbot does it: each file links to the newest one of an archive. */
  @Test
  void reloadsFilesWhoseLinksAreReplaced() throws IOException {
    Path first = write(folder.resolve("archive-1"), "first");
    Path chain = link(folder.resolve("fullchain.pem"), first.resolve("tls.crt"));
    Path key = link(folder.resolve("privkey.pem"), first.resolve("tls.key"));
    HttpServer server = start(watching(chain, key));

    assertThat(isServed(server, "first")).isTrue();
    Path second = write(folder.resolve("archive-2"), "second");
    link(chain, second.resolve("tls.crt"));
    link(key, second.resolve("tls.key"));
    awaitServed(server, "second");
  }

  /** Replaces a link in one step. */
  private static Path link(Path link, Path target) throws IOException {
    Path made = Files.createSymbolicLink(link.resolveSibling(link.getFileName() + ".new"), target);
    return Files.move(
        made, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void reloadsAuthorities() throws IOException {
    write(folder, "localhost");
    TlsCredential first = Certificates.create("first");
    TlsCredential second = Certificates.create("second");
    Path authorities = Certificates.writeChain(folder.resolve("authorities"), first);
    HttpServer server =
        start(
            Tls.builder()
                .engine(Certificates.ENGINE)
                .certificate(folder.resolve("tls.crt"), folder.resolve("tls.key"))
                .requestClientCertificates(authorities)
                .reloadAutomatically(INTERVAL)
                .build());
    SSLContext client = Certificates.client(second);

    assertThat(HttpsClient.ask(server, client, options -> {})).endsWith(" 0");
    Certificates.writeChain(authorities, second);
    Await.until(
        "the client's certificate is accepted",
        () -> {
          try {
            return HttpsClient.ask(server, Certificates.client(second), o -> {}).endsWith(" 1");
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
  }

  @Test
  void keepsTheOldCertificateUntilTheNewFilesFit() throws IOException {
    write(folder, "first");
    Path chain = folder.resolve("tls.crt");
    Path key = folder.resolve("tls.key");
    Tls tls = watching(chain, key);
    HttpServer server = start(tls);
    TlsCredential next = Certificates.create("next");

    Certificates.writeKey(key, next);
    Await.until(
        "the problem is logged",
        () -> servers.log().take(Level.WARNING).stream().anyMatch(TlsReloadIT::isMismatch));
    assertThat(isServed(server, "first")).isTrue();
    assertThat(tls.reload()).isFalse(); // which logs the problem each time
    assertThat(servers.log().take(Level.WARNING)).anyMatch(TlsReloadIT::isMismatch);
    Certificates.writeChain(chain, next);
    awaitServed(server, "next");
    Files.writeString(chain, "");
    Await.until(
        "the other problem is logged",
        () ->
            servers.log().take(Level.WARNING).stream()
                .anyMatch(line -> line.getMessage().contains("has no certificate")));
    assertThat(isServed(server, "next")).isTrue();
  }

  private static boolean isMismatch(LogRecord line) {
    return line.getMessage().contains("doesn't fit the certificate");
  }

  @Test
  void endsWithTheLastServer() throws Exception {
    write(folder, "first");
    Tls tls = watching(folder.resolve("tls.crt"), folder.resolve("tls.key"));
    TlsWatch watch = Objects.requireNonNull(tls.watch());
    assertThat(watch.thread()).isNull();
    HttpServer one = start(tls);
    HttpServer other = start(tls);
    Thread thread = Objects.requireNonNull(watch.thread());
    assertThat(thread.isAlive()).isTrue();

    one.close();
    assertThat(watch.thread()).isSameAs(thread);
    other.close();
    assertThat(watch.thread()).isNull();
    assertThat(thread.join(Duration.ofMinutes(2))).isTrue();

    write(folder, "second"); // while no server uses it
    awaitServed(start(tls), "second");
  }

  @Test
  void usesTheContextThatTheApplicationReturnsThen() throws Exception {
    AtomicReference<SSLContext> present = new AtomicReference<>(context("first"));
    HttpServer server = start(Tls.builder().contexts(present::get).build());
    SSLContext client = Certificates.client(null); // which would resume its session

    assertThat(subject(server, client)).isEqualTo("CN=first");
    present.set(context("second"));
    assertThat(subject(server, client)).isEqualTo("CN=second");
  }

  /** Returns a context that a server may use too. */
  private static SSLContext context(String subject) {
    return Certificates.client(Certificates.create(subject));
  }

  /** Returns the name in the certificate of the session in which a request was served. */
  private static String subject(HttpServer server, SSLContext client) throws IOException {
    try (SSLSocket socket = HttpsClient.connect(server, client, HttpsClient.name("localhost"))) {
      socket.getOutputStream().write(Requests.bytes(HttpsClient.REQUEST));
      assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
      X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return certificate.getSubjectX500Principal().getName();
    }
  }

  @Test
  void rejectsSettingsWithoutSense() throws Exception {
    SSLContext context = SSLContext.getDefault();

    for (Duration interval : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tls.builder().reloadAutomatically(interval))
          .withMessageContaining("isn't positive");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tls.builder().context(context).reloadAutomatically(INTERVAL).build())
        .withMessageContaining("has no files to reload");
  }
}
