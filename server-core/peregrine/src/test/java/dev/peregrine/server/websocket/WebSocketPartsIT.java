package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.WebSocketPartListener;
import dev.peregrine.http.WebSocketStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that come and go in parts, of any length. */
final class WebSocketPartsIT {
  private static final int PART_BYTES = 64 * 1024;
  private static final int PARTS = 1_600; // 100 MiB
  private static final long HELD_BYTES_MAX = 1024 * 1024;

  @RegisterExtension final Servers servers = new Servers();

  // ---- receiving ----

  /** Joins the parts of a message, or counts its bytes, and sends the result back. */
  private static final class Joining implements WebSocketPartListener {
    private final AtomicLong heldBytesMax = new AtomicLong();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private volatile @Nullable HttpServer server;
    private long length;
    private int hash;

    @Override
    public void onTextPart(WebSocket socket, Bytes part, boolean last) {
      text.writeBytes(part.toArray());
      if (last) {
        socket.sendText(text.toByteArray());
        text.reset();
      }
    }

    @Override
    public void onBinaryPart(WebSocket socket, Bytes part, boolean last) {
      length += part.length();
      hash = hash(hash, part.toArray());
      HttpServer of = server;
      if (of != null) {
        heldBytesMax.accumulateAndGet(of.bufferBytesInUse(), Math::max);
      }
      if (last) {
        socket.sendText(length + " " + hash);
      }
    }
  }

  private static int hash(int before, byte[] bytes) {
    int hash = before;
    for (byte each : bytes) {
      hash = 31 * hash + each;
    }
    return hash;
  }

  private static byte[] part(int index) {
    byte[] part = new byte[PART_BYTES];
    Arrays.fill(part, (byte) index);
    return part;
  }

  /** A message of 100 MiB is never held as a whole. */
  @Test
  void receivesALongMessageInLittleMemory() {
    Joining joining = new Joining();
    HttpServer server =
        servers.start(
            (request, response) -> response.webSocket(joining), options -> options.loops(1));
    long idle = server.bufferBytesInUse();
    joining.server = server;
    FrameClient client = FrameClient.open(servers.connect(server), "/");

    int hash = 0;
    for (int i = 0; i < PARTS; i++) {
      int last = i == PARTS - 1 ? FINAL : 0;
      client.send(last | (i == 0 ? BINARY : CONTINUATION), part(i));
      hash = hash(hash, part(i));
    }

    assertThat(client.readText()).isEqualTo((long) PARTS * PART_BYTES + " " + hash);
    assertThat(joining.heldBytesMax.get() - idle).isLessThan(HELD_BYTES_MAX);
  }

  @Test
  void joinsTextWhosePartsDivideCharacters() {
    FrameClient client = FrameClient.open(servers, new Joining());
    String text = "\u00E9\u20AC\uD83D\uDE00";
    byte[] bytes = text.getBytes(UTF_8);

    for (int cut = 0; cut <= bytes.length; cut++) {
      client
          .send(TEXT, Arrays.copyOf(bytes, cut))
          .send(CONTINUATION, "")
          .send(FINAL | CONTINUATION, Arrays.copyOfRange(bytes, cut, bytes.length));

      assertThat(client.readText()).isEqualTo(text);
    }
  }

  @Test
  void passesAFrameOnBeforeItsEnd() throws Exception {
    CountDownLatch arrived = new CountDownLatch(5);
    FrameClient client =
        FrameClient.open(
            servers,
            new WebSocketPartListener() {
              @Override
              public void onTextPart(WebSocket socket, Bytes part, boolean last) {
                part.toString(UTF_8).chars().forEach(each -> arrived.countDown());
              }
            });
    byte[] frame = FrameClient.frame(FINAL | TEXT, "first, and the rest never arrives");

    client.send(Arrays.copyOf(frame, frame.length - 20));

    arrived.await();
  }

