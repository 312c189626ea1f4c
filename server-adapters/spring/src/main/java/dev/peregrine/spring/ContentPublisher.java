package dev.peregrine.spring;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import java.io.IOException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;

/** The content of a request, read as the subscriber demands it. */
final class ContentPublisher extends DemandedQueue<DataBuffer> implements BodyListener {
  private final RequestBody body;
  private final DataBufferFactory buffers;
  private final Runnable cancelHandler;

  ContentPublisher(RequestBody body, DataBufferFactory buffers, Runnable cancelHandler) {
    this.body = body;
    this.buffers = buffers;
    this.cancelHandler = cancelHandler;
  }

  @Override
  void begin() {
    pause();
    try {
      body.receive(this);
    } catch (HttpException rejected) { // its declared length is above the limit
      throw ContentFailure.of(rejected);
    }
  }

  @Override
  void pauseSource() {
    body.pause();
  }

  @Override
  void resumeSource() {
    body.resume();
  }

  @Override
  void discard(DataBuffer item) {
    DataBufferUtils.release(item);
  }

  @Override
  boolean readsOn() {
    return false; // a client need not send what nobody reads; the handler is told of its end
  }

  @Override
  public void onData(Bytes data) {
    offer(ReceivedBuffer.of(data, buffers));
  }

  @Override
  public void onEnd() {
    end();
  }

  /**
   * Ends the content. If the client has gone, the handler is cancelled first: it would take the end
   * for a failure, which Spring logs as an error. A subscriber outside the handler gets the end.
   */
  @Override
  public void onError(IOException cause) {
    if (!(cause instanceof ContentRejectedException)) {
      cancelHandler.run();
    }
    fail(ContentFailure.of(cause));
  }
}
