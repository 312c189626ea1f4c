package dev.peregrine.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.pem.SelfSigned;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS by Boot's properties and bundles. */
@Timeout(300)
class SslBundleIT {
  private static final long NANOS_MAX = Duration.ofSeconds(60).toNanos();

  @TempDir Path folder;

  private static final class Trusting implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private void write(String name, String subject) throws Exception {
    TlsCredential credential = SelfSigned.create(Duration.ofDays(1), List.of(subject));
    String chain = pem("CERTIFICATE", credential.chain().getFirst().getEncoded());
    String key = pem("PRIVATE KEY", credential.key().getEncoded());
    Files.writeString(folder.resolve(name + ".key"), key);
    Files.writeString(folder.resolve(name + ".crt"), chain);
  }

  private static String pem(String label, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
  }

  private String[] bundle(String name) {
    String prefix = "spring.ssl.bundle.pem." + name + ".";
    return new String[] {
      prefix + "reload-on-update=true",
      prefix + "keystore.certificate=" + folder.resolve(name + ".crt"),
      prefix + "keystore.private-key=" + folder.resolve(name + ".key"),
    };
  }

  private static String[] all(String[] first, String... others) {
    String[] all = Arrays.copyOf(first, first.length + others.length);
    System.arraycopy(others, 0, all, first.length, others.length);
    return all;
  }

  private record Answer(String subject, String protocol, String head) {}

  private static Answer ask(int port, String name, String... protocols) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Trusting()}, null);
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", port, true)) {
      socket.setSoTimeout(60_000);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(name)));
      parameters.setApplicationProtocols(protocols);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      X509Certificate served = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      String protocol = socket.getApplicationProtocol();
      String head = "h2".equals(protocol) ? "" : get(socket);
      return new Answer(served.getSubjectX500Principal().getName(), protocol, head);
    }
  }

  private static String get(SSLSocket socket) throws IOException {
    String request = "GET /scheme HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  @Test
  void servesABundleAndItsUpdate() throws Exception {
    write("web", "first");
    String[] properties =
        all(
            bundle("web"),
            "server.ssl.bundle=web",
            "server.http2.enabled=true",
            "spring.ssl.bundle.watch.file.quiet-period=50ms");
    try (App app = App.start(properties)) {
      Answer answer = ask(app.port(), "a.example", "http/1.1");
      assertThat(answer.subject()).isEqualTo("CN=first");
      assertThat(answer.head()).startsWith("HTTP/1.1 200 ").endsWith("https");
      assertThat(ask(app.port(), "a.example", "h2", "http/1.1").protocol()).isEqualTo("h2");

      write("web", "second");
      long end = System.nanoTime() + NANOS_MAX;
      while (!ask(app.port(), "a.example").subject().equals("CN=second")) {
        assertThat(System.nanoTime()).isLessThan(end);
      }
    }
  }

  @Test
  void servesTheBundleOfTheRequestedName() throws Exception {
    write("web", "common");
    write("shop", "shop");
    String[] properties =
        all(
            all(bundle("web"), bundle("shop")),
            "server.ssl.bundle=web",
            "server.ssl.server-name-bundles[0].server-name=shop.example",
            "server.ssl.server-name-bundles[0].bundle=shop");
    try (App app = App.start(properties)) {
      assertThat(ask(app.port(), "shop.example").subject()).isEqualTo("CN=shop");
      assertThat(ask(app.port(), "other.example").subject()).isEqualTo("CN=common");
      assertThat(ask(app.port(), "other.example", "h2", "http/1.1").protocol())
          .isEqualTo("http/1.1"); // HTTP/2 isn't enabled
    }
  }

  @Test
  void rejectsAlgorithmsThatAreNotSecure() throws Exception {
    write("web", "a");
    String[] properties =
        all(
            bundle("web"),
            "server.ssl.bundle=web",
            "spring.ssl.bundle.pem.web.options.enabled-protocols=TLSv1.1");

    assertThatThrownBy(() -> App.start(properties)).hasStackTraceContaining("TLSv1.1");
  }
}
