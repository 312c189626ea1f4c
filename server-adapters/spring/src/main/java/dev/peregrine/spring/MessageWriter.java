package dev.peregrine.spring;

import dev.peregrine.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBuffer;
import org.springframework.web.reactive.socket.WebSocketMessage;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Sends messages one at a time: the next one is demanded when the client isn't behind. */
final class MessageWriter implements CoreSubscriber<WebSocketMessage>, Subscription {
  private final WebSocket socket;
  private final CoreSubscriber<? super Void> actual;
  private final AtomicBoolean done = new AtomicBoolean(); // the last signal was given
  private final AtomicReference<@Nullable Subscription> source = new AtomicReference<>();
  private final Runnable demandNext = this::demandNext;

  MessageWriter(WebSocket socket, CoreSubscriber<? super Void> actual) {
    this.socket = socket;
    this.actual = actual;
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription given) {
    if (!source.compareAndSet(null, given) || done.get()) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(WebSocketMessage message) {
    if (done.get()) {
      message.release();
      return;
    }
    boolean hasRoom;
    try {
      hasRoom = send(message);
    } catch (RuntimeException rejected) {
      stop();
      onError(rejected);
      return;
    }
    if (hasRoom) {
      demandNext();
    } else {
      socket.onWritable(demandNext);
    }
  }

  private void demandNext() {
    Subscription current = source.get();
    if (current != null) {
      current.request(1);
    }
  }

  @Override
  public void onError(Throwable cause) {
    if (done.compareAndSet(false, true)) {
      actual.onError(cause);
    }
  }

  @Override
  public void onComplete() {
    if (done.compareAndSet(false, true)) {
      actual.onComplete();
    }
  }

  /** Ends the messages, because none can be sent any more. */
  void onClose() {
    stop();
    onComplete();
  }

  @Override
  public void request(long n) {
    Operators.validate(n);
  }

  @Override
  public void cancel() {
    done.set(true);
    stop();
  }

  private void stop() {
    Subscription current = source.getAndSet(Operators.cancelledSubscription());
    if (current != null) {
      current.cancel();
    }
  }

  private boolean send(WebSocketMessage message) {
    DataBuffer payload = message.getPayload();
    return switch (message.getType()) {
      case TEXT -> sendText(payload);
      case BINARY -> sendBinary(payload);
      case PING -> socket.sendPing(bytes(payload));
      case PONG -> {
        DataBufferUtils.release(payload);
        yield socket.isWritable();
      }
    };
  }

  private boolean sendText(DataBuffer payload) {
    if (payload instanceof DefaultDataBuffer unpooled) {
      return socket.sendText(unpooled.getNativeBuffer());
    }
    ByteBuffer single = single(payload);
    return socket.sendText(single, sent -> DataBufferUtils.release(payload));
  }

  private boolean sendBinary(DataBuffer payload) {
    if (payload instanceof DefaultDataBuffer unpooled) {
      return socket.sendBinary(unpooled.getNativeBuffer());
    }
    ByteBuffer single = single(payload);
    return socket.sendBinary(single, sent -> DataBufferUtils.release(payload));
  }

  /** Returns the bytes of a buffer in one piece: copied if they are in several. */
  private static ByteBuffer single(DataBuffer payload) {
    try (DataBuffer.ByteBufferIterator pieces = payload.readableByteBuffers()) {
      ByteBuffer first = pieces.hasNext() ? pieces.next() : ByteBuffer.allocate(0);
      if (!pieces.hasNext()) {
        return first;
      }
    }
    ByteBuffer copy = ByteBuffer.allocate(payload.readableByteCount());
    payload.toByteBuffer(copy);
    return copy;
  }

  private static byte[] bytes(DataBuffer payload) {
    byte[] content = new byte[payload.readableByteCount()];
    payload.read(content);
    DataBufferUtils.release(payload);
    return content;
  }
}
