package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SubmissionPublisher;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler that serves a request after its wait for a permit, by the rules of one without. */
final class ConcurrencyLimitAfterWaitIT {
  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Response> begun = new LinkedBlockingQueue<>();

  /**
   * A request that has waited, and is served now.
   *
   * @param limit what it has waited for
   * @param client its client
   */
  private record Waited(ConcurrencyLimit limit, RawClient client) {}

  private Waited serveAfterAWait(byte[] request, Handler handler) throws Exception {
    Handler both =
        (asked, response) -> {
          if (asked.pathIs("/first")) {
            begun.add(response.async());
          } else {
            handler.handle(asked, response);
          }
        };
    ConcurrencyLimit limit = ConcurrencyLimitIT.limit(both, 1, 1);
    HttpServer server = servers.start(limit);
    RawClient first = servers.connect(server).send(Requests.get("/first"));
    Response inUse = begun.take();
    RawClient waiting = servers.connect(server).send(request);
    ConcurrencyLimitIT.awaitState(limit, 1, 1);

    inUse.text("first");
    assertThat(first.read().text()).isEqualTo("first");
    return new Waited(limit, waiting);
  }

  @Test
  void failsIfItForgetsItsResponse() throws Exception {
    Waited waited = serveAfterAWait(Requests.get("/"), (request, response) -> {});

    assertThat(waited.client.read().status()).isEqualTo(500);
    ConcurrencyLimitIT.awaitState(waited.limit, 0, 0);
    servers.log().expectOne(Level.SEVERE, "handler failed");
  }

  @Test
  void mayRespondWhenItHasReceivedTheContent() throws Exception {
    Waited waited =
        serveAfterAWait(
            Requests.post("/", Requests.content(3)),
            (request, response) ->
                request.body().receiveAll(10, content -> response.text(content.length + " bytes")));

    assertThat(waited.client.read().text()).isEqualTo("3 bytes");
    ConcurrencyLimitIT.awaitState(waited.limit, 0, 0);
  }

  static Map<String, Handler> answers() {
    byte[] text = Requests.bytes("text");
    return Map.of(
        "text",
        (request, response) -> response.text("text"),
        "failure",
        (request, response) -> response.fail(new HttpException(418, "a teapot")),
        "not modified",
        (request, response) -> response.sendNotModified(null, 1),
        "stream",
        (request, response) -> response.stream().write(text).complete(),
        "output stream",
        (request, response) -> {
          try (OutputStream out = response.outputStream()) {
            out.write(text);
          }
        },
        "publisher",
        (request, response) -> {
          try (SubmissionPublisher<ByteBuffer> content = new SubmissionPublisher<>()) {
            response.send(content);
            content.submit(ByteBuffer.wrap(text));
          }
        },
        "compressed",
        Compression.of((request, response) -> response.text("text ".repeat(1000))),
        "blocking",
        Handlers.blocking((request, response) -> response.text("text")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text",
        "failure",
        "not modified",
        "stream",
        "output stream",
        "publisher",
        "compressed",
        "blocking"
      })
  void mayRespondInAnyWay(String way) throws Exception {
    Handler handler = Objects.requireNonNull(answers().get(way));
    byte[] request = Requests.lines("GET / HTTP/1.1", "Host: test", "Accept-Encoding: gzip");
    Waited waited = serveAfterAWait(request, handler);

    assertThat(waited.client.read().status()).isIn(200, 304, 418);
    ConcurrencyLimitIT.awaitState(waited.limit, 0, 0);
  }

  @Test
  void mayRespondLater() throws Exception {
    Waited waited =
        serveAfterAWait(Requests.get("/"), (request, response) -> begun.add(response.async()));

    begun.take().text("later");
    assertThat(waited.client.read().text()).isEqualTo("later");
    ConcurrencyLimitIT.awaitState(waited.limit, 0, 0);
  }
}
