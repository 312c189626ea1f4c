package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.Site;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection becomes one of HTTP/2: by the preface on an endpoint without TLS. */
final class Http2PrefaceIT {
  @RegisterExtension final Servers servers = new Servers();

  private HttpServer server;
  private Http2Client neighbour;

  @BeforeEach
  void start() {
    server = servers.start(Site::handle);
    neighbour = servers.connectHttp2(server);
  }

  @AfterEach
  void servesTheNeighbour() {
    neighbour.expectServed();
  }

  @Test
  void servesARequestThatArrivesWithThePreface() {
    Http2Client client = servers.connectHttp2Silently(server);
    int stream = client.nextStream("GET");
    byte[] block = PlainHpack.block(client.fields("GET", "/"));

    client.send(
        Requests.join(
            Http2Client.PREFACE,
            Http2Frame.bytes(Http2Frame.settings(), Http2Frame.headers(stream, block, true))));

    assertThat(client.await(stream).text()).isEqualTo("hello");
  }

  @Test
  void sendsItsSettingsWithoutWaitingForTheClients() {
    Http2Client client = servers.connectHttp2Silently(server).send(Http2Client.PREFACE);

    Http2Frame first = Objects.requireNonNull(client.next());

    assertThat(first.type()).isEqualTo(Http2Frame.SETTINGS);
    assertThat(client.setting(Http2Frame.MAX_CONCURRENT_STREAMS, 0)).isPositive();
    assertThat(client.setting(Http2Frame.MAX_HEADER_LIST_SIZE, 0)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 18, 20, 23})
  void rejectsAPrefaceThatIsWrong(int at) {
    byte[] wrong = Http2Client.PREFACE.clone();
    wrong[at] = 'x';
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Requests.join(wrong, Http2Frame.settings().bytes()));

    String text = client.readTextToEnd();
    assertThat(text).doesNotContain("hello");
  }

  @Test
  void rejectsAFirstFrameThatIsNotSettings() {
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Requests.join(Http2Client.PREFACE, Http2Frame.ping(1).bytes()));

    client.expectGoaway(Http2Code.PROTOCOL_ERROR);
  }

  @Test
  void rejectsAFirstFrameThatAcknowledgesSettings() {
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Requests.join(Http2Client.PREFACE, Http2Frame.settingsAck().bytes()));

    client.expectGoaway(Http2Code.PROTOCOL_ERROR);
  }

  @Test
  void endsAConnectionThatClosesWithinThePreface() {
    for (int length = 1; length < Http2Client.PREFACE.length; length++) {
      Http2Client client = servers.connectHttp2Silently(server);
      client.send(Arrays.copyOf(Http2Client.PREFACE, length)).halfClose();
      assertThat(client.readTextToEnd()).doesNotContain("hello");
    }
  }

  /** The method PRI and the version of the preface are no request of HTTP/1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRI * HTTP/1.1\r\nHost: test\r\n\r\n",
        "PRI / HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: test\r\n\r\n",
        "\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
      })
  void answersWhatLooksLikeThePrefaceByHttp1(String text) {
    Http2Client client = servers.connectHttp2Silently(server).send(Requests.bytes(text));
    client.halfClose();

    assertThat(client.readTextToEnd()).startsWith("HTTP/1.1 ");
  }

  /** A preface is recognised only at the beginning of a connection. */
  @Test
  void rejectsThePrefaceAfterARequestOfHttp1() {
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Requests.join(Requests.get("/"), Http2Client.PREFACE));
    client.halfClose();

    String text = client.readTextToEnd();
    assertThat(text).startsWith("HTTP/1.1 200 ");
    assertThat(text.substring(text.indexOf("hello"))).doesNotContain("200");
  }

  @Test
  void servesHttp1OnTheSameEndpoint() {
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Requests.bytes("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"));

    assertThat(client.readTextToEnd()).startsWith("HTTP/1.1 200 OK").endsWith("hello");
  }
}