  @Test
  void closesWith1003IfAKindOfPartIsNotServed() {
    FrameClient client = FrameClient.open(servers, new WebSocketPartListener() {});

    client.send(BINARY, "a");

    client.answerClose(1003);
  }

  // ---- sending ----

  /** Reads the frames of a message up to its end. */
  private static String readParts(FrameClient client, int opcode) {
    StringBuilder text = new StringBuilder();
    Frame frame = client.read();
    assertThat(frame.opcode()).isEqualTo(opcode);
    text.append(frame.text());
    while (!frame.isFinal()) {
      frame = client.read();
      assertThat(frame.opcode()).isEqualTo(CONTINUATION);
      text.append(frame.text());
    }
    return text.toString();
  }

  private static void sendParts(WebSocket socket, String name) {
    WebSocketStream stream = socket.streamText();
    for (int i = 0; i < 10; i++) {
      stream.write((name + i).getBytes(UTF_8));
      socket.sendText("between " + name + i);
    }
    stream.end();
    stream.end();
  }

  private static void expectParts(FrameClient client, String name) {
    StringBuilder text = new StringBuilder();
    List<String> between = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      text.append(name).append(i);
      between.add("between " + name + i);
    }
    assertThat(readParts(client, TEXT)).isEqualTo(text.toString());
    for (String each : between) {
      assertThat(client.readText()).isEqualTo(each);
    }
  }

  @Test
  void sendsMessagesInPartsFromItsLoopAndFromAnotherThread() throws Exception {
    RecordingListener listener = new RecordingListener();
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    sendParts(socket, "thread");
    socket.onLoop(() -> sendParts(socket, "loop"));

    expectParts(client, "thread");
    expectParts(client, "loop");
  }

  /** Messages of all threads come whole, though another thread sends parts meanwhile. */
  @Test
  void dividesNoMessageByThePartsOfAnother() throws Exception {
    RecordingListener listener = new RecordingListener();
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();
    WebSocketMessage shared = WebSocketMessage.text("shared");

    var parts =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 100; i++) {
                WebSocketStream stream = socket.streamText();
                stream.write("a".getBytes(UTF_8));
                stream.write("b".getBytes(UTF_8));
                stream.end();
              }
            },
            work -> Thread.ofPlatform().start(work));
    for (int i = 0; i < 500; i++) {
      socket.send(shared);
    }
    parts.join();

    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      texts.add(readParts(client, TEXT));
    }
    assertThat(texts).containsOnly("ab", "shared").filteredOn("ab"::equals).hasSize(100);
  }

  @Test
  void sendsAnEmptyMessageInParts() throws Exception {
    RecordingListener listener = new RecordingListener();
    FrameClient client = listener.open(servers);

    listener.socket().streamText().end();
    listener.socket().streamBinary().end();

    assertThat(client.readText()).isEmpty();
    assertThat(client.read().firstByte()).isEqualTo(FINAL | BINARY);
  }

  @Test
  void beginsNoSecondMessageInParts() throws Exception {
    RecordingListener listener = new RecordingListener();
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();
    WebSocketStream first = socket.streamText();

    assertThatThrownBy(socket::streamText).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(socket::streamBinary).isInstanceOf(IllegalStateException.class);

    first.end();
    assertThatThrownBy(() -> first.write(new byte[1])).isInstanceOf(IllegalStateException.class);
    socket.streamBinary().end();
    assertThat(client.readText()).isEmpty();
    assertThat(client.read().firstByte()).isEqualTo(FINAL | BINARY);
  }

  @Test
  void closesWithinAMessageInParts() throws Exception {
    RecordingListener listener = new RecordingListener();
    FrameClient client = listener.open(servers);
    WebSocketStream stream = listener.socket().streamText();
    stream.write("begun".getBytes(UTF_8));

    listener.socket().close(1001, "");

    assertThat(stream.write("late".getBytes(UTF_8))).isFalse();
    stream.end();
    assertThat(client.read().text()).isEqualTo("begun");
    client.answerClose(1001);
  }
}
