package dev.peregrine.jdk.httpserver.users;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A client of one server on this machine, with persistent connections and bounded waits. */
final class Client implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpClient client;
  private final URI base;

  private Client(HttpClient.Builder builder, URI base) {
    this.client = builder.version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
    this.base = base;
  }

  /** Returns a client of the server on a port. */
  static Client http(int port) {
    return new Client(HttpClient.newBuilder(), URI.create("http://127.0.0.1:" + port + "/"));
  }

  /** Returns a client of the server on a port, which accepts all certificates. */
  static Client https(int port) {
    return new Client(
        HttpClient.newBuilder().sslContext(trustingAll()),
        URI.create("https://127.0.0.1:" + port + "/"));
  }

  /** Returns a request for a path; its names and values alternate. */
  HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE);
    return headers.length == 0 ? request : request.headers(headers);
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send(request(path, headers));
  }

  HttpResponse<String> method(String method, String path, String... headers)
      throws IOException, InterruptedException {
    return send(request(path, headers).method(method, BodyPublishers.noBody()));
  }

  HttpResponse<String> post(String path, String type, String content)
      throws IOException, InterruptedException {
    return send(request(path, "Content-Type", type).POST(BodyPublishers.ofString(content)));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return send(request, BodyHandlers.ofString());
  }

  <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return client.send(request.build(), handler);
  }

  CompletableFuture<HttpResponse<String>> getLater(String path) {
    return sendLater(request(path), BodyHandlers.ofString());
  }

  <T> CompletableFuture<HttpResponse<T>> sendLater(
      HttpRequest.Builder request, BodyHandler<T> handler) {
    return client.sendAsync(request.build(), handler);
  }

  static String basic(String user, String password) {
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(credentials);
  }

  /** Fails unless connections to a port are refused soon. */
  static void expectRefused(int port) throws IOException {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < PATIENCE.toNanos()) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
      } catch (ConnectException refused) {
        return;
      } catch (SocketException reset) {
        Thread.onSpinWait(); // the server has stopped to listen meanwhile
      }
    }
    throw new AssertionError("connections to port " + port + " are not refused");
  }

  /** Returns TLS that accepts all certificates. */
  static SSLContext trustingAll() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustingAll()}, null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }

  /** Accepts the certificates that programs make for themselves. */
  private static final class TrustingAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
