package dev.peregrine.server.http1;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.PING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScarceMemory;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A WebSocket that ends because no memory is left for what it answers by itself. */
final class WebSocketWithoutMemoryTest {
  private static final int BLOCK_BYTES = 64 * 1024 - BufferPool.SLACK_BYTES;
  private static final int HEAD_BYTES = 2; // of a short frame

  private final ScarceMemory memory = new ScarceMemory();
  private final RecordingListener listener =
      new RecordingListener() {
        @Override
        public void onPing(WebSocket socket, Bytes content) {
          memory.exhaust(pool());
          int room = BLOCK_BYTES - HEAD_BYTES; // after the pong
          while (room > 0) {
            int bytes = Math.min(room, 100) - HEAD_BYTES;
            socket.sendBinary(new byte[bytes]);
            room -= HEAD_BYTES + bytes;
          }
          add("full");
        }
      };
  private final ScriptedServer server =
      new ScriptedServer(
          (request, response) -> response.webSocket(listener),
          () -> 0, // so that one turn takes all frames
          memory);

  private BufferPool pool() {
    return server.loop.loop().bufferPool();
  }

  @AfterEach
  void close() {
    server.loop.run(() -> memory.giveBack(pool()));
    server.checkIdleMemory();
    server.close();
  }

  @Test
  void givesAMessageBackThatIsIncomplete() throws Exception {
    ScriptedSocket client = server.connect();
    client.receive(FrameClient.handshake("/"));
    server.serve(client);
    byte[] begin = FrameClient.frame(BINARY, new byte[1000]);
    byte[] ping = FrameClient.frame(FINAL | PING, new byte[0]);

    client.receive(Requests.join(begin, ping, ping)); // there is no room for the second pong
    server.serve(client);

    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("full");
    assertThat(listener.next()).startsWith("close 1006");
  }
}
