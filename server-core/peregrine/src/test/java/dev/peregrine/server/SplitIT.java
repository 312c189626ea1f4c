package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that come in two writes, cut at every byte, and byte by byte. The system may join the
 * writes: {@code Http1SplitTest} guarantees the cuts, this test uses real sockets.
 */
final class SplitIT {
  @RegisterExtension final Servers servers = new Servers();

  static Stream<Arguments> requests() {
    byte[] content = Requests.content(40);
    Handler target = (request, response) -> response.text(request.target());
    return Stream.of(
        Arguments.of(
            "no content",
            target,
            Requests.bytes(
                "\r\nGET /path?query=1 HTTP/1.1\r\nHost: test\r\nAccept: */*\r\nX: y\r\n\r\n"),
            Requests.bytes("/path?query=1")),
        Arguments.of("declared length", Echo.WHOLE.handler(), Requests.post("/", content), content),
        Arguments.of(
            "chunks",
            Echo.PIECES.handler(),
            Requests.chunkedPost("/", content, 17, Map.of("X-Trailer", "value")),
            content),
        Arguments.of(
            "chunks to a blocking handler",
            Echo.BLOCKING.handler(),
            Requests.join(
                Requests.bytes(Requests.chunkedHead("/")),
                Requests.bytes("5;ext=\"q\"\r\nabcde\r\n00001\r\nf\r\n0\r\n\r\n")),
            Requests.bytes("abcdef")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void answersARequestCutAnywhere(String name, Handler handler, byte[] request, byte[] expected) {
    RawClient client = servers.connect(servers.start(handler));
    for (int cut = 1; cut < request.length; cut++) {
      client.send(request, 0, cut).send(request, cut, request.length - cut);
      expect(client.read(), expected, "cut at " + cut);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void answersARequestThatArrivesByteByByte(
      String name, Handler handler, byte[] request, byte[] expected) {
    RawClient client = servers.connect(servers.start(handler));
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < request.length; i++) {
        client.send(request, i, 1);
      }
      expect(client.read(), expected, "byte by byte");
    }
  }

  private static void expect(RawResponse response, byte[] expected, String how) {
    assertThat(response.status()).as(how).isEqualTo(200);
    assertThat(response.content()).as(how).isEqualTo(expected);
  }
}
