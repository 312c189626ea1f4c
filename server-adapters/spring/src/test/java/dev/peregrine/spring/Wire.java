package dev.peregrine.spring;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.tls.Tls;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The transports and protocols that the black-box tests run over. */
enum Wire {
  NIO(TransportKind.NIO, false),
  EPOLL(TransportKind.EPOLL, false),
  NIO_HTTP2_TLS(TransportKind.NIO, true),
  EPOLL_HTTP2_TLS(TransportKind.EPOLL, true);

  private final TransportKind transport;
  private final boolean secure;

  Wire(TransportKind transport, boolean secure) {
    this.transport = transport;
    this.secure = secure;
  }

  boolean isSecure() {
    return secure;
  }

  HttpServer start(Handler handler) {
    return start(handler, Peregrine.builder());
  }

  HttpServer start(Handler handler, HttpServerBuilder builder) {
    Endpoint endpoint = Endpoint.tcp("localhost", 0);
    return builder
        .transport(transport)
        .loops(2)
        .endpoint(secure ? endpoint.with(Tls.selfSigned()) : endpoint)
        .handler(handler)
        .start();
  }

  URI uri(HttpServer server, String path) {
    return URI.create(scheme() + "://localhost:" + server.port() + path);
  }

  String scheme() {
    return secure ? "https" : "http";
  }

  /** Connects for HTTP/2, which plain connections begin without a negotiation. */
  Socket connectHttp2(HttpServer server) throws IOException {
    if (!secure) {
      return new Socket("localhost", server.port());
    }
    SSLSocket socket =
        (SSLSocket) trusting().getSocketFactory().createSocket("localhost", server.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    return socket;
  }

  HttpClient client() {
    return HttpClient.newBuilder()
        .version(secure ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
        .sslContext(trusting())
        .connectTimeout(Duration.ofSeconds(60))
        .build();
  }

  private static SSLContext trusting() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Trusts every certificate and host: the server's own is made at its start. */
  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {}

    @Override
    public void checkClientTrusted(
        X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

    @Override
    public void checkServerTrusted(
        X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

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
