package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Seeds;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Received messages that are sent back: large ones leave by reference, from the memory that they
 * were received in, with the head of their frame before them.
 */
final class WebSocketEchoIT {
  private static final int RECEIVE_BUFFER_BYTES = 64 * 1024;
  private static final int MESSAGES = 40;
  private static final int UNREAD_MESSAGES = SystemBuffers.MORE_BYTES / 65_000;
  private static final int ROUNDS = 8;

  // around the lengths at which the head, the memory and the way out differ
  private static final int[] LENGTHS = {
    0, 1, 125, 126, 16_384, 16_385, 61_439, 61_440, 65_457, 65_458, 65_464, 65_465, 65_472, 65_535,
    65_536, 131_000, 262_130, 300_000
  };

  @RegisterExtension final Servers servers = new Servers();

  /** Sends each message back the given number of times. */
  private record Echo(int times) implements WebSocketListener {
    @Override
    public void onBinary(WebSocket socket, Bytes content) {
      byte[] copy = content.toArray();
      for (int i = 0; i < times; i++) {
        socket.sendBinary(content);
      }
      assertThat(content.toArray()).as("after sending").isEqualTo(copy);
    }
  }

  private HttpServer start(int times) {
    return servers.start(
        (request, response) -> response.webSocket(new Echo(times)), options -> options.loops(1));
  }

  private static byte[] content(SplittableRandom random, int length) {
    byte[] content = new byte[length];
    random.nextBytes(content);
    return content;
  }

