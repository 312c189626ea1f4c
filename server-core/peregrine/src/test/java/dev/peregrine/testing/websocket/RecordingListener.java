package dev.peregrine.testing.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records the calls of a listener, and sends messages back. */
public class RecordingListener implements WebSocketListener {
  private static final int SECONDS = 120;

  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private volatile @Nullable WebSocket opened;

  /** Returns a listener that acts at each text instead of recording it. */
  public static RecordingListener onText(Consumer<WebSocket> action) {
    return new RecordingListener() {
      @Override
      public void onText(WebSocket socket, Bytes text) {
        action.accept(socket);
      }
    };
  }

  /** Starts a server whose sockets have this listener, opens one, and takes the call for that. */
  public FrameClient open(Servers servers) throws InterruptedException {
    return open(servers, Servers.LIMITS);
  }

  /** Like {@link #open(Servers)}, with limits. */
  public FrameClient open(Servers servers, ServerLimits limits) throws InterruptedException {
    FrameClient client = FrameClient.open(servers, this, limits);
    assertThat(next()).isEqualTo("open");
    return client;
  }

  /** Expects the end of the socket, which is the last call. */
  public void expectClosed(FrameClient client, String call) throws InterruptedException {
    client.expectEnd();
    assertThat(next()).startsWith(call);
    client.client().close();
    expectSilence();
    assertThat(socket().isOpen()).isFalse();
  }

  /** Returns the next call, waiting for it. */
  public String next() throws InterruptedException {
    return String.valueOf(calls.poll(SECONDS, TimeUnit.SECONDS));
  }

  /** Returns true if no further call is recorded now. */
  public boolean isSilent() {
    return calls.isEmpty();
  }

  /** Expects no further call, also of what waits for the event loop, which must be running. */
  public void expectSilence() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    socket().eventLoop().execute(done::countDown);
    assertThat(done.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(isSilent()).isTrue();
  }

  /** Returns the socket, once it is open. */
  public WebSocket socket() {
    WebSocket socket = opened;
    if (socket == null) {
      throw new AssertionError("no socket was opened");
    }
    return socket;
  }

  protected final void add(String call) {
    calls.add(call);
  }

  @Override
  public void onOpen(WebSocket socket) throws Exception {
    opened = socket;
    add("open");
  }

  @Override
  public void onText(WebSocket socket, Bytes text) throws Exception {
    socket.sendText(text);
    add("text " + text.toString(StandardCharsets.UTF_8));
  }

  @Override
  public void onBinary(WebSocket socket, Bytes content) throws Exception {
    socket.sendBinary(content);
    add("binary " + content.length());
  }

  @Override
  public void onPing(WebSocket socket, Bytes content) throws Exception {
    add("ping " + content.toString(StandardCharsets.UTF_8));
  }

  @Override
  public void onPong(WebSocket socket, Bytes content) throws Exception {
    add("pong " + content.toString(StandardCharsets.UTF_8));
  }

  @Override
  public void onClose(WebSocket socket, int code, String reason) {
    add("close " + code + " " + reason);
  }
}
