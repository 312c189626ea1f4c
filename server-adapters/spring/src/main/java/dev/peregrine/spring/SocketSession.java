package dev.peregrine.spring;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.util.ObjectUtils;
import org.springframework.web.reactive.socket.CloseStatus;
import org.springframework.web.reactive.socket.HandshakeInfo;
import org.springframework.web.reactive.socket.WebSocketMessage;
import org.springframework.web.reactive.socket.adapter.AbstractWebSocketSession;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A socket as Spring sees it. */
final class SocketSession extends AbstractWebSocketSession<WebSocket> {
  private final WebSocket socket;
  private final Received received;
  private final AtomicBoolean sends = new AtomicBoolean();
  private final Sinks.One<CloseStatus> closed = Sinks.one();
  private volatile @Nullable MessageWriter writer;

  SocketSession(WebSocket socket, HandshakeInfo handshake, DataBufferFactory buffers) {
    super(socket, ObjectUtils.getIdentityHexString(socket), handshake, buffers);
    this.socket = socket;
    this.received = new Received(socket); // reads until a message waits, so it learns of a close
  }

  /** The messages that were received. */
  private static final class Received extends DemandedQueue<WebSocketMessage> {
    private final WebSocket socket;

    Received(WebSocket socket) {
      this.socket = socket;
    }

    @Override
    void begin() {}

    @Override
    void pauseSource() {
      socket.pause();
    }

    @Override
    void resumeSource() {
      socket.resume();
    }

    @Override
    void discard(WebSocketMessage item) {
      item.release();
    }

    @Override
    boolean readsOn() {
      return true; // sockets are closed in their stream, after the messages
    }
  }

  @Override
  public Flux<WebSocketMessage> receive() {
    return Flux.from(received);
  }

  @Override
  public Mono<Void> send(Publisher<WebSocketMessage> messages) {
    if (!sends.compareAndSet(false, true)) {
      return Mono.error(new IllegalStateException("send() has already been called"));
    }
    return new MessageWrite(this, messages);
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public Mono<Void> close(CloseStatus status) {
    String reason = status.getReason();
    return Mono.fromRunnable(() -> socket.close(status.getCode(), reason == null ? "" : reason));
  }

  @Override
  public Mono<CloseStatus> closeStatus() {
    return closed.asMono();
  }

  // ---- for the parts of this adapter ----

  WebSocket socket() {
    return socket;
  }

  /** Keeps the writer of the messages, whom the end of the socket ends. */
  void writer(MessageWriter started) {
    writer = started;
  }

  void receive(WebSocketMessage.Type type, Bytes content) {
    // On the heap, because handlers of some of Spring's servers release messages, others don't.
    DataBuffer copy = DefaultDataBufferFactory.sharedInstance.wrap(content.toArray());
    received.offer(new WebSocketMessage(type, copy));
  }

  void onClose(int code, String reason) {
    closed.tryEmitValue(CloseStatus.create(code, reason));
    received.end();
    MessageWriter started = writer;
    if (started != null) {
      started.onClose();
    }
  }

  void onHandlerError(Throwable failure) {
    if (logger.isDebugEnabled()) {
      logger.debug("WebSocket session completed with error", failure);
    } else if (logger.isInfoEnabled()) {
      logger.info("WebSocket session completed with error: " + failure.getMessage());
    }
    socket.close(CloseStatus.SERVER_ERROR.getCode(), "");
  }

  void onHandlerComplete() {
    socket.close();
  }
}
