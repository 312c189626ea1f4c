package dev.peregrine.server.exchange.view;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.exchange.bytes.GivenBuffer;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.message.Calls;
import dev.peregrine.server.exchange.message.ResponseSender;
import dev.peregrine.server.exchange.message.StreamedContent;
import dev.peregrine.server.exchange.run.ExchangeTurns;
import dev.peregrine.server.exchange.run.HandlerRun;
import dev.peregrine.server.exchange.run.LeasedCall;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.WriteGate;
import dev.peregrine.server.memory.lease.Leases;
import dev.peregrine.server.turn.Turn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handler's side of content that is sent piece by piece, from the loop or from another thread;
 * {@link StreamedContent} is the loop's.
 */
final class ContentStream implements ResponseStream, LeasedCall {
  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final ExchangeTurns turns;
  private final Calls calls;
  private final ResponseSender sender;
  private final StreamedContent content;
  private final ExchangeResponse response;
  private final WriteGate gate;
  private final Leases leases;
  private long claimed;
  private boolean torn; // a call hasn't returned, or has thrown: content may be missing
  private boolean ended;
  private boolean continued; // its writer continues at onWritable
  private StreamedContent.@Nullable GatheredWrites
      gathered; // the last task of another thread, if it may grow
  // A flush waits for a turn, whose end sends all written bytes: further ones aren't needed.
  private volatile boolean flushPending;

