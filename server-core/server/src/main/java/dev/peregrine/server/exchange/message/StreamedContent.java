package dev.peregrine.server.exchange.message;

import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.server.memory.WriteGate;
import dev.peregrine.server.turn.Turn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The loop's side of content that is sent piece by piece: commits the head before the first piece,
 * and passes the pieces to the {@link HttpStream}. Used in turns of the connection only.
 */
public final class StreamedContent {
  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final HttpStream stream;
  private final ResponseSender sender;
  public final WriteGate gate; // for writers on other threads
  public boolean
      holdsLast; // the last byte of declared content is sent at the end; the handler's, as next
  public byte lastByte;
  private boolean committed;
  private long written;
  private long unacknowledged; // added while the connection was blocked
  private @Nullable Runnable onWritable;
  private @Nullable FieldLines trailers; // created when the first trailer is added
  private @Nullable OpenFile file; // the last file that was written from
  private @Nullable OpenFile lastFile; // the file that has the last byte of declared content
  private long lastPosition;
  private boolean endedNow; // ended by the server although the handler had more to write

  public StreamedContent(ExchangeState exchange, ResponseSender sender) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.stream = exchange.stream;
    this.sender = sender;
    this.gate = new WriteGate(exchange.context.limits.outboundHighWater());
  }

  boolean isEndedNow() {
    return endedNow;
  }

  void abandon(IOException cause) {
    gate.fail(cause);
    releaseFiles();
  }

  // ---- room ----

  /**
   * Has a callback wait until the stream can be written to. Returns it if it is due now; null
   * otherwise, and if the exchange has ended.
   */
  public @Nullable Runnable awaitWritable(Runnable callback) {
    if (progress.isEnded()) {
      return null;
    }
    if (stream.requestRoom()) {
      return callback;
    }
    onWritable = callback;
    return null;
  }

  /** The stream can be written to: returns the callback that has waited for that, if any. */
  @Nullable Runnable takeOnWritable() {
    if (unacknowledged > 0) {
      gate.passed(unacknowledged);
      unacknowledged = 0;
    }
    Runnable callback = onWritable;
    if (callback != null) {
      onWritable = null;
    }
    return callback;
  }

  public void acknowledge(long length) throws IOException {
    if (progress.isEnded() || stream.makeRoom()) {
      gate.passed(length);
    } else {
      unacknowledged += length;
    }
  }

  // ---- pieces ----

  void passOn(byte[] source, int from, int length) throws IOException {
    write(source, from, length);
    acknowledge(length);
  }

  public void write(byte[] source, int from, int length) {
    if (begin(length)) {
      stream.write(source, from, length);
    }
  }

  public void write(ByteBuffer source) {
    if (begin(source.remaining())) {
      stream.write(source);
    }
  }

  public void write(ReceivedBytes source, int length) {
    if (begin(length)) {
      stream.write(source, length);
    }
  }

  public void write(FileChannel source, long position, long length, boolean holdsNext) {
    if (progress.isOver()) {
      OpenFile.close(source);
      return;
    }
    OpenFile parts = use(source);
    if (holdsNext) {
      lastFile = parts.retain(); // retained, even if other files are written from later
      lastPosition = position + length;
    }
    if (!begin(length)) {
      return;
    }
    try {
      stream.write(parts.retain(), position, length);
    } catch (IOException lost) {
      sender.fail(lost);
    }
  }

  private void addLastByte() {
    OpenFile source = lastFile;
    if (!holdsLast) {
      return;
    }
    holdsLast = false;
    if (source == null) {
      write(new byte[] {lastByte}, 0, 1);
      return;
    }
    lastFile = null;
    if (!begin(1)) {
      source.release();
      return;
    }
    try {
      stream.write(source, lastPosition, 1);
    } catch (IOException lost) {
      sender.fail(lost, true);
    }
  }

  /** Commits the head before the first bytes. Returns true if the bytes are to be added. */
  private boolean begin(long length) {
    if (!commitFirst()) {
      return false;
    }
    written += length;
    boolean isSent = length > 0 && sender.hasContent();
    if (isSent) {
      exchange.streamedBytes += length;
    }
    return isSent;
  }

  public void flush() {
    if (commitFirst()) {
      stream.flush();
    }
  }

  /** Commits the head, which the end of the turn sends. */
  public void commit() {
    committed |= commitFirst();
  }

  /** Commits the head unless that was done before. Returns false if the response is over. */
  private boolean commitFirst() {
    if (progress.isOver()) {
      return false;
    }
    if (committed) {
      return true;
    }
    boolean begun = sender.commit();
    committed = true; // only now: what follows a commit that has thrown needs another one
    return begun;
  }

  // ---- files ----

  /** Returns the open file of a channel: the present one if it has the same channel. */
  private OpenFile use(FileChannel source) {
    OpenFile current = file;
    if (current == null || !current.channel().equals(source)) {
      releaseFile();
      current = new OpenFile(source);
      file = current;
    }
    return current;
  }

  private void releaseFiles() {
    releaseFile();
    if (lastFile != null) {
      lastFile.release();
      lastFile = null;
    }
  }

  private void releaseFile() {
    if (file != null) {
      file.release();
      file = null;
    }
  }

  // ---- the end ----

  public void addTrailer(String name, String value) {
    if (trailers == null) {
      trailers = new FieldLines();
    }
    trailers.add(name, value);
  }

  public void endNow() {
    endedNow = true;
    gate.fail(new IOException("the response has been ended"));
    if (progress.isOver()) {
      releaseFiles();
    } else {
      sender.completeNow();
    }
  }

  public void end() {
    if (progress.isOver()) {
      releaseFiles();
    } else {
      sender.close();
    }
  }

  /** Sends the end of the content. */
  void sendEnd() {
    addLastByte();
    releaseFiles();
    if (!commitFirst()) {
      return;
    }
    long declared = sender.declaredLength();
    if (written < declared && sender.hasContent()) {
      sender.fail(sender.wrongLength(written));
      return;
    }
    sender.endContent(trailers);
  }

  /**
   * Writes of another thread that the event loop does as one. The bytes of small writes are copied
   * and gathered until the loop takes them, so a handler that writes single bytes queues one task
   * for thousands of them. A longer write is passed on as it is. See {@code WriteBehindBenchmark}.
   */
  public static final class GatheredWrites implements Turn {
    private static final int BYTES_INITIAL = 256;
    private static final int BYTES_MAX = 16 * 1024;

    /** Longer writes aren't copied: that would cost as much as a task. */
    private static final int WRITE_BYTES_MAX = 1024;

    private final StreamedContent stream;
    private final int from;
    private byte[] bytes; // this and all below: by the lock of this
    private int count;
    private boolean closed;

    /** Begins with a write. */
    public GatheredWrites(StreamedContent stream, byte[] source, int from, int length) {
      this.stream = stream;
      closed = length > WRITE_BYTES_MAX;
      bytes = closed ? source : Arrays.copyOfRange(source, from, from + length);
      this.from = closed ? from : 0;
      count = length;
    }

    /** Adds a write; returns false if that needs a task of its own. */
    public synchronized boolean add(byte[] source, int start, int length) {
      int sum = count + length;
      if (closed || length > WRITE_BYTES_MAX || sum > BYTES_MAX) {
        return false;
      }
      if (sum > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(BYTES_MAX, Math.max(2 * sum, BYTES_INITIAL)));
      }
      System.arraycopy(source, start, bytes, count, length);
      count = sum;
      return true;
    }

    /** Passes the bytes on; none are added from now on. */
    @Override
    public void run() throws IOException {
      synchronized (this) {
        closed = true;
      }
      stream.passOn(bytes, from, count);
    }
  }
}
