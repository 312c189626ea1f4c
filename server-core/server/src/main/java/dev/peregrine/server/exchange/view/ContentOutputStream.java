package dev.peregrine.server.exchange.view;

import dev.peregrine.server.exchange.state.ExchangeProgress;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Content of a response as a stream: gathered in an array, and sent on when that is full. Content
 * that fits into the array is sent with its length.
 */
final class ContentOutputStream extends OutputStream {
  private static final int GATHERED_BYTES = 16 * 1024;
  private static final int GATHERED_BYTES_INITIAL = 1024;

  private final ExchangeProgress progress;
  private final ExchangeResponse response;
  private byte[] gathered = new byte[GATHERED_BYTES_INITIAL];
  private int count;
  private boolean closed;
  private boolean torn; // a write hasn't returned, or has thrown: content may be missing
  private @Nullable ContentStream stream;

  ContentOutputStream(ExchangeProgress progress, ExchangeResponse response) {
    this.progress = progress;
    this.response = response;
  }

  @Override
  public void write(int b) throws IOException {
    checkNotClosed();
    torn = true;
    makeRoom(1);
    gathered[count++] = (byte) b;
    torn = false;
  }

  @Override
  public void write(byte[] source, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, source.length);
    checkNotClosed();
    torn = true;
    int done = 0;
    while (done < length) {
      makeRoom(length - done);
      int part = Math.min(length - done, gathered.length - count);
      System.arraycopy(source, from + done, gathered, count, part);
      count += part;
      done += part;
    }
    torn = false;
  }

  /** Sends the bytes written so far. */
  @Override
  public void flush() throws IOException {
    checkNotClosed();
    torn = true;
    ContentStream target = passOn();
    target.flush();
    torn = false;
    target.awaitWritable(); // if this throws, as it does at an interrupt, nothing is missing
  }

  /** Sends the rest. If that fails, so does the response, because no later call would end it. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    if (progress.isEnded()) {
      closed = true;
      checkNotEnded();
    }
    try {
      closeOpen();
    } catch (Throwable failure) {
      response.fail(failure);
      closed = true;
      throw failure;
    }
    closed = true;
  }

  private void closeOpen() throws IOException {
    checkNotTorn();
    if (stream == null) {
      response.closeGathered(Arrays.copyOf(gathered, count));
      return;
    }
    if (count > 0) {
      stream.write(gathered, 0, count);
    }
    stream.complete();
  }

  private void makeRoom(int wanted) throws IOException {
    int room = gathered.length - count;
    if (room >= wanted) {
      return;
    }
    if (gathered.length < GATHERED_BYTES) {
      int larger = Math.max(2 * gathered.length, count + wanted);
      gathered = Arrays.copyOf(gathered, Math.min(larger, GATHERED_BYTES));
    } else if (room == 0) {
      passOn().awaitWritable();
    }
  }

  private ContentStream passOn() {
    ContentStream target = stream();
    if (count > 0) {
      target.write(passedOn(), 0, count); // the target keeps the array
      count = 0;
    }
    return target;
  }

  /**
   * Returns the gathered bytes in an array for the target: a copy if most of the array is unused.
   */
  private byte[] passedOn() {
    byte[] passed = gathered;
    if (count <= passed.length / 2) {
      return Arrays.copyOf(passed, count);
    }
    gathered = new byte[passed.length];
    return passed;
  }

  private ContentStream stream() {
    if (stream == null) {
      stream = response.startStream();
    }
    return stream;
  }

  private void checkNotClosed() throws IOException {
    if (closed) {
      throw new IOException("stream closed");
    }
    checkNotEnded();
    checkNotTorn();
  }

  private void checkNotTorn() throws IOException {
    if (torn) {
      throw new IOException("an earlier write to this stream has thrown");
    }
  }

  private void checkNotEnded() throws IOException {
    if (progress.isEnded()) {
      throw new IOException("the exchange has ended");
    }
  }
}
