package dev.peregrine.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes lead upgrades like other requests, and have no route for CONNECT. */
final class RoutesUpgradeIT {
  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource({
    "/rooms/7, 101, room 7",
    "/any, 101, any",
    "/inner/rooms/8, 101, inner 8",
    "/post, 405, ",
    "/nothing, 404, "
  })
  void leadsUpgradesToTheRoutesOfTheirPaths(String path, int status, @Nullable String name) {
    Routes inner =
        Routes.builder()
            .get("/rooms/{room}", (q, r) -> accept("inner " + q.pathParameter("room"), r))
            .build();
    Routes routes =
        Routes.builder()
            .get("/rooms/{room}", (q, r) -> accept("room " + q.pathParameter("room"), r))
            .any("/any", (q, r) -> accept("any", r))
            .mount("/inner", inner)
            .post("/post", (q, r) -> r.text("post"))
            .build();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.header("X-Filter", "passed");
              routes.handle(request, response);
            });

    RawClient client = servers.connect(server).send(upgrade("GET " + path));

    String head = client.readUntil("\r\n\r\n");
    assertThat(head).startsWith("HTTP/1.1 " + status);
    if (name != null) {
      assertThat(head).contains("X-Name: " + name, "X-Filter: passed");
      assertThat(client.send("hello").readBytes(5)).isEqualTo(Requests.bytes("hello"));
    }
  }

  private static void accept(String name, Response response) {
    response.header("X-Name", name).upgrade("echo", new RawEcho());
  }

  @Test
  @OnlyHttp1("CONNECT with an upgrade and a host is malformed in HTTP/2")
  void hasNoTunnelsEvenWithAnUpgrade() {
    HttpServer server = servers.start(Routes.builder().any("/*", (q, r) -> r.text("any")).build());

    RawClient client = servers.connect(server).send(upgrade("CONNECT a:1"));

    assertThat(client.read().status()).isEqualTo(501);
  }

  @Test
  void hasNoTunnels() {
    HttpServer server = servers.start(Routes.builder().any("/*", (q, r) -> r.text("any")).build());

    RawClient client = servers.connect(server).send("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");

    assertThat(client.read().status()).isEqualTo(501);
  }

  /** Returns a request that asks for an upgrade, with the host that CONNECT names too. */
  private static byte[] upgrade(String methodAndTarget) {
    return Requests.lines(
        methodAndTarget + " HTTP/1.1", "Host: a:1", "Connection: Upgrade", "Upgrade: echo");
  }
}