  private static void expect(FrameClient client, byte[] content) {
    Frame frame = client.read();
    assertThat(frame.firstByte()).isEqualTo(FINAL | BINARY);
    assertThat(frame.payload()).isEqualTo(content);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void sendsEachLengthBackAgainAndAgain(int times) {
    SplittableRandom random = new SplittableRandom(times);
    FrameClient client = FrameClient.open(servers.connect(start(times)), "/");
    for (int length : LENGTHS) {
      for (int round = 0; round < ROUNDS / 2; round++) { // the second one is expected to be as long
        byte[] content = content(random, length);
        client.send(FINAL | BINARY, content);
        for (int i = 0; i < times; i++) {
          expect(client, content);
        }
      }
    }
  }

  /** Frames of all lengths in one stream of bytes, cut anywhere. */
  @Test
  void sendsMessagesBackHoweverTheyAreCut() {
    HttpServer server = start(1);
    Seeds.each(
        ROUNDS,
        random -> {
          FrameClient client = FrameClient.open(servers.connect(server), "/");
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          List<byte[]> contents = new ArrayList<>();
          for (int i = 0; i < MESSAGES; i++) {
            byte[] content = new byte[length(random::nextInt)];
            random.nextBytes(content);
            contents.add(content);
            int cut = random.nextBoolean() ? 0 : random.nextInt(content.length + 1);
            if (cut > 0) {
              bytes.writeBytes(FrameClient.frame(BINARY, Arrays.copyOf(content, cut)));
            }
            bytes.writeBytes(
                FrameClient.frame(
                    FINAL | (cut > 0 ? CONTINUATION : BINARY),
                    Arrays.copyOfRange(content, cut, content.length)));
          }
          byte[] all = bytes.toByteArray();
          Thread sender =
              Thread.startVirtualThread(
                  () -> {
                    for (int at = 0; at < all.length; ) {
                      int end = Math.min(all.length, at + 1 + length(random::nextInt));
                      client.send(Arrays.copyOfRange(all, at, end));
                      at = end;
                    }
                  });
          contents.forEach(content -> expect(client, content));
          assertThat(sender.join(Duration.ofMinutes(2))).isTrue();
          client.sendClose(1000, "");
          client.expectClose(1000);
        });
  }

  /** A message that is sent as text and then as content; the first one leaves by reference. */
  @ParameterizedTest
  @ValueSource(ints = {100, 17_000, 65_000, 70_000, 300_000})
  void sendsOneMessageAsTextAndAsContent(int length) {
    FrameClient client =
        FrameClient.open(
            servers,
            new WebSocketListener() {
              @Override
              public void onText(WebSocket socket, Bytes text) {
                socket.sendText(text);
                socket.sendBinary(text);
                socket.sendText(text);
              }
            });
    String text = "t".repeat(length);
    for (int i = 0; i < 3; i++) {
      client.sendText(text);

      assertThat(client.readText()).isEqualTo(text);
      expect(client, text.getBytes(StandardCharsets.US_ASCII));
      assertThat(client.readText()).isEqualTo(text);
    }
  }

  /** The end of the connection gives memory back, but not that of the message of this call. */
  @ParameterizedTest
  @ValueSource(ints = {17_000, 65_000, 70_000, 300_000, 1_000_000})
  void readsAMessageAfterItsConnectionHasEnded(int length) throws Exception {
    expectReadableAfter(
        (socket, content) -> {
          socket.sendBinary(content);
          socket.abort();
        },
        length);
  }

  @Test
  void readsAMessageThatWasSentTooOften() throws Exception {
    expectReadableAfter(
        (socket, content) -> {
          while (socket.isOpen()) {
            socket.sendBinary(content); // until more is unsent than may be
          }
        },
        1_000_000);
  }

  /** Expects that a listener can still read a message of that length after the action. */
  private void expectReadableAfter(BiConsumer<WebSocket, Bytes> action, int length)
      throws Exception {
    CompletableFuture<byte[]> seen = new CompletableFuture<>();
    FrameClient client =
        FrameClient.open(
            servers,
            new WebSocketListener() {
              @Override
              public void onBinary(WebSocket socket, Bytes content) {
                action.accept(socket, content);
                seen.complete(content.toArray());
              }
            });
    byte[] content = content(new SplittableRandom(length), length);
    client.send(FINAL | BINARY, content);

    assertThat(seen.get(120, TimeUnit.SECONDS)).isEqualTo(content);
  }

  private interface Choice {
    int below(int bound);
  }

  private static int length(Choice choice) {
    int length = LENGTHS[choice.below(LENGTHS.length)];
    return Math.max(0, length + choice.below(9) - 4);
  }

  /**
   * Messages are sent back by reference from the block that the event loop reads into. If a client
   * doesn't read them, they are moved out of that block, because all connections of the loop share
   * it.
   */
  @Test
  void keepsWhatAClientDoesNotReadApart() {
    HttpServer server = start(1);
    SplittableRandom random = new SplittableRandom(5);
    FrameClient slow = FrameClient.open(servers.connect(server, RECEIVE_BUFFER_BYTES), "/");
    FrameClient quick = FrameClient.open(servers.connect(server), "/");
    quick.send(FINAL | BINARY, new byte[1]);
    expect(quick, new byte[1]);
    long idle = server.bufferBytesInUse(); // with the block that is kept for the next write
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < UNREAD_MESSAGES; i++) {
      contents.add(content(random, 65_000 + random.nextInt(1_000)));
    }
    Thread sender =
        Thread.startVirtualThread(
            () -> contents.forEach(content -> slow.send(FINAL | BINARY, content)));
    Await.until("the server holds messages", () -> server.bufferBytesInUse() > idle + 60_000);
    for (byte[] content : contents) {
      quick.send(FINAL | BINARY, content);
      expect(quick, content);
    }
    contents.forEach(content -> expect(slow, content));
    Await.until("all is sent", () -> !sender.isAlive());
    Await.until(
        () -> server.bufferBytesInUse() + " bytes are held, but " + idle + " when idle",
        () -> server.bufferBytesInUse() <= idle);
  }

  @Test
  void givesAllMemoryBackWhenTheClientVanishes() {
    HttpServer server = start(2);
    long idle = server.bufferBytesInUse();
    SplittableRandom random = new SplittableRandom(6);
    for (int length : LENGTHS) {
      FrameClient client = FrameClient.open(servers.connect(server, RECEIVE_BUFFER_BYTES), "/");
      byte[] frame = FrameClient.frame(FINAL | BINARY, content(random, length));
      byte[] twice = Arrays.copyOf(frame, 2 * frame.length - 1); // the second one isn't whole
      System.arraycopy(frame, 0, twice, frame.length, frame.length - 1);
      var sending = client.client().sendMeanwhile(twice);
      Await.until(
          "the server has the bytes, or takes no more",
          () -> sending.isDone() || server.bufferBytesInUse() > idle + frame.length / 2);
      client.client().close();
      sending.exceptionally(closed -> null).join();
    }
    Await.until("nothing is held", () -> server.bufferBytesInUse() <= idle);
  }
}
