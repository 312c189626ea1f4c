package dev.peregrine.server.http2;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScarceMemory;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A WebSocket whose stream must be reset while no memory is left, not even for that frame. */
final class WebSocketStreamWithoutMemoryTest {
  private static final byte[] CONNECT =
      PlainHpack.block(
          ":method=CONNECT|:protocol=websocket|:scheme=http|:authority=a|:path=/"
              + "|sec-websocket-version=13");
  private static final int BLOCK_BYTES = 64 * 1024 - BufferPool.SLACK_BYTES;
  private static final int HEADS_BYTES = 9 + 2; // of a DATA frame and of a short message
  private static final int FRAME_BYTES = BLOCK_BYTES / 528; // without a rest

  private final ScarceMemory memory = new ScarceMemory();
  private final RecordingListener listener =
      new RecordingListener() {
        @Override
        public void onText(WebSocket socket, Bytes text) {
          memory.exhaust(pool());
          for (int room = BLOCK_BYTES; room > 0; room -= FRAME_BYTES) {
            socket.sendBinary(new byte[FRAME_BYTES - HEADS_BYTES]);
          }
          add("full");
        }
      };

  @RegisterExtension
  final ScriptedHttp2 client =
      new ScriptedHttp2(
          ServerLimits.DEFAULT, (request, response) -> response.webSocket(listener), memory);

  private BufferPool pool() {
    return client.loop().loop().bufferPool();
  }

  @Test
  void isClosedForItsListener() throws Exception {
    Http2Connection _ = client.open(null, Http2Frame.settings());
    client.receive(Http2Frame.headers(1, CONNECT, false));
    byte[] fill = FrameClient.frame(FINAL | TEXT, "x");
    byte[] begin = FrameClient.frame(BINARY, new byte[1000]); // for which there is no memory

    client.receive(Http2Frame.data(1, Requests.join(fill, begin), false));

    client.loop().run(() -> memory.giveBack(pool()));
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("full");
    assertThat(listener.isSilent()).isFalse();
    assertThat(listener.next()).startsWith("close 1006");
    assertThat(client.log().take(Level.WARNING)).isNotEmpty();
  }
}
