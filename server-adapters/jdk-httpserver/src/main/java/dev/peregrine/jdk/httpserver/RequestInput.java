package dev.peregrine.jdk.httpserver;

import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request. It is asked for at the first read, so that a client which waits for 100
 * (Continue) sends nothing that the handler doesn't want.
 */
final class RequestInput extends InputStream {
  private static final long LOOP_MILLIS_MAX = 1000;

  private final RequestBody body;
  private final Response response;
  private final boolean isEmpty;
  private @Nullable InputStream source; // null before the first read
  private boolean closed;

  RequestInput(RequestBody body, Response response) {
    this.body = body;
    this.response = response;
    this.isEmpty = body.length() == 0;
  }

  /** Has later reads return the bytes of the connection. */
  void continueWith(InputStream raw) {
    source = raw;
  }

  private synchronized @Nullable InputStream source() throws IOException {
    if (closed) {
      throw new IOException("Stream is closed");
    }
    if (source == null && !isEmpty) {
      try {
        source = body.inputStream();
      } catch (IllegalStateException ended) {
        throw new IOException("the exchange has ended", ended);
      }
    }
    return source;
  }

  @Override
  public int read() throws IOException {
    InputStream from = source();
    return from == null ? -1 : from.read();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    InputStream from = source();
    return from == null ? -1 : from.read(target, offset, length);
  }

  /** Returns the number of bytes that have arrived; the first call may wait for the event loop. */
  @Override
  public int available() throws IOException {
    boolean isFirst = source == null;
    InputStream from = source();
    if (from == null) {
      return 0;
    }
    if (isFirst) {
      awaitLoop();
    }
    return from.available();
  }

  /** Waits until the event loop has passed on what came with the head. */
  private void awaitLoop() throws IOException {
    CountDownLatch passed = new CountDownLatch(1);
    response.onLoop(passed::countDown); // unless the exchange has ended
    try {
      boolean ignored = passed.await(LOOP_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** Discards the rest of the content. */
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      if (source != null) {
        source.close();
      }
    }
  }
}
