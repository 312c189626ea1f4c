package dev.peregrine.http.coding;

import dev.peregrine.base.Interrupts;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ResponseStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.function.Consumer;

/** Content that is compressed while it is sent piece by piece. */
final class CompressedStream implements ResponseStream {
  /** The length up to which content is compressed in one step, in bytes. */
  static final int WHOLE_BYTES_MAX = 64 * 1024;

  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);
  private static final int PIECE_BYTES = 16 * 1024;
  private static final int PASSED_BYTES_MIN = 4 * 1024; // fewer wait for a flush

  private final ResponseStream target;
  private final EncoderPool.Lease lease;
  private final DeclaredLength length;
  private final Consumer<Throwable> failing; // fails the response
  private boolean ended;
  private boolean continued; // its writer continues at onWritable

  CompressedStream(
      ResponseStream target,
      EncoderPool.Lease lease,
      DeclaredLength length,
      Consumer<Throwable> failing) {
    this.target = target;
    this.lease = lease;
    this.length = length;
    this.failing = failing;
  }

  @Override
  public boolean isWritable() {
    return target.isWritable();
  }

  @Override
  public void onWritable(Runnable callback) {
    continued = true;
    target.onWritable(callback);
  }

  @Override
  public void awaitWritable() throws IOException {
    target.awaitWritable();
  }

  @Override
  public boolean hasContent() {
    return target.hasContent();
  }

  @Override
  public ResponseStream write(byte[] source, int from, int bytes) {
    Objects.checkFromIndexSize(from, bytes, source.length);
    checkNotEnded();
    length.count(bytes);
    lease.write(source, from, bytes);
    pass(PASSED_BYTES_MIN);
    return this;
  }

  @Override
  public ResponseStream write(ByteBuffer source) {
    byte[] copy = new byte[source.remaining()];
    source.get(source.position(), copy);
    return write(copy);
  }

  @Override
  public ResponseStream write(ByteBuffer source, Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(whenSent, "whenSent");
    LeasedContent leased = LeasedContent.of(source, whenSent);
    try {
      return write(source);
    } finally { // the bytes are copied or rejected, and the target calls back without any
      target.write(NO_BYTES, leased);
    }
  }

  @Override
  public ResponseStream write(Bytes source) {
    return write(source.toArray());
  }

  /**
   * Writes a buffer and ends the stream. Compresses a piece, and continues when the client has
   * taken it: in another turn, or on a thread that may wait, because a blocking handler's response
   * ends when the handler returns.
   */
  void writeAll(ByteBuffer rest) {
    try {
      writePiece(rest);
      while (rest.hasRemaining() && mayWait()) {
        awaitWritable();
        writePiece(rest);
      }
      if (rest.hasRemaining()) {
        onWritable(() -> writeAll(rest));
      } else {
        complete();
      }
    } catch (Throwable failure) {
      abandon();
      failing.accept(failure);
    }
  }

  /** Returns true on the threads of {@code Handlers.blocking}; event loops are not such threads. */
  static boolean mayWait() {
    return Thread.currentThread().isVirtual();
  }

  private void writePiece(ByteBuffer rest) {
    int bytes = Math.min(rest.remaining(), WHOLE_BYTES_MAX);
    write(rest.slice(rest.position(), bytes));
    rest.position(rest.position() + bytes);
  }

  /** Reads the file at once, because content that is compressed must pass through memory. */
  @Override
  public ResponseStream write(FileChannel source, long position, long count) {
    checkNotEnded();
    try (source) {
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      for (long done = 0; done < count; ) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, count - done));
        int bytes = read(source, piece, position + done);
        if (bytes < 0) {
          throw new IOException("the file has less than " + (position + count) + " bytes");
        }
        write(piece.array(), 0, bytes);
        done += bytes;
      }
    } catch (IOException failure) {
      abandon();
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  private static int read(FileChannel source, ByteBuffer target, long position) throws IOException {
    boolean held = Interrupts.hold();
    try {
      return source.read(target, position);
    } finally {
      Interrupts.restore(held);
    }
  }

  @Override
  public void flush() {
    checkNotEnded();
    lease.flush();
    pass(1);
    target.flush();
  }

  @Override
  public ResponseStream trailer(String name, String value) {
    target.trailer(name, value);
    return this;
  }

  @Override
  public void complete() {
    if (finish()) {
      target.complete();
    }
  }

  @Override
  public void completeNow() {
    if (finish()) {
      target.completeNow();
    }
  }

  private boolean finish() {
    if (ended) {
      return false;
    }
    ended = true;
    Throwable refusal = length.refusal();
    if (refusal != null) {
      failing.accept(refusal);
      return false;
    }
    try (lease) {
      lease.finish();
      pass(1);
    }
    return true;
  }

  /** Ends the stream unless its writer continues later. */
  void endUnlessContinued() {
    if (!continued) {
      complete();
    }
  }

  /** Releases the encoder; later writes do nothing. */
  void abandon() {
    ended = true;
    lease.close();
  }

  private void pass(int bytesMin) {
    byte[] encoded = lease.take(bytesMin);
    if (encoded.length > 0) {
      target.write(encoded);
    }
  }

  private void checkNotEnded() {
    if (ended) {
      throw new IllegalStateException("the response has been sent already");
    }
  }
}
