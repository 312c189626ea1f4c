package dev.peregrine.bench.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls every server with every workload once, so that none breaks unnoticed. */
class BlockingServersIT {
  private static final String HELLO = "Hello, World!";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  @TempDir Path folder;

  @AfterEach
  void closeClient() {
    client.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void returnsTheSameFromEveryServer(BlockingServerKind kind) throws Exception {
    try (ScriptedService service = new ScriptedService(2);
        Work work = work(Map.of("service", Integer.toString(service.port())))) {
      BlockingServer server = kind.create(work);
      int port = server.start(0);

      assertThat(get(port, "/plain")).isEqualTo(HELLO);
      assertThat(get(port, "/ask")).isEqualTo(ScriptedService.REPLY);
      assertThat(get(port, "/sleep")).isEqualTo(HELLO);
      assertThat(get(port, "/spin")).isEqualTo(HELLO);
      assertThat(get(port, "/park")).isEqualTo(HELLO);
      server.close();
    }
  }

  @Test
  void connectsAgainWhenTheServiceHasClosedTheIdleConnection() throws Exception {
    try (ScriptedService service = new ScriptedService(1);
        Work work = work(Map.of("service", Integer.toString(service.port())))) {
      assertThat(work.at("/ask")).asString().isEqualTo(ScriptedService.REPLY);
      assertThat(work.at("/ask")).asString().isEqualTo(ScriptedService.REPLY);
    }
  }

  @Test
  void looksUpItemsInPostgresOnEveryServer() throws Exception {
    assumeTrue(LocalPostgres.isInstalled(), "PostgreSQL is not installed");
    try (LocalPostgres database = LocalPostgres.start(folder, 0);
        Work work = work(Map.of("jdbc", database.url()))) {
      for (BlockingServerKind kind : BlockingServerKind.values()) {
        BlockingServer server = kind.create(work);
        int port = server.start(0);

        assertThat(get(port, "/jdbc")).as(kind.id()).isEqualTo(HELLO);
        assertThat(get(port, "/select")).as(kind.id()).isEqualTo(HELLO);
        server.close();
      }
    }
  }

  private static Work work(Map<String, String> settings) {
    Properties properties = new Properties();
    settings.forEach((name, value) -> properties.setProperty("blocking." + name, value));
    return Work.of(properties);
  }

  private String get(int port, String path) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Date")).isPresent();
    assertThat(response.headers().firstValue("Content-Type").orElse(""))
        .startsWith(BlockingServer.TEXT);
    return response.body();
  }
}