  ContentStream(
      ExchangeState exchange,
      HandlerRun run,
      ResponseSender sender,
      StreamedContent content,
      ExchangeResponse response) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.turns = run.turns();
    this.calls = run.calls;
    this.sender = sender;
    this.content = content;
    this.response = response;
    this.gate = content.gate;
    this.leases = exchange.context.loop.bufferPool().leases();
  }

  @Override
  public boolean isWritable() {
    int entered = turns.enter();
    try {
      return entered == LoopOwner.OUTSIDE ? gate.isOpen() : exchange.stream.requestRoom();
    } finally {
      turns.exit(entered);
    }
  }

  @Override
  public void onWritable(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    check();
    execute(() -> calls.callIfAny(content.awaitWritable(callback)));
    continued = true;
  }

  @Override
  public void awaitWritable() throws IOException {
    if (torn) {
      throw new IOException(tornByCall());
    } else if (!exchange.context.loop.isCurrent()) {
      gate.await();
    } else if (progress.isEnded()) {
      throw new IOException("the exchange has ended");
    }
  }

  @Override
  public boolean hasContent() {
    return sender.hasContent();
  }

  @Override
  public ResponseStream write(byte[] source, int from, int length) {
    Objects.checkFromIndexSize(from, length, source.length);
    boolean last = claim(length);
    int bytes = last ? length - 1 : length;
    if (last) {
      content.lastByte = source[from + bytes];
    }
    int entered = beginCall();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        content.write(source, from, bytes);
      } else {
        gather(source, from, bytes);
      }
      returnNormally(entered);
    } finally {
      turns.exit(entered);
    }
    return this;
  }

  private void gather(byte[] source, int from, int length) {
    gate.add(length);
    if (gathered == null || !gathered.add(source, from, length)) {
      StreamedContent.GatheredWrites begun =
          new StreamedContent.GatheredWrites(content, source, from, length);
      turns.execute(begun);
      gathered = begun;
    }
  }

  /** Enters the server's code for a call, without whose effect the response isn't whole. */
  private int beginCall() {
    torn = true;
    int entered = turns.enter();
    if (entered != LoopOwner.OUTSIDE) {
      progress.beginSending();
    }
    return entered;
  }

  /** Records that a call hasn't thrown, before it leaves the server's code. */
  private void returnNormally(int entered) {
    if (entered != LoopOwner.OUTSIDE) {
      progress.endSending();
    }
    torn = false;
  }

  /** Has later writes use a task of their own. */
  void endGathering() {
    gathered = null;
  }

  /** Submits a task that later writes don't overtake, and whose callbacks may write. */
  private void execute(Turn task) {
    gathered = null;
    torn = false;
    try {
      turns.execute(task);
    } catch (Throwable notQueued) {
      torn = true;
      throw notQueued;
    }
  }

  @Override
  public ResponseStream write(ByteBuffer source) {
    GivenBuffer.check(source);
    boolean last = claim(source.remaining());
    int entered = beginCall();
    try {
      boolean keeps = entered == LoopOwner.OUTSIDE || last;
      write(keeps ? source.duplicate() : source, last, entered, null);
      returnNormally(entered);
    } finally {
      turns.exit(entered);
    }
    return this;
  }

  @Override
  public ResponseStream write(ByteBuffer source, Consumer<? super ByteBuffer> whenSent) {
    LeasedCall.make(this, turns, leases, source, whenSent);
    return this;
  }

  @Override
  public void pass(
      ByteBuffer source, int bytes, int entered, @Nullable Consumer<? super ByteBuffer> whenSent) {
    boolean last = claim(bytes);
    if (entered == LoopOwner.OUTSIDE) {
      write(source, last, entered, whenSent); // at last, because the loop may have called back
      return;
    }
    progress.beginSending();
    write(source, last, entered, null);
    returnNormally(entered);
  }

  /**
   * Writes a buffer whose limit may be changed.
   *
   * @param whenSent gets it back if it isn't on offer yet; null for none
   */
  private void write(
      ByteBuffer own, boolean last, int entered, @Nullable Consumer<? super ByteBuffer> whenSent) {
    if (last) {
      content.lastByte = own.get(own.limit() - 1);
      own.limit(own.limit() - 1);
    }
    if (entered != LoopOwner.OUTSIDE) {
      content.write(own);
      return;
    }
    int length = own.remaining();
    Runnable writing = () -> content.write(own); // now, because the task must offer the lease first
    gate.add(length);
    execute(
        () -> {
          leases.pass(own, whenSent, writing);
          content.acknowledge(length);
        });
  }

  @Override
  public ResponseStream write(Bytes source) {
    if (!turns.isInTurn() || !(source instanceof ReceivedBytes received)) {
      return write(source.toArray());
    }
    boolean last = claim(received.length());
    int bytes = last ? received.length() - 1 : received.length();
    if (last) {
      content.lastByte = received.get(bytes);
    }
    int entered = beginCall(); // never outside: such bytes are valid only in a callback on the loop
    try {
      content.write(received, bytes);
      returnNormally(entered);
    } finally {
      turns.exit(entered);
    }
    return this;
  }

  @Override
  public ResponseStream write(FileChannel source, long position, long count) {
    FileParts.check(source, position, count);
    boolean last = claim(count);
    long bytes = last ? count - 1 : count;
    int entered = beginCall();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        content.write(source, position, bytes, last);
      } else {
        gate.add(bytes);
        execute(
            () -> {
              content.write(source, position, bytes, last);
              content.acknowledge(bytes);
            });
      }
      returnNormally(entered);
    } finally {
      turns.exit(entered);
    }
    return this;
  }

  @Override
  public void flush() {
    check();
    gathered = null; // what follows a flush isn't added to what came before it
    int entered = beginCall();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        content.flush();
      } else if (!flushPending) {
        flushPending = true;
        turns.execute(this::flushPending);
      }
      returnNormally(entered);
    } finally {
      turns.exit(entered);
    }
  }

  private void flushPending() {
    flushPending = false; // first, so that later writes request another flush
    content.commit();
  }

  @Override
  public ResponseStream trailer(String name, String value) {
    check();
    FieldLines.checkTrailer(name, value);
    torn = true;
    turns.sendInTurn(() -> content.addTrailer(name, value));
    torn = false;
    return this;
  }

  @Override
  public void complete() {
    if (ended || !turns.claim() || failIfTorn()) {
      return;
    }
    int entered = beginCall();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        content.end();
      } else {
        turns.execute(content::end);
      }
      response.endStream();
      ended = true;
      returnNormally(entered);
    } finally {
      turns.exit(entered);
    }
  }

  @Override
  public void completeNow() {
    if (ended || !turns.claim() || failIfTorn()) {
      return;
    }
    torn = true;
    turns.sendInTurn(content::endNow);
    response.endStreamNow();
    ended = true;
    torn = false;
  }

  /** Fails the response in place of its end, if a call has thrown. Returns true if it did. */
  private boolean failIfTorn() {
    if (torn) {
      response.fail(tornByCall());
      ended = true;
    }
    return torn;
  }

  private static IllegalStateException tornByCall() {
    return new IllegalStateException("an earlier call of this stream has thrown");
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
    boolean wasTorn = torn;
    torn = true; // first, because the stack may end in the checks, too
    try {
      check(wasTorn);
    } catch (IllegalStateException rejected) {
      torn = wasTorn;
      throw rejected;
    }
    torn = false;
  }

  private void check(boolean wasTorn) {
    if (!progress.isAbandoned()) {
      turns.checkUsable();
    }
    if (ended) {
      throw new IllegalStateException("the response has been sent already");
    }
    sender.requireNotCommitting();
    if (wasTorn) {
      throw tornByCall();
    }
  }

  /**
   * Throws unless the given number of bytes may be written. Returns true if the last of them is the
   * last byte of a declared length: it is held back until the end, because a client that has it
   * considers the response complete, even if the handler fails afterwards.
   */
  private boolean claim(long length) {
    check();
    torn = true; // until the call returns
    long declared = sender.declaredLength();
    boolean counts = declared >= 0 && length > 0 && sender.hasContent();
    if (counts && length > declared - claimed) {
      torn = false;
      throw sender.wrongLength(claimed + length);
    }
    claimed += length;
    if (!counts) {
      return false;
    }
    boolean last = claimed == declared;
    content.holdsLast = last;
    return last;
  }

  /** Ends the use of the stream, because its exchange has ended and may serve another request. */
  void close() {
    ended = true;
  }
}
