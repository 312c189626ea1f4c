package dev.peregrine.opentelemetry;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.tls.Tls;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A transport and a version of HTTP, as a server and its client use them. */
enum Wire {
  NIO_HTTP_1(TransportKind.NIO, HttpClient.Version.HTTP_1_1),
  NIO_HTTP_2(TransportKind.NIO, HttpClient.Version.HTTP_2),
  EPOLL_HTTP_1(TransportKind.EPOLL, HttpClient.Version.HTTP_1_1),
  EPOLL_HTTP_2(TransportKind.EPOLL, HttpClient.Version.HTTP_2);

  private final TransportKind transport;
  private final HttpClient.Version version;

  Wire(TransportKind transport, HttpClient.Version version) {
    this.transport = transport;
    this.version = version;
  }

  boolean isHttp2() {
    return version == HttpClient.Version.HTTP_2;
  }

  /** Returns the scheme: HTTP/2 is agreed on by TLS. */
  String scheme() {
    return isHttp2() ? "https" : "http";
  }

  HttpServer start(Handler handler) {
    HttpServerBuilder builder = Peregrine.builder().transport(transport).loops(1).handler(handler);
    return (isHttp2() ? builder.with(Tls.selfSigned()) : builder).start();
  }

  URI uri(HttpServer server, String target) {
    return URI.create(scheme() + "://localhost:" + server.port() + target);
  }

  HttpClient client() throws GeneralSecurityException {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, new TrustManager[] {new Trusting()}, null);
    return HttpClient.newBuilder()
        .version(version)
        .sslContext(trusting)
        .connectTimeout(Duration.ofMinutes(1))
        .build();
  }

  /** Trusts the certificate of the test, which nobody has signed. */
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
}
