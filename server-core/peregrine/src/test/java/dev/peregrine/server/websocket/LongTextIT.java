package dev.peregrine.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.websocket.TextVectors;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Long text that isn't ASCII, before and after vectors are compiled for it. */
final class LongTextIT {
  private static final String TEXT = "日本語 ä €\uD83D\uDE00 ".repeat(5000);

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void hasVectorsCompiledWhenAClientSendsLongText() throws Exception {
    HttpServer server =
        servers.start((request, response) -> response.webSocket(new RecordingListener()));
    FrameClient client = FrameClient.open(servers.connect(server), "/");

    client.sendText(TEXT);
    assertThat(client.readText()).isEqualTo(TEXT);

    Await.until("vectors are used", () -> TextVectors.isWarm() || !TextVectors.isAvailable());
    client.sendText(TEXT);
    assertThat(client.readText()).isEqualTo(TEXT);
  }
}
