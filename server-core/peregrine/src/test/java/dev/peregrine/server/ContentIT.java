package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Echo;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Seeds;
import dev.peregrine.testing.Servers;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Request content by both framings, in and out again, at every size that is a limit of some part.
 */
final class ContentIT {
  private static final int[] SIZES = {
    0, 1, 2, 15, 16, 1023, 1024, 4031, 4032, 4096, 16383, 16384, 16385, 65471, 65472, 65473, 65535,
    65536, 65537, 200_000, 1_000_003
  };

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @EnumSource
  void echoesContentOfADeclaredLength(Echo echo) {
    RawClient client = servers.connect(servers.start(echo.handler()));
    for (int size : SIZES) {
      expectEcho(client, Requests.content(size), Requests.post("/", Requests.content(size)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void echoesContentInChunks(Echo echo) {
    RawClient client = servers.connect(servers.start(echo.handler()));
    for (int size : SIZES) {
      byte[] content = Requests.content(size);
      for (int chunkBytes : new int[] {1, 1000, 16385, 1 << 20}) {
        if (size / chunkBytes <= 20_000) {
          expectEcho(client, content, Requests.chunkedPost("/", content, chunkBytes));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void echoesContentThatArrivesInRandomPieces(Echo echo) {
    RawClient client = servers.connect(servers.start(echo.handler()));
    Seeds.each(
        30,
        random -> {
          byte[] content = Requests.content(random.nextInt(100_000));
          byte[] request =
              random.nextBoolean()
                  ? Requests.post("/", content)
                  : Requests.chunkedPost("/", content, 1 + random.nextInt(20_000));
          CompletableFuture<Void> sent =
              CompletableFuture.runAsync(
                  () -> {
                    for (int from = 0; from < request.length; ) {
                      int part = Math.min(request.length - from, 1 + random.nextInt(5_000));
                      client.send(request, from, part);
                      from += part;
                    }
                  });
          RawResponse response = client.read("POST");
          sent.join();
          assertThat(response.status()).isEqualTo(200);
          assertThat(response.content()).isEqualTo(content);
        });
  }

  @Test
  void ignoresExtensionsOfChunks() {
    RawClient client = servers.connect(servers.start(Echo.WHOLE.handler()));

    client.send(Requests.chunkedHead("/") + "3;a;b=c;d=\"e;\\\"f\"\r\nabc\r\n0;x\r\n\r\n");

    assertThat(client.read().text()).isEqualTo("abc");
  }

  @Test
  void showsTrailersAfterTheContent() {
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receiveAll(
                        100,
                        content ->
                            response.text(
                                request.body().trailer("x-sum")
                                    + " "
                                    + request.body().trailer("X-Other")
                                    + " "
                                    + request.body().trailer("Host"))));
    RawClient client = servers.connect(server);

    client.send(
        Requests.chunkedPost(
            "/", Requests.content(50), 20, Map.of("X-Sum", "17", "Host", "elsewhere")));

    assertThat(client.read().text()).isEqualTo("17 null null");
  }

  @Test
  void reportsTheDeclaredLength() {
    HttpServer server =
        servers.start((request, response) -> response.text("" + request.body().length()));
    RawClient client = servers.connect(server);

    client.get("/").send(Requests.postHead("/", 3) + "abc");
    client.send(Requests.chunkedPost("/", Requests.content(3), 3));

    assertThat(client.read().text()).isEqualTo("0");
    assertThat(client.read().text()).isEqualTo("3");
    assertThat(client.read().text()).isEqualTo("-1");
  }

  private static void expectEcho(RawClient client, byte[] content, byte[] request) {
    CompletableFuture<Void> sent = client.sendMeanwhile(request);
    RawResponse response = client.read("POST");
    sent.join();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.content()).isEqualTo(content);
  }
}
