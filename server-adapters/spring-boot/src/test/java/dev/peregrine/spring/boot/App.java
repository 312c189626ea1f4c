package dev.peregrine.spring.boot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;

/** The shop, started with some properties on a free port of this machine; closes it. */
final class App implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);

  final ReactiveWebServerApplicationContext context;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LONG).build();

  private App(ReactiveWebServerApplicationContext context) {
    this.context = context;
  }

  /** Starts the shop with properties such as {@code server.port=0}. */
  static App start(String... properties) {
    return start(List.of(Shop.class), properties);
  }

  static App start(List<Class<?>> sources, String... properties) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("server.port", "0");
    all.put("server.address", "127.0.0.1");
    for (String one : properties) {
      int end = one.indexOf('=');
      all.put(one.substring(0, end), one.substring(end + 1));
    }
    String[] arguments =
        all.entrySet().stream()
            .map(one -> "--" + one.getKey() + "=" + one.getValue())
            .toArray(String[]::new);
    return new App(
        (ReactiveWebServerApplicationContext)
            new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.REACTIVE)
                .properties("spring.main.banner-mode=off", "spring.jmx.enabled=false")
                .run(arguments));
  }

  PeregrineWebServer server() {
    return (PeregrineWebServer) Objects.requireNonNull(context.getWebServer());
  }

  int port() {
    return server().getPort();
  }

  HttpResponse<String> get(String path, String... fields) throws Exception {
    return send(request(port(), path, fields).build());
  }

  HttpResponse<String> get(int port, String path) throws Exception {
    return send(request(port, path).build());
  }

  HttpResponse<String> post(String path, byte[] content) throws Exception {
    return send(request(port(), path).POST(BodyPublishers.ofByteArray(content)).build());
  }

  HttpRequest.Builder request(int port, String path, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(LONG);
    return fields.length == 0 ? request : request.headers(fields);
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.close();
    context.close();
  }
}
