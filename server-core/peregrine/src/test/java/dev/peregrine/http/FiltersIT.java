package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers around handlers, over sockets. */
final class FiltersIT {
  private static final String LONG = "a long text ".repeat(1000);
  private static final String GZIP =
      "GET / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n";

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

  @Test
  void compressionRespectsTheFieldsThatOuterFiltersSet() {
    Handler inner = Compression.of((request, response) -> response.text(LONG));
    HttpServer server =
        servers.start(
            (request, response) ->
                inner.handle(
                    request,
                    response.header("Cache-Control", "private").addHeader("Vary", "Cookie")));
    HttpServer untransformed =
        servers.start(
            (request, response) ->
                inner.handle(
                    request,
                    response
                        .header("Cache-Control", "private")
                        .addHeader("Cache-Control", "no-transform")));

    RawResponse compressed = servers.connect(server).send(GZIP).read();
    RawResponse plain = servers.connect(untransformed).send(GZIP).read();

    assertThat(compressed.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(compressed.headers("Vary")).containsExactly("Cookie", "Accept-Encoding");
    assertThat(plain.header("Content-Encoding")).isNull();
    assertThat(plain.text()).isEqualTo(LONG);
  }

  @Test
  void formsAreReadFromDecodedContent() throws IOException {
    HttpServer server =
        servers.start(
            Decompression.of(
                (request, response) ->
                    request.receiveForm(100, form -> response.text(form.first("name") + "!"))));
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(encoded)) {
      gzip.write(Requests.bytes("name=Ann"));
    }
    String head =
        Requests.text(
            "POST / HTTP/1.1",
            "Host: test",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Encoding: gzip",
            "Content-Length: " + encoded.size());

    RawClient client = servers.connect(server).send(head).send(encoded.toByteArray());

    assertThat(client.read().text()).isEqualTo("Ann!");
  }

  private Handler noted(Handler handler) {
    return (request, response) -> {
      response.onComplete(
          outcome -> ends.add(outcome + " " + response.status() + " " + request.path()));
      handler.handle(request, response);
    };
  }

  @Test
  void seeTheEndOfEachPipelinedRequest() throws Exception {
    HttpServer server = servers.start(noted((request, response) -> response.text(request.path())));
    RawClient client = servers.connect(server);
    byte[][] requests = new byte[50][];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = Requests.get("/" + i);
    }

    client.send(Requests.join(requests));

    for (int i = 0; i < requests.length; i++) {
      assertThat(client.read().text()).isEqualTo("/" + i);
      assertThat(ends.take()).isEqualTo("COMPLETED 200 /" + i);
    }
  }

  @Test
  void seeTheEndWhenTheClientVanishes() throws Exception {
    BlockingQueue<Response> begun = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            noted(
                (request, response) -> {
                  response.async().stream().flush();
                  begun.add(response);
                }));
    RawClient client = servers.connect(server).send(Requests.get("/gone"));
    begun.take();

    client.reset();

    assertThat(ends.take()).isEqualTo("ABORTED 200 /gone");
  }

  @Test
  void seeTheEndWhenTheServerCloses() throws Exception {
    BlockingQueue<Response> begun = new LinkedBlockingQueue<>();
    HttpServer server = servers.start(noted((request, response) -> begun.add(response.async())));
    servers.connect(server).send(Requests.get("/open"));
    begun.take();

    server.close();

    assertThat(ends.take()).isEqualTo("ABORTED 200 /open");
  }

  @Test
  void seeTheEndOfAnUpgrade() throws Exception {
    HttpServer server =
        servers.start(noted((request, response) -> response.upgrade("echo", new RawEcho())));
    RawClient client = servers.connect(server);

    client.send(
        Requests.lines("GET /up HTTP/1.1", "Host: test", "Connection: Upgrade", "Upgrade: echo"));

    assertThat(client.read().status()).isEqualTo(101);
    int status = Servers.HTTP_2 ? 200 : 101;
    assertThat(ends.take()).isEqualTo("COMPLETED " + status + " /up");
  }
}
