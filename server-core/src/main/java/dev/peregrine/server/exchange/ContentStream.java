package dev.peregrine.server.exchange;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.connection.Turn;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Content of a response that is sent piece by piece, from the loop or from another thread. */
final class ContentStream implements ResponseStream {
  private final Exchange exchange;
  private final HttpStream stream;
  private final ResponseSender sender;
  private @Nullable FieldLines trailers; // created when the first trailer is added
  private final WriteGate gate;
  private boolean committed; // this and the next ones: used on the loop
  private long written;
  private long unacknowledged; // added while the connection was blocked
  private @Nullable Runnable onWritable;
  private @Nullable OpenFile file; // the last file that was written from
  private @Nullable OpenFile lastFile; // the file that has the last byte of declared content
  private long lastPosition;
  private boolean endedNow; // ended by the server although the handler had more to write
  private long claimed; // this and all below: the handler's side
  private boolean holdsLast; // the last byte of declared content is sent at the end
  private byte lastByte;
  private boolean ended;
  private boolean continued; // its writer continues at onWritable
  private @Nullable GatheredWrites gathered; // the last task of another thread, if it may grow
  // A flush waits for a turn, whose end sends all written bytes: further ones aren't needed.
  private volatile boolean flushPending;

  ContentStream(Exchange exchange, ResponseSender sender) {
    this.exchange = exchange;
    this.stream = exchange.stream;
    this.sender = sender;
    this.gate = new WriteGate(exchange.context.limits.outboundHighWater());
  }

  // ---- the handler's side ----

  @Override
  public boolean isWritable() {
    int entered = exchange.enterTurn();
    try {
      return entered == LoopOwner.OUTSIDE ? gate.isOpen() : stream.requestRoom();
    } finally {
      exchange.exitTurn(entered);
    }
  }

  @Override
  public void onWritable(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    check();
    continued = true;
    execute(
        () -> {
          if (exchange.isEnded()) {
            return;
          }
          if (stream.requestRoom()) {
            exchange.call(callback);
          } else {
            onWritable = callback;
          }
        });
  }

  @Override
  public void awaitWritable() throws IOException {
    if (!exchange.context.loop.isCurrent()) {
      gate.await();
    } else if (exchange.isEnded()) {
      throw new IOException("the exchange has ended");
    }
  }

  @Override
  public boolean hasContent() {
    return sender.hasContent();
  }

  @Override
  public ResponseStream write(byte[] source) {
    return write(source, 0, source.length);
  }

  @Override
  public ResponseStream write(byte[] source, int from, int length) {
    Objects.checkFromIndexSize(from, length, source.length);
    boolean last = claim(length);
    int bytes = last ? length - 1 : length;
    if (last) {
      lastByte = source[from + bytes];
    }
    int entered = exchange.enterTurn();
    if (entered == LoopOwner.OUTSIDE) {
      gate.add(bytes);
      if (gathered == null || !gathered.add(source, from, bytes)) {
        GatheredWrites begun = new GatheredWrites(this, source, from, bytes);
        exchange.execute(begun);
        gathered = begun;
      }
      return this;
    }
    try {
      doWrite(source, from, bytes);
    } finally {
      exchange.exitTurn(entered);
    }
    return this;
  }

  /** Has later writes use a task of their own. */
  void endGathering() {
    gathered = null;
  }

  /** Submits a task that later writes don't overtake. */
  private void execute(Turn task) {
    gathered = null;
    exchange.execute(task);
  }

  @Override
  public ResponseStream write(ByteBuffer source) {
    boolean last = claim(GivenBuffer.check(source));
    int entered = exchange.enterTurn();
    try {
      if (entered != LoopOwner.OUTSIDE && !last) {
        doWrite(source);
      } else {
        writeOwn(source.duplicate(), last, entered);
      }
    } finally {
      exchange.exitTurn(entered);
    }
    return this;
  }

  private void writeOwn(ByteBuffer own, boolean last, int entered) {
    if (last) {
      lastByte = own.get(own.limit() - 1);
      own.limit(own.limit() - 1);
    }
    if (entered != LoopOwner.OUTSIDE) {
      doWrite(own);
      return;
    }
    int length = own.remaining();
    gate.add(length);
    execute(
        () -> {
          doWrite(own);
          acknowledge(length);
        });
  }

  @Override
  public ResponseStream write(Bytes source) {
    if (!exchange.isInTurn() || !(source instanceof ReceivedBytes received)) {
      return write(source.toArray());
    }
    // In a turn there are such bytes only in a callback, which keeps the loop.
    boolean last = claim(received.length());
    int bytes = last ? received.length() - 1 : received.length();
    if (last) {
      lastByte = received.get(bytes);
    }
    doWrite(received, bytes);
    return this;
  }

  @Override
  public ResponseStream write(FileChannel source, long position, long count) {
    FileParts.check(source, position, count);
    boolean last = claim(count);
    long bytes = last ? count - 1 : count;
    int entered = exchange.enterTurn();
    if (entered == LoopOwner.OUTSIDE) {
      gate.add(bytes);
      execute(
          () -> {
            doWrite(source, position, bytes, last);
            acknowledge(bytes);
          });
      return this;
    }
    try {
      doWrite(source, position, bytes, last);
    } finally {
      exchange.exitTurn(entered);
    }
    return this;
  }

