package dev.peregrine.cli.site;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.peregrine.cli.options.Invocation;
import dev.peregrine.cli.options.ServerOptions;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The command {@code serve} in this process, and clients of both versions of HTTP. */
final class SiteServer implements AutoCloseable {
  /**
   * How requests travel.
   *
   * @param transport of the server
   * @param version of the client
   * @param isSecure whether by TLS, always for HTTP/2
   */
  record Way(TransportKind transport, Version version, boolean isSecure) {}

  private final Way way;
  private final HttpServer server;
  private final HttpClient client;

  private SiteServer(Way way, HttpServer server) {
    this.way = way;
    this.server = server;
    this.client =
        HttpClient.newBuilder()
            .version(way.version)
            .followRedirects(Redirect.NEVER)
            .sslContext(trusting())
            .build();
  }

  /** Returns all ways that this machine has. */
  static Stream<Way> ways() {
    return Stream.of(TransportKind.NIO, TransportKind.EPOLL)
        .filter(kind -> kind == TransportKind.NIO || Epoll.problem() == null)
        .flatMap(
            kind ->
                Stream.of(
                    new Way(kind, Version.HTTP_1_1, false),
                    new Way(kind, Version.HTTP_1_1, true),
                    new Way(kind, Version.HTTP_2, true)));
  }

  /**
   * Starts a server.
   *
   * @param line the options after {@code serve}, separated by spaces; an underscore stands for a
   *     space in one, and $ for the folder
   */
  static SiteServer start(Way way, Path folder, String line) {
    List<String> args = new ArrayList<>(List.of("serve"));
    for (String word : line.split(" ", -1)) {
      args.add(word.replace("$", folder + "/").replace('_', ' '));
    }
    args.addAll(
        List.of("--port", "0", "--transport", way.transport.name().toLowerCase(Locale.ROOT)));
    args.addAll(List.of("--tls-self-signed", "--tls-port", "0"));
    Invocation invocation = Invocation.of(Map.of(), args.toArray(String[]::new));
    return new SiteServer(
        way, ServerOptions.of(invocation).builder().handler(Site.of(invocation)).start());
  }

  /**
   * Sends a request.
   *
   * @param fields a name, its value, the next name, and so on
   */
  HttpResponse<String> send(String method, String target, String... fields) throws Exception {
    return sendTo("127.0.0.1", method, target, fields);
  }

  private HttpResponse<String> sendTo(String host, String method, String target, String... fields)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(origin(host) + target))
            .timeout(Duration.ofSeconds(30))
            .method(method, BodyPublishers.noBody());
    if (fields.length > 0) {
      request.headers(fields);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String target, String... fields) throws Exception {
    return send("GET", target, fields);
  }

  /** Sends a GET to a host whose name ends with {@code .example}. */
  HttpResponse<String> getFrom(String host, String target, String... fields) throws Exception {
    return sendTo(host, "GET", target, fields);
  }

  private String origin(String host) {
    boolean secure = way.isSecure();
    InetSocketAddress address = (InetSocketAddress) server.addresses().get(secure ? 1 : 0);
    return (secure ? "https" : "http") + "://" + host + ":" + address.getPort();
  }

  /** Sends bytes of HTTP/1.1 as they are, without TLS; returns all of the response. */
  String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  /** Sends a GET of HTTP/1.1 with a target as it is. */
  String rawGet(String target, String host, String... lines) throws IOException {
    StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\n");
    request.append("Host: ").append(host).append("\r\n");
    for (String line : lines) {
      request.append(line).append("\r\n");
    }
    return raw(request.append("Connection: close\r\n\r\n").toString());
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.close();
  }

  private static SSLContext trusting() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Trusts the certificate of this test, for any name. */
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
