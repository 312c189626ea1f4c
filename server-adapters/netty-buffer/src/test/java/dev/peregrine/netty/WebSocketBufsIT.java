package dev.peregrine.netty;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of WebSockets out of Netty's buffers, and received ones in them. */
final class WebSocketBufsIT {
  @RegisterExtension final Servers servers = new Servers();
  @RegisterExtension final Buffers buffers = new Buffers();

  private final RecordingListener listener = new RecordingListener();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16 * 1024 + 1, 1_000_000})
  void sendsMessagesFromEveryThread(int length) throws Exception {
    byte[] content = Requests.content(length);
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    ByteBufs.sendBinary(socket, buffers.direct(content));
    ByteBufs.sendBinary(socket, buffers.composite(content));
    socket.onLoop(() -> ByteBufs.sendBinary(socket, buffers.direct(content)));
    socket.onLoop(() -> ByteBufs.sendBinary(socket, buffers.composite(content)));

    for (int i = 0; i < 4; i++) {
      expect(client.read(), FINAL | BINARY, content);
    }
  }

  private static void expect(Frame frame, int firstByte, byte[] content) {
    assertThat(frame.firstByte()).isEqualTo(firstByte);
    assertThat(frame.payload()).isEqualTo(content);
  }

  @Test
  void sendsText() throws Exception {
    byte[] text = "\u00E9".repeat(20_001).getBytes(StandardCharsets.UTF_8); // an odd half
    FrameClient client = listener.open(servers);

    ByteBufs.sendText(listener.socket(), buffers.direct(text));
    ByteBufs.sendText(listener.socket(), buffers.composite(text));

    expect(client.read(), FINAL | TEXT, text);
    expect(client.read(), FINAL | TEXT, text);
  }

  @Test
  void releasesABufferThatIsNoText() throws Exception {
    FrameClient client = listener.open(servers);
    ByteBuf broken = buffers.direct(new byte[] {(byte) 0xFF});

    assertThatThrownBy(() -> ByteBufs.sendText(listener.socket(), broken))
        .isInstanceOf(IllegalArgumentException.class);

    Await.until("it is released", () -> broken.refCnt() == 0);
    expect(client.sendText("still open").read(), FINAL | TEXT, Requests.bytes("still open"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void releasesABufferThatTheHeapHasNoRoomFor(boolean composite) throws Exception {
    FrameClient client = listener.open(servers);
    ByteBuf binary = buffers.huge(composite);
    ByteBuf text = buffers.huge(composite);

    assertThatThrownBy(() -> ByteBufs.sendBinary(listener.socket(), binary))
        .isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> ByteBufs.sendText(listener.socket(), text))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(binary.refCnt()).isZero();
    assertThat(text.refCnt()).isZero();
    expect(client.sendText("still open").read(), FINAL | TEXT, Requests.bytes("still open"));
  }

  @Test
  void releasesTheMessagesOfASocketThatIsLost() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();
    List<ByteBuf> messages = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      byte[] content = Requests.content(1_000_000);
      messages.add(i % 2 == 0 ? buffers.direct(content) : buffers.composite(content));
      ByteBufs.sendBinary(socket, messages.getLast());
    }

    client.client().reset();
    Await.until("they are released", () -> messages.stream().allMatch(sent -> sent.refCnt() == 0));

    ByteBuf late = buffers.direct(new byte[] {1});
    ByteBufs.sendBinary(socket, late);
    Await.until("it is released", () -> late.refCnt() == 0);
  }

  @Test
  void sendsReceivedMessagesBack() {
    FrameClient client =
        FrameClient.open(
            servers,
            new WebSocketListener() {
              @Override
              public void onBinary(WebSocket socket, Bytes content) {
                ByteBufs.sendBinary(socket, ByteBufs.retain(content));
              }

              @Override
              public void onText(WebSocket socket, Bytes text) {
                ByteBufs.sendText(socket, ByteBufs.retain(text));
              }
            });
    byte[] content = Requests.content(50_000);

    client.send(FINAL | BINARY, content).sendText("text");

    expect(client.read(), FINAL | BINARY, content);
    expect(client.read(), FINAL | TEXT, Requests.bytes("text"));
  }
}
