package dev.peregrine.server.exchange;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.TunnelUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The loop's side of a response: decides whether it has content, gives it to the {@link
 * HttpStream}, completes it, and puts an error in its place. Used in turns of the connection only.
 */
final class ResponseSender {
  private static final int CONTINUE = 100;
  private static final int MULTIPLE_CHOICES = 300;

  private final Exchange exchange;
  private final HttpStream stream;
  private final ResponseHead head;
  private @Nullable StreamedContent content; // set by the handler's side, if it sends a stream
  private @Nullable ResponseCallbacks callbacks;
  int ownStatus; // the status of an error response; 0 for the handler's own
  private boolean closing; // complete except for its end, which waits for the handler's return
  private byte @Nullable [] gathered; // all content of a response that is closing, if it was short

  ResponseSender(Exchange exchange, ResponseHead head) {
    this.exchange = exchange;
    this.stream = exchange.stream;
    this.head = head;
  }

  void reset() {
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
  ContentStream startContent() {
    StreamedContent started = new StreamedContent(exchange, this);
    content = started;
    return new ContentStream(exchange, this, started);
  }

  long declaredLength() {
    return head.declaredLength();
  }

  /** Returns the status that was sent, otherwise the status that the handler has set. */
  int status() {
    return ownStatus == 0 ? head.status() : ownStatus;
  }

  /** Sends an interim response at once, unless the client is behind. */
  void interim(int status, PreparedFields fields) {
    if (exchange.isOver() || exchange.isCommitted() || !stream.requestRoom()) {
      return;
    }
    FieldLines lines = new FieldLines();
    lines.add(fields);
    stream.interim(status, lines);
    stream.flush();
  }

  // ---- responses in one go ----

  /** Sends a head and an array, which must not be changed until it is sent. */
  void sendWhole(byte[] source) {
    commitWhole(source.length, source);
  }

  /** Sends a head and the rest of a buffer, which must not be changed until it is sent. */
  void sendWhole(ByteBuffer source) {
    if (commitWhole(source.remaining(), null)) {
      stream.write(source);
      end(FieldLines.NONE);
    }
  }

  /** Sends a head and a part of a file, which is taken over. */
  void sendFile(FileChannel file, long position, long length) {
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
  void sendPooled(PooledOutput source) {
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
    if (exchange.isOver() || exchange.ending.breakOffSecond()) {
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
    exchange.commit();
    stream.head(
        head.status(),
        head.type(),
        head.fields(),
        stated,
        hasContent ? source : null,
        follows ? HttpStream.Rest.AT_ONCE : HttpStream.Rest.NOTHING);
    if (exchange.watched) {
      exchange.ending.onHead(head.status(), hasContent ? stated : 0, false);
    }
    if (!follows) {
      exchange.complete();
    }
    return follows;
  }

  private void end(FieldLines trailers) {
    stream.end(trailers);
    exchange.complete();
  }

  IllegalStateException wrongLength(long bytes) {
    return new IllegalStateException(
        "Content-Length was set to "
            + head.declaredLength()
            + ", but the content has "
            + bytes
            + " bytes");
  }

  // ---- what the head declares ----

  private boolean isHead() {
    return exchange.head.method() == HttpMethod.HEAD;
  }

  /** Returns true if content may follow the head. */
  boolean hasContent() {
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
    return exchange.head.method() == HttpMethod.CONNECT && head.status() < MULTIPLE_CHOICES;
  }

  // ---- responses piece by piece ----

  /**
   * Sends the head of a response whose content follows piece by piece. Returns false if the
   * response has failed instead.
   */
  boolean commit() {
    boolean owned = !exchange.isAsync();
    if (exchange.ending.breakOffSecond() || (callbacks != null && !beforeCommit(owned))) {
      return false;
    }
    long declared = head.declaredLength();
    exchange.commit();
    stream.head(
        head.status(),
        head.type(),
        head.fields(),
        statedLength(declared >= 0 ? declared : HttpStream.UNKNOWN_LENGTH),
        null,
        hasContent() ? HttpStream.Rest.LATER : HttpStream.Rest.NOTHING);
    if (exchange.watched) {
      exchange.ending.onHead(head.status(), 0, true);
    }
    return true;
  }

  /** Returns the number of bytes of content that were passed on piece by piece. */
  long streamedBytes() {
    return content == null || !hasContent() ? 0 : content.passedBytes();
  }

  /** Completes a response whose content has been sent piece by piece. */
  void endContent(@Nullable FieldLines trailers) {
    if (hasContent()) {
      end(trailers != null && exchange.request.acceptsTrailers() ? trailers : FieldLines.NONE);
    } else {
      exchange.complete();
    }
  }

  /** Returns true if the response is complete except for its end, which waits for the handler. */
  boolean isClosing() {
    return closing;
  }

  /** Closes the response with short content, which is sent whole when the handler returns. */
  void close(byte[] all) {
    if (!exchange.isOver()) {
      gathered = all;
      close();
    }
  }

  /** Closes a response whose content has been sent; completes it when the handler returns. */
  void close() {
    closing = true;
    completeUnlessHeld();
  }

  /** Completes a response that is closing; a failure of that fails the exchange. */
  void completeIfClosing() {
    if (closing) {
      try {
        completeUnlessHeld();
      } catch (Throwable failure) {
        exchange.fail(failure);
      }
    }
  }

  /** Completes a response that is closing, unless code that may fail is still running. */
  void completeUnlessHeld() {
    if (exchange.isHeld() || exchange.isEnded()) {
      return;
    }
    byte[] all = gathered;
    dropClosing();
    exchange.response.onComplete();
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

  /** Sends the last head of HTTP, then leaves the connection or stream to the user of a tunnel. */
  void handOver(int code, TunnelUser user) {
    if (exchange.isOver() || exchange.ending.breakOffSecond()) {
      user.onDropped();
      return;
    }
    ownStatus = code;
    if (callbacks != null && !beforeCommit(true)) {
      user.onDropped();
      return;
    }
    exchange.commit();
    if (exchange.content.isContinueOwed()) {
      stream.interim(CONTINUE, FieldLines.NONE);
    }
    stream.handOver(code, head.type(), head.fields(), user);
    exchange.complete();
    if (exchange.watched) {
      exchange.ending.onHead(code, 0, false);
    }
  }

  // ---- errors ----

  /**
   * Fails the exchange like {@link Exchange#fail}, whether the application has sent its response or
   * not.
   *
   * @param owned whether no other thread can be using the response at this moment
   */
  void fail(Throwable failure, boolean owned) {
    exchange.context.errors.fail(exchange, failure, owned);
  }

  /** Ends the response before it is complete, so that the client can't take it for complete. */
  void breakOff() {
    stream.breakOff(CloseReason.APPLICATION_FAILED);
  }

  /**
   * Puts an error in place of the response: content that callbacks or the renderer send from here
   * on is dropped.
   */
  void beginError(@Nullable Throwable cause) {
    exchange.beginError();
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
    if (exchange.watched) {
      exchange.ending.onHead(status, isHead() ? 0 : bytes.length, false);
    }
    exchange.complete();
  }

  /** Ends a response that can't be completed, and notifies every waiting caller; repeatable. */
  void abandon(IOException cause, boolean isAborted) {
    dropClosing();
    if (content != null) {
      content.abandon(cause);
    }
    ResponseCallbacks known = callbacks;
    if (known != null && isAborted) {
      exchange.use.afterHandler(() -> known.onAbort(cause));
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
    return !exchange.isOver();
  }

  /** Returns the head that a callback of {@link #beforeCommit} may change; null outside of one. */
  @Nullable ResponseHead committing() {
    ResponseCallbacks known = callbacks;
    return known == null ? null : known.committing();
  }

  /** Throws if the caller is such a callback. */
  void requireNotCommitting() {
    if (committing() != null) {
      throw new IllegalStateException("the response is being sent: only its fields can be changed");
    }
  }

  ResponseCallbacks callbacks() {
    if (callbacks == null) {
      callbacks = new ResponseCallbacks(exchange);
    }
    return callbacks;
  }

  /** Returns true if the handler is to be notified when the client ends its side. */
  boolean awaitsClientEnd() {
    return callbacks != null && callbacks.awaitsClientEnd();
  }

  /** Calls back because the client has ended its side. */
  void onClientEnd() {
    if (callbacks != null && !exchange.isAnswered()) {
      callbacks.onClientClosed();
    }
  }

  /** Calls back because the server has begun to shut down. */
  void onShutdown() {
    if (callbacks != null && !exchange.isAnswered()) {
      callbacks.onShutdown();
    }
  }

  /** Continues the content, because the stream can be written to again. */
  void onWritable() {
    if (content != null) {
      content.onWritable();
    }
  }
}
