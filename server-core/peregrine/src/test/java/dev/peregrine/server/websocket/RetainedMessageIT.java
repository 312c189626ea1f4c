package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.http.WebSocketPartListener;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.FrameClient;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that the application keeps after the call that it got them in. */
final class RetainedMessageIT {
  @RegisterExtension final Servers servers = new Servers();

  private final List<RetainedBytes> kept = new CopyOnWriteArrayList<>();

  private byte[] release() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (RetainedBytes piece : kept) {
      all.writeBytes(piece.toArray());
      piece.release();
    }
    return all.toByteArray();
  }

  @Test
  void keepsMessagesThatAreSentBackToo() {
    FrameClient client =
        FrameClient.open(
            servers,
            new WebSocketListener() {
              @Override
              public void onBinary(WebSocket socket, Bytes content) {
                kept.add(content.retain());
                socket.sendBinary(content);
              }
            });
    byte[] message = Requests.content(50_000);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();

    for (int i = 0; i < 10; i++) {
      Arrays.fill(message, 0, 1000, (byte) i);
      if (i % 2 == 0) {
        client.send(FINAL | BINARY, message);
      } else {
        client.send(BINARY, Arrays.copyOf(message, 30_000));
        client.send(FINAL | CONTINUATION, Arrays.copyOfRange(message, 30_000, message.length));
      }
      assertThat(client.read().payload()).isEqualTo(message);
      expected.writeBytes(message);
    }

    assertThat(release()).isEqualTo(expected.toByteArray());
  }

  @Test
  void keepsThePartsOfADecompressedMessage() {
    WebSocketPartListener listener =
        new WebSocketPartListener() {
          @Override
          public void onBinaryPart(WebSocket socket, Bytes part, boolean last) {
            kept.add(part.retain());
            if (last) {
              socket.sendText("kept");
            }
          }
        };
    WebSocketOptions options = WebSocketOptions.DEFAULT.withCompression(true);
    FrameClient client =
        FrameClient.open(
            servers.connect(
                servers.start((request, response) -> response.webSocket(options, listener))),
            "/",
            "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover");
    byte[] message = new byte[1_000_000];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) (i / 1000);
    }
    byte[] compressed = new byte[message.length];
    int length;
    try (Deflater deflater = new Deflater(1, true)) {
      deflater.setInput(message);
      length = deflater.deflate(compressed, 0, compressed.length, Deflater.SYNC_FLUSH) - 4;
    }

    client.send(0x40 | FINAL | BINARY, Arrays.copyOf(compressed, length));
    client.read();

    assertThat(release()).isEqualTo(message);
  }
}
