package dev.peregrine.server.exchange.message;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.state.PooledOutput;
import dev.peregrine.server.exchange.state.ResponseHead;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.server.tunnel.TunnelUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loop's side of a response: decides whether it has content, gives it to the {@link
 * HttpStream}, completes it, and puts an error in its place. Used in turns of the connection only.
 */
public final class ResponseSender {
  private static final int CONTINUE = 100;
  private static final int MULTIPLE_CHOICES = 300;

  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final HttpStream stream;
  private final ResponseHead head;
  private final ExchangeEnd ending;
  private final ExchangeFailure failing;
  private @Nullable StreamedContent content; // set by the handler's side, if it sends a stream
  private @Nullable ResponseCallbacks callbacks;
  private int ownStatus; // the status of an error response; 0 for the handler's own
  private boolean closing; // complete except for its end, which waits for the handler's return
  private byte @Nullable [] gathered; // all content of a response that is closing, if it was short

  public ResponseSender(ExchangeState exchange, ExchangeEnd ending) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.stream = exchange.stream;
    this.head = exchange.responseHead;
    this.ending = ending;
    this.failing = new ExchangeFailure(exchange, ending, this);
  }

  public void reset() {
    ownStatus = 0;
    if (content != null) {
      content = null;
    }
    if (callbacks != null) {
      callbacks = null;
    }
    if (closing) {
      dropClosing();
    }
  }

  /** Begins a response that is sent piece by piece; on the handler's thread. */
  public StreamedContent startContent() {
    StreamedContent started = new StreamedContent(exchange, this);
    content = started;
    return started;
  }

  public long declaredLength() {
    return head.declaredLength();
  }

  /** Returns the status that was sent, otherwise the status that the handler has set. */
  public int status() {
    return ownStatus == 0 ? head.status() : ownStatus;
  }

  /** Returns the status of an error response, or of a tunnel; 0 for the handler's own. */
  int ownStatus() {
    return ownStatus;
  }

  /** Sends an interim response at once, unless the client is behind. */
  public void interim(int status, PreparedFields fields) {
    if (progress.decideHead() != ExchangeProgress.SEND || !stream.requestRoom()) {
      return;
    }
    FieldLines lines = new FieldLines();
    lines.add(fields);
    stream.interim(status, lines);
    stream.flush();
  }

  // ---- responses in one go ----

  /** Sends a head and an array, which must not be changed until it is sent. */
  public void sendWhole(byte[] source) {
    commitWhole(source.length, source);
  }

  /** Sends a head and the rest of a buffer, which must not be changed until it is sent. */
  public void sendWhole(ByteBuffer source) {
    if (commitWhole(source.remaining(), null)) {
      stream.write(source);
      end(FieldLines.NONE);
    }
  }

  /** Sends a head and a part of a file, which is taken over. */
  public void sendFile(FileChannel file, long position, long length) {
    if (!commitWhole(length, null)) {
      OpenFile.close(file);
      return;
    }
    try {
      stream.write(new OpenFile(file), position, length);
      end(FieldLines.NONE);
    } catch (IOException lost) {
      fail(lost, true);
    }
  }

  /** Sends a head and the written bytes. */
  public void sendPooled(PooledOutput source) {
    if (source.isShort()) {
      commitWhole(source.length(), source.array());
    } else if (commitWhole(source.length(), null)) {
      source.moveTo(stream);
      end(FieldLines.NONE);
    }
  }

  /**
   * Sends the head of a response whose length is known, and its content if it is given. Returns
   * true if content is still to be added; if not, the response is complete or has failed.
   */
  private boolean commitWhole(long contentLength, byte @Nullable [] source) {
    if (!mayCommit()) {
      return false;
    }
    long length = contentLength;
    long declared = head.declaredLength();
    boolean differs = declared != ResponseHead.UNDECLARED && declared != length;
    if (differs && isHead() && length == 0) {
      length = declared;
    } else if (differs && (isHead() || hasContent())) {
      fail(wrongLength(length), true); // a response of the handler
      return false;
    }
    if (callbacks != null && !beforeCommit(true)) {
      return false;
    }
    long stated = statedLength(length);
    boolean hasContent = stated > 0 && hasContent();
    boolean follows = hasContent && source == null;
    progress.commit();
    stream.head(
        head.status(),
        head.type(),
        head.fields(),
        stated,
        hasContent ? source : null,
        follows ? HttpStream.Rest.AT_ONCE : HttpStream.Rest.NOTHING);
    if (ending.isWatched()) {
      ending.onHead(head.status(), hasContent ? stated : 0, false);
    }
    if (!follows) {
      progress.complete();
    }
    return follows;
  }

  /** Returns true if a head may be sent; breaks a response off that has one already. */
  private boolean mayCommit() {
    int decision = progress.decideHead();
    if (decision == ExchangeProgress.BREAK_OFF) {
      fail(new IllegalStateException("two threads have sent the response"), false);
    }
    return decision == ExchangeProgress.SEND;
  }

  private void end(FieldLines trailers) {
    stream.end(trailers);
    progress.complete();
  }

  public IllegalStateException wrongLength(long bytes) {
    return new IllegalStateException(
        "Content-Length was set to "
            + head.declaredLength()
            + ", but the content has "
            + bytes
            + " bytes");
  }

  // ---- what the head declares ----

  private boolean isHead() {
    return exchange.head.head().method() == HttpMethod.HEAD;
  }

  /** Returns true if content may follow the head. */
  public boolean hasContent() {
    return !isHead() && !head.hasNoContent() && !head.hasEmptyContent() && !isTunnelAnswer();
  }

  /** Returns the length that the head declares for content of the given length. */
  private long statedLength(long length) {
    if (head.hasNoContent()) {
      return head.lengthOfReplaced();
    }
    if (isTunnelAnswer() || (length == 0 && isHead() && head.isLengthUnknown())) {
      return HttpStream.NO_CONTENT;
    }
    return head.hasEmptyContent() ? 0 : length;
  }

  /**
   * Returns true for a success that makes a tunnel of the stream in the client's eyes (RFC 9110
   * section 9.3.6).
   */
  private boolean isTunnelAnswer() {
    return exchange.head.head().method() == HttpMethod.CONNECT && head.status() < MULTIPLE_CHOICES;
  }

  // ---- responses piece by piece ----

  /**
   * Sends the head of a response whose content follows piece by piece. Returns false if the
   * response has failed instead.
   */
  boolean commit() {
    boolean owned = !exchange.use.isAsync();
    if (!mayCommit() || (callbacks != null && !beforeCommit(owned))) {
      return false;
    }
    long declared = head.declaredLength();
    progress.commit();
    stream.head(
        head.status(),
        head.type(),
        head.fields(),
        statedLength(declared >= 0 ? declared : HttpStream.UNKNOWN_LENGTH),
        null,
        hasContent() ? HttpStream.Rest.LATER : HttpStream.Rest.NOTHING);
    if (ending.isWatched()) {
      ending.onHead(head.status(), 0, true);
    }
    return true;
  }

  /** Completes a response whose content has been sent piece by piece. */
  void endContent(@Nullable FieldLines trailers) {
    if (hasContent()) {
      end(trailers != null && exchange.head.acceptsTrailers() ? trailers : FieldLines.NONE);
    } else {
      progress.complete();
    }
  }

  /** Returns true if the response is complete except for its end, which waits for the handler. */
  public boolean isClosing() {
    return closing;
  }

  /** Closes the response with short content, which is sent whole when the handler returns. */
  public void close(byte[] all) {
    if (!progress.isOver()) {
      gathered = all;
      close();
    }
  }

  /** Closes a response whose content has been sent; completes it when the handler returns. */
  public void close() {
    closing = true;
    completeUnlessHeld();
  }

  /** Completes a response that is closing; a failure of that fails the exchange. */
  void completeIfClosing() {
    if (closing) {
      try {
        completeUnlessHeld();
      } catch (Throwable failure) {
        fail(failure);
      }
    }
  }

  /** Completes a response that is closing, unless code that may fail is still running. */
  public void completeUnlessHeld() {
    if (!progress.mayComplete()) {
      return;
    }
    byte[] all = gathered;
    dropClosing();
    exchange.answer.end();
    if (all != null) {
      sendWhole(all);
    } else if (content != null) {
      content.sendEnd();
    }
  }

  /** Completes the response though its handler still runs. */
  void completeNow() {
    dropClosing();
    if (content != null) {
      content.sendEnd();
    }
  }

  /** Returns true if the response was completed although the handler had more to write. */
  boolean isEndedNow() {
    return content != null && content.isEndedNow();
  }

  private void dropClosing() {
    closing = false;
    gathered = null;
  }

  /**
   * Sends the last head of HTTP, then leaves the connection or stream to the user of a tunnel.
   *
   * @param owesContinue whether the client waits for 100 (Continue)
   */
  public void handOver(int code, boolean owesContinue, TunnelUser user) {
    if (!mayCommit()) {
      user.onDropped();
      return;
    }
    ownStatus = code;
    if (callbacks != null && !beforeCommit(true)) {
      user.onDropped();
      return;
    }
    progress.commit();
    if (owesContinue) {
      stream.interim(CONTINUE, FieldLines.NONE);
    }
    stream.handOver(code, head.type(), head.fields(), user);
    progress.complete();
    if (ending.isWatched()) {
      ending.onHead(code, 0, false);
    }
  }

  // ---- errors ----

  /**
   * Fails the exchange because code of the application has thrown: with an error response if none
   * was begun, otherwise by the end of the stream. A whole response that waits for its turn is
   * sent.
   */
  public void fail(Throwable failure) {
    failing.fail(failure);
  }

  /**
   * Fails the exchange like {@link #fail(Throwable)}, whether the application has sent its response
   * or not.
   *
   * @param owned whether no other thread can be using the response at this moment
   */
  public void fail(Throwable failure, boolean owned) {
    failing.fail(failure, owned);
  }

  /** Responds with an error that the server has detected. */
  public void refuse(int status, String detail) {
    failing.refuse(status, detail);
  }

  /** Fails an exchange one of whose calls has thrown, and no later one has ended it. */
  void endTorn() {
    failing.endTorn();
  }

  /**
   * Returns true if an exchange has failed because of its client: it has gone, its content was
   * broken off, or it got an error response about its request. What the application throws
   * afterwards follows from that, so that any client could fill the log with it.
   */
  boolean isClientsFault() {
    return failing.isClientsFault();
  }

  /**
   * Puts an error in place of the response: content that callbacks or the renderer send from here
   * on is dropped.
   */
  void beginError(@Nullable Throwable cause) {
    progress.beginError();
    if (content != null || callbacks != null || closing) {
      abandon(new IOException("the exchange has failed", cause), true);
    }
  }

  /**
   * Sends an error, and completes the exchange with it.
   *
   * @param more fields of the failure
   * @param owned whether no other thread can be using the response: then all fields that were set
   *     are kept, otherwise only those from before another thread got access
   */
  void sendError(int status, ErrorContent rendered, @Nullable PreparedFields more, boolean owned) {
    FieldLines fields = owned ? head.forError() : head.keptForError();
    if (more != null) {
      fields.set(more);
    }
    fields.add(rendered.headers());
    ownStatus = status;
    ContentType type = rendered.type();
    if (callbacks != null) {
      type = callbacks.beforeErrorCommit(fields, type);
    }
    byte[] bytes = rendered.bytes();
    stream.head(
        status, type, fields, bytes.length, isHead() ? null : bytes, HttpStream.Rest.NOTHING);
    if (ending.isWatched()) {
      ending.onHead(status, isHead() ? 0 : bytes.length, false);
    }
    progress.complete();
  }

  /** Ends a response that can't be completed, and notifies every waiting caller; repeatable. */
  public void abandon(IOException cause, boolean isAborted) {
    dropClosing();
    if (content != null) {
      content.abandon(cause);
    }
    if (callbacks != null && isAborted) {
      callbacks.onAbort(cause);
    }
  }

  // ---- callbacks ----

  /**
   * Calls back because the head is about to be sent. Returns false if the exchange has failed by
   * that.
   *
   * @param owned see {@link #fail}
   */
  private boolean beforeCommit(boolean owned) {
    Throwable failure = callbacks().beforeCommit(head);
    if (failure != null) {
      fail(failure, owned);
    }
    return !progress.isOver();
  }

  /** Returns the head that a callback of {@link #beforeCommit} may change; null outside of one. */
  public @Nullable ResponseHead committing() {
    ResponseCallbacks known = callbacks;
    return known == null ? null : known.committing();
  }

  /** Throws if the caller is such a callback. */
  public void requireNotCommitting() {
    if (committing() != null) {
      throw new IllegalStateException("the response is being sent: only its fields can be changed");
    }
  }

  public ResponseCallbacks callbacks() {
    if (callbacks == null) {
      callbacks = new ResponseCallbacks(exchange);
    }
    return callbacks;
  }

  /** Returns true if the handler is to be notified when the client ends its side. */
  public boolean awaitsClientEnd() {
    return callbacks != null && callbacks.awaitsClientEnd();
  }

  /** Takes the callbacks that are due because the client has ended its side; null for none. */
  public @Nullable List<Runnable> takeOnClientEnd() {
    return callbacks == null || progress.isAnswered() ? null : callbacks.takeOnClientClosed();
  }

  /** Takes the callbacks that are due because the server shuts down; null for none. */
  public @Nullable List<Runnable> takeOnShutdown() {
    return callbacks == null || progress.isAnswered() ? null : callbacks.takeOnShutdown();
  }

  /** Takes the callback that waits until the stream can be written to again; null for none. */
  public @Nullable Runnable takeOnWritable() {
    return content == null ? null : content.takeOnWritable();
  }
}
