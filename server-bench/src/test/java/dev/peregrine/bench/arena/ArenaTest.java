package dev.peregrine.bench.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The responses that HttpArena's rules ask for. */
final class ArenaTest {
  @TempDir private Path files;
  private HttpClient client;
  private HttpServer server;

  @BeforeEach
  void start() {
    client = HttpClient.newHttpClient();
    List<Item> items = List.of(item(1, 328, 15), item(2, 347, 95));
    server =
        Peregrine.builder()
            .port(0)
            .json(new ArenaJson())
            .handler(new Arena(items, null).routes(files))
            .start();
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static Item item(int id, int price, int quantity) {
    Item.Rating rating = new Item.Rating(48, 53);
    return new Item(id, "Widget", "tools", price, quantity, true, List.of("sale"), rating, 0);
  }

  private HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + target));
  }

  private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void addsNumbersOfTheQueryAndTheContent() throws Exception {
    assertThat(send(request("/baseline11?a=13&b=42"))).isEqualTo("55");
    assertThat(send(request("/baseline2?a=-1&b=42"))).isEqualTo("41");
    HttpRequest.BodyPublisher twenty = HttpRequest.BodyPublishers.ofString("20\r\n");
    assertThat(send(request("/baseline11?a=13&b=42").POST(twenty))).isEqualTo("75");
  }

  @Test
  void computesTheTotalsOfAsManyItemsAsAreAskedFor() throws Exception {
    assertThat(send(request("/json/1?m=3")))
        .isEqualTo(
            """
            {"items":[{"id":1,"name":"Widget","category":"tools","price":328,"quantity":15,\
            "active":true,"tags":["sale"],"rating":{"score":48,"count":53},"total":14760}],"count":1}\
            """);
    assertThat(send(request("/json/50?m=1"))).contains("\"total\":32965", "\"count\":2");
  }

  @Test
  void countsTheBytesOfAnUpload() throws Exception {
    HttpRequest.BodyPublisher content = HttpRequest.BodyPublishers.ofByteArray(new byte[100_000]);
    assertThat(send(request("/upload").POST(content))).isEqualTo("100000");
  }

  @Test
  void servesFiles() throws Exception {
    Files.writeString(files.resolve("reset.css"), "* {}");
    assertThat(send(request("/static/reset.css"))).isEqualTo("* {}");
  }
}
