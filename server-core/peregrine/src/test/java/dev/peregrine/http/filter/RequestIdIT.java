package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids of requests, and the traces that they belong to, over sockets. */
final class RequestIdIT {
  private static final String CREATED = "[0-9a-f]{32}";
  private static final TrustedPeers LOOPBACK = TrustedPeers.of("127.0.0.0/8");
  private static final Handler SHOW =
      (request, response) -> response.text(String.valueOf(request.attribute(RequestId.KEY)));

  @RegisterExtension final Servers servers = new Servers();

  /** Returns the id of a request, which its response names too. */
  private String id(Handler filter, String... ids) {
    StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\nHost: test\r\n");
    for (String id : ids) {
      head.append("X-Request-ID: ").append(id).append("\r\n");
    }
    RawClient client = servers.connect(servers.start(filter));
    RawResponse response = client.send(head + "\r\n").read();
    assertThat(response.header("X-Request-ID")).isEqualTo(response.text());
    return response.text();
  }

  @Test
  void createsDifferentIds() {
    HttpServer server = servers.start(RequestId.of(SHOW));
    Set<String> ids = new HashSet<>();
    for (int client = 0; client < 4; client++) {
      RawClient connection = servers.connect(server);
      for (int i = 0; i < 100; i++) {
        ids.add(connection.send(Requests.get("/")).read().text());
      }
    }

    assertThat(ids).hasSize(400).allMatch(id -> id.matches(CREATED));
  }

  @Test
  void ignoresTheIdsOfPeersThatAreNotTrusted() {
    assertThat(id(RequestId.of(SHOW), "chosen")).matches(CREATED);
    assertThat(id(RequestId.trusting(TrustedPeers.of("10.0.0.0/8"), SHOW), "chosen"))
        .matches(CREATED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "0A000001:1F90_7F00/0001+x=-.", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"})
  void takesTheIdsOfTrustedPeers(String given) {
    assertThat(id(RequestId.trusting(LOOPBACK, SHOW), given)).isEqualTo(given);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\"b", "a,b", "a;b", "<b>", "%0d", "\u00e4", "${x}", "a\tb"})
  void replacesIdsOfOtherCharacters(String given) {
    assertThat(id(RequestId.trusting(LOOPBACK, SHOW), given)).matches(CREATED);
  }

  @Test
  void boundsTheLengthOfIds() {
    Handler filter = RequestId.trusting(LOOPBACK, SHOW);

    assertThat(id(filter, "a".repeat(127))).hasSize(127);
    assertThat(id(filter, "a".repeat(128))).isEqualTo("a".repeat(128));
    assertThat(id(filter, "a".repeat(129))).matches(CREATED);
    assertThat(id(filter, "")).matches(CREATED);
  }

  @Test
  void replacesTwoIds() {
    assertThat(id(RequestId.trusting(LOOPBACK, SHOW), "one", "two")).matches(CREATED);
  }

  @Test
  void readsTheTraceOfARequest() {
    HttpServer server =
        servers.start(
            (request, response) -> response.text(String.valueOf(Traceparent.of(request))));
    String field = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n";
    String head = "GET / HTTP/1.1\r\nHost: test\r\n";
    RawClient client = servers.connect(server);

    assertThat(client.send(head + field + "\r\n").read().text())
        .isEqualTo("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    assertThat(client.send(head + field + field + "\r\n").read().text()).isEqualTo("null");
    assertThat(client.send(head + "\r\n").read().text()).isEqualTo("null");
  }
}
