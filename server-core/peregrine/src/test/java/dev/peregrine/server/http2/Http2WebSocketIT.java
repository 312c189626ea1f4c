package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.PlainHpack;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WebSockets on streams (RFC 8441) that end at moments which HTTP/1.1 doesn't have. */
final class Http2WebSocketIT {
  private static final int RESETS = 20;
  private static final long COMPRESSION_BYTES = 4L * (280 + 44) * 1024; // contexts of three sockets

  @RegisterExtension final Servers servers = new Servers();

  private static List<Field> handshake() {
    return List.of(
        new Field(":method", "CONNECT"),
        new Field(":protocol", "websocket"),
        new Field(":scheme", "http"),
        new Field(":authority", "test"),
        new Field(":path", "/"),
        new Field("sec-websocket-version", "13"),
        new Field("sec-websocket-extensions", "permessage-deflate"));
  }

  /** Returns what the server agrees to for a socket that stays open until the end of the test. */
  private static String agreed(Http2Client client) {
    int stream = client.nextStream("GET");
    client.block(stream, PlainHpack.block(handshake()), false);
    return String.valueOf(client.awaitHead(stream).header("sec-websocket-extensions"));
  }

  @Test
  void givesTheContextsOfSocketsBackThatAreResetBeforeTheyOpen() {
    WebSocketOptions compressed = WebSocketOptions.DEFAULT.withCompression(true);
    WebSocketLimits limits =
        WebSocketLimits.DEFAULT.withCompressionBytesMax(COMPRESSION_BYTES + 1024);
    HttpServer server =
        servers.start(
            (request, response) -> response.webSocket(compressed, new WebSocketListener() {}),
            Servers.LIMITS.toBuilder().webSocket(limits).build());
    Http2Client client = servers.connectHttp2(server);
    for (int i = 0; i < RESETS; i++) {
      int stream = client.nextStream("GET");
      client.send(
          Http2Frame.headers(stream, PlainHpack.block(handshake()), false),
          Http2Frame.rst(stream, Http2Code.CANCEL));
    }
    client.roundTrip();

    assertThat(agreed(client)).isEqualTo("permessage-deflate");
  }
}
