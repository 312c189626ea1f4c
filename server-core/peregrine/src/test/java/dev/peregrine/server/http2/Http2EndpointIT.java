package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints that serve only some versions of HTTP. */
final class Http2EndpointIT {
  private static final Endpoint BOTH = Endpoint.tcp("127.0.0.1", 0);

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void tellsClientsOfHttp2ThatHttp1IsRequired() {
    HttpServer server = serve(BOTH.withHttp2(false));
    Http2Client client = servers.connectHttp2Silently(server).send(Http2Client.PREFACE);

    client.expectGoaway(Http2Code.HTTP_1_1_REQUIRED);

    assertThat(http1(server)).startsWith("HTTP/1.1 200 OK").endsWith("hello");
  }

  @Test
  void servesHttp2Alone() {
    HttpServer server = serve(BOTH.withHttp2Only());

    assertThat(http1(server)).startsWith("HTTP/1.1 400 ").contains("only HTTP/2");
    servers.connectHttp2(server).expectServed();
  }

  @ParameterizedTest
  @ValueSource(strings = {"INVALID CONNECTION PREFACE\r\n\r\n", "PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n"})
  void answersRubbishByHttp2WhereThatIsServedAlone(String rubbish) {
    HttpServer server = serve(BOTH.withHttp2Only());
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Requests.bytes(rubbish));

    client.expectGoaway(Http2Code.PROTOCOL_ERROR);
  }

  private HttpServer serve(Endpoint endpoint) {
    return servers.watch(
        Peregrine.builder()
            .transport(Servers.TRANSPORT)
            .endpoint(endpoint)
            .handler(Site::handle)
            .start());
  }

  private String http1(HttpServer server) {
    return servers
        .connectHttp2Silently(server)
        .send(Requests.bytes("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"))
        .readTextToEnd();
  }
}
