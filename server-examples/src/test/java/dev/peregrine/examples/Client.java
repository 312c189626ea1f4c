package dev.peregrine.examples;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.stream.Stream;

/** Sends requests to a server on this machine over HTTP/1.1. */
final class Client implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int port;

  Client(int port) {
    this.port = port;
  }

  int port() {
    return port;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, BodyPublishers.noBody(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path, String accept) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path)).header("Accept", accept).timeout(PATIENCE).build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** Sends a request with credentials. */
  HttpResponse<String> getAs(String path, String authorization)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .header("Authorization", authorization)
            .timeout(PATIENCE)
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** Sends the request of a browser before a page of an origin may post. */
  HttpResponse<String> preflight(String path, String origin)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .method("OPTIONS", BodyPublishers.noBody())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST")
            .timeout(PATIENCE)
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String content) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.ofString(content), BodyHandlers.ofString());
  }

  HttpResponse<String> postJson(String path, String json) throws IOException, InterruptedException {
    return post(path, "application/json", json);
  }

  HttpResponse<String> post(String path, String type, String content)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .POST(BodyPublishers.ofString(content))
            .header("Content-Type", type)
            .timeout(PATIENCE)
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** Returns the lines of content that may be endless. */
  Stream<String> lines(String path) throws IOException, InterruptedException {
    return send("GET", path, BodyPublishers.noBody(), BodyHandlers.ofLines()).body();
  }

  <T> HttpResponse<T> send(String method, String path, BodyPublisher content, BodyHandler<T> into)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(uri(path)).method(method, content).timeout(PATIENCE).build(), into);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
