package dev.peregrine.server.exchange.view;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.GatherBuffers;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Content of a response as a stream: gathered in a buffer, and sent on when that is full. Content
 * that fits into the buffer is sent with its length.
 *
 * <p>The buffer serves other responses later. So only a call that has begun uses it, and at most
 * one begins at a time, even if threads of the application use the stream at once.
 */
final class ContentOutputStream extends OutputStream {
  private static final byte[] NOTHING = {};
  private static final VarHandle TORN =
      FieldHandle.of(MethodHandles.lookup(), "torn", boolean.class);

  private final ExchangeProgress progress;
  private final ExchangeResponse response;
  private final GatherBuffers buffers;
  private @Nullable ByteBuffer gathered; // null while nothing is
  private boolean closed;

  @SuppressWarnings("unused") // accessed by TORN
  private volatile boolean torn; // a call hasn't returned, or has thrown: content may be missing

  private @Nullable ContentStream stream;

  ContentOutputStream(ExchangeProgress progress, ExchangeResponse response, GatherBuffers buffers) {
    this.progress = progress;
    this.response = response;
    this.buffers = buffers;
  }

  @Override
  public void write(int b) throws IOException {
    begin();
    room().put((byte) b);
    end();
  }

  @Override
  public void write(byte[] source, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, source.length);
    begin();
    int done = 0;
    while (done < length) {
      ByteBuffer target = room();
      int part = Math.min(length - done, target.remaining());
      target.put(source, from + done, part);
      done += part;
    }
    end();
  }

  /** Sends the bytes written so far. */
  @Override
  public void flush() throws IOException {
    begin();
    ContentStream target = passOn();
    target.flush();
    end();
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
    claim();
    if (stream == null) {
      response.closeGathered(takeGathered());
    } else {
      passOn().complete();
    }
  }

  /** Takes what was gathered, in an array of that length. */
  private byte[] takeGathered() {
    ByteBuffer all = gathered;
    if (all == null) {
      return NOTHING;
    }
    byte[] content = copy(all);
    gathered = null;
    buffers.accept(all);
    return content;
  }

  private static byte[] copy(ByteBuffer written) {
    byte[] copy = new byte[written.position()];
    written.get(0, copy);
    return copy;
  }

  /** Returns a buffer with room for at least one byte. */
  private ByteBuffer room() throws IOException {
    ByteBuffer present = gathered;
    if (present != null && present.hasRemaining()) {
      return present;
    }
    if (present != null) {
      passOn().awaitWritable();
    }
    ByteBuffer next = buffers.take();
    gathered = next;
    return next;
  }

  /** Sends what was gathered: a copy of it if it is little, so that much of it can wait. */
  private ContentStream passOn() {
    ContentStream target = stream();
    ByteBuffer all = gathered;
    if (all != null && all.position() > all.capacity() / 2) {
      gathered = null;
      target.write(all.flip(), buffers);
    } else if (all != null && all.position() > 0) {
      target.write(copy(all));
      all.clear();
    }
    return target;
  }

  private ContentStream stream() {
    if (stream == null) {
      stream = response.startStream();
    }
    return stream;
  }

  /** Begins a call; {@link #end} follows if it doesn't throw. */
  private void begin() throws IOException {
    if (closed) {
      throw new IOException("stream closed");
    }
    checkNotEnded();
    claim();
  }

  private void claim() throws IOException {
    if (!TORN.compareAndSet(this, false, true)) {
      throw new IOException("an earlier write to this stream has thrown, or hasn't returned");
    }
  }

  private void end() {
    TORN.setRelease(this, false);
  }

  private void checkNotEnded() throws IOException {
    if (progress.isEnded()) {
      throw new IOException("the exchange has ended");
    }
  }
}
