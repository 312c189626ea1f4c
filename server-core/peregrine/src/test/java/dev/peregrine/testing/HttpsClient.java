package dev.peregrine.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.peregrine.http.Handler;
import dev.peregrine.server.HttpServer;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Requests over TLS by clients of the JDK that trust every server. */
public final class HttpsClient {
  /** A handler that responds with the facts about the connection. */
  public static final Handler FACTS =
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

  /** A request after which the connection ends. */
  public static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private HttpsClient() {}

  /** Returns a client before its handshake. */
  public static SSLSocket connect(
      HttpServer server, SSLContext context, Consumer<SSLParameters> options) throws IOException {
    Socket plain = new Socket();
    plain.setSoTimeout(120_000);
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

  /** Returns the content of the response to one request. */
  public static String ask(HttpServer server, SSLContext context, Consumer<SSLParameters> options)
      throws IOException {
    String response = send(server, context, options, REQUEST);
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }

  /** Sends requests, and returns all bytes that arrive until the server ends the connection. */
  public static String send(
      HttpServer server, SSLContext context, Consumer<SSLParameters> options, String requests)
      throws IOException {
    try (SSLSocket socket = connect(server, context, options)) {
      socket.getOutputStream().write(Requests.bytes(requests));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  /** Returns the failure of a request, whose handshake must fail. */
  public static SSLException refused(
      HttpServer server, SSLContext context, Consumer<SSLParameters> options) throws IOException {
    try {
      throw new AssertionError("was answered " + ask(server, context, options));
    } catch (SSLException expected) {
      return expected;
    }
  }

  /** Has a client offer only that version. */
  public static Consumer<SSLParameters> version(String version) {
    return parameters -> parameters.setProtocols(new String[] {version});
  }

  /** Has a client request that host name; null for none. */
  public static Consumer<SSLParameters> name(@Nullable String name) {
    return parameters ->
        parameters.setServerNames(name == null ? List.of() : List.of(new SNIHostName(name)));
  }

  /** Returns the name in the certificate that a client is served. */
  public static String served(HttpServer server, String name) throws IOException {
    try (SSLSocket socket = connect(server, Certificates.client(null), name(name))) {
      socket.startHandshake();
      X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return certificate.getSubjectX500Principal().getName();
    }
  }
}