  @Override
  public void flush() {
    check();
    gathered = null; // what follows a flush isn't added to what came before it
    int entered = exchange.enterTurn();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        doFlush();
      } else if (!flushPending) {
        flushPending = true;
        exchange.execute(this::flushPending);
      }
    } finally {
      exchange.exitTurn(entered);
    }
  }

  @Override
  public ResponseStream trailer(String name, String value) {
    check();
    FieldLines.checkTrailer(name, value);
    exchange.inTurn(() -> addTrailer(name, value));
    return this;
  }

  @Override
  public void complete() {
    if (ended) {
      return;
    }
    ended = true;
    int entered = exchange.enterTurn();
    try {
      exchange.response.endStream();
      if (entered != LoopOwner.OUTSIDE) {
        doEnd();
      } else {
        exchange.execute(this::doEnd);
      }
    } finally {
      exchange.exitTurn(entered);
    }
  }

  @Override
  public void completeNow() {
    if (ended) {
      return;
    }
    ended = true;
    exchange.response.endStreamNow();
    exchange.inTurn(this::doEndNow);
  }

  /** Ends the stream unless its writer continues later. */
  void endUnlessContinued() {
    if (!continued) {
      complete();
    }
  }

  /**
   * Throws unless the caller may use the stream. Doesn't throw after the client has disconnected,
   * which the handler may not know yet.
   */
  private void check() {
    if (!exchange.isAbandoned()) {
      exchange.checkUsable();
    }
    if (ended) {
      throw new IllegalStateException("the response has been sent already");
    }
  }

  /**
   * Throws unless the given number of bytes may be written. Returns true if the last of them is the
   * last byte of a declared length: it is held back until the end, because a client that has it
   * considers the response complete, even if the handler fails afterwards.
   */
  private boolean claim(long length) {
    check();
    long declared = sender.declaredLength();
    if (declared < 0 || length == 0 || !sender.hasContent()) {
      claimed += length;
      return false;
    }
    if (length > declared - claimed) {
      throw sender.wrongLength(claimed + length);
    }
    claimed += length;
    holdsLast = claimed == declared;
    return holdsLast;
  }

  // ---- the loop's side ----

  void onWritable() {
    if (unacknowledged > 0) {
      gate.passed(unacknowledged);
      unacknowledged = 0;
    }
    Runnable callback = onWritable;
    if (callback != null) {
      onWritable = null;
      exchange.call(callback);
    }
  }

  /** Ends the use of the stream, because its exchange has ended and may serve another request. */
  void close() {
    ended = true;
  }

  /** Returns the number of bytes that were passed on. */
  long passedBytes() {
    return written;
  }

  boolean isEndedNow() {
    return endedNow;
  }

  void abandon(IOException cause) {
    gate.fail(cause);
    releaseFiles();
  }

  private void addTrailer(String name, String value) {
    if (trailers == null) {
      trailers = new FieldLines();
    }
    trailers.add(name, value);
  }

  private void acknowledge(long length) throws IOException {
    if (exchange.isEnded() || stream.makeRoom()) {
      gate.passed(length);
    } else {
      unacknowledged += length;
    }
  }

  void passOn(byte[] source, int from, int length) throws IOException {
    doWrite(source, from, length);
    acknowledge(length);
  }

  private void doWrite(byte[] source, int from, int length) {
    if (begin(length)) {
      stream.write(source, from, length);
    }
  }

  private void doWrite(ByteBuffer source) {
    if (begin(source.remaining())) {
      stream.write(source);
    }
  }

  private void doWrite(ReceivedBytes source, int length) {
    if (begin(length)) {
      stream.write(source, length);
    }
  }

  private void doWrite(FileChannel source, long position, long length, boolean holdsNext) {
    if (exchange.isOver()) {
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
      exchange.fail(lost);
    }
  }

  private void addLastByte() {
    OpenFile source = lastFile;
    if (!holdsLast) {
      return;
    }
    holdsLast = false;
    if (source == null) {
      doWrite(new byte[] {lastByte}, 0, 1);
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

  /** Commits the head before the first bytes. Returns true if the bytes are to be added. */
  private boolean begin(long length) {
    if (!commitFirst()) {
      return false;
    }
    written += length;
    return length > 0 && sender.hasContent();
  }

  private void flushPending() {
    flushPending = false; // first, so that later writes request another flush
    commitFirst(); // the end of the turn sends the bytes
  }

  private void doFlush() {
    if (commitFirst()) {
      stream.flush();
    }
  }

  /** Commits the head unless that was done before. Returns false if the response is over. */
  private boolean commitFirst() {
    if (exchange.isOver()) {
      return false;
    }
    if (committed) {
      return true;
    }
    committed = true;
    return sender.commit();
  }

  private void doEndNow() {
    endedNow = true;
    gate.fail(new IOException("the response has been ended"));
    if (exchange.isOver()) {
      releaseFiles();
    } else {
      sender.completeNow();
    }
  }

  private void doEnd() {
    if (exchange.isOver()) {
      releaseFiles();
    } else {
      sender.close();
    }
  }

  /** Sends the end of the content; in a turn. */
  void sendEnd() {
    addLastByte();
    releaseFiles();
    if (!commitFirst()) {
      return;
    }
    long declared = sender.declaredLength();
    if (written < declared && sender.hasContent()) {
      exchange.fail(sender.wrongLength(written));
      return;
    }
    sender.endContent(trailers);
  }
}
