package dev.peregrine.server.http1;

import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.RawListener;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.memory.OpenFile;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The loop's side of a response: chooses the framing, encodes the head, adds the content to what
 * goes out. Used in turns of the connection only, but for {@link #isCommitted}.
 */
final class ResponseSender {
  static final FieldLines NO_FIELDS = new FieldLines();
  private static final int MULTIPLE_CHOICES = 300;
  private static final VarHandle COMMITTED;

  private final Exchange exchange;
  private final ResponseHead head;
  private volatile boolean committed;
  private boolean complete;

  static {
    try {
      COMMITTED =
          MethodHandles.lookup().findVarHandle(ResponseSender.class, "committed", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  ResponseSender(Exchange exchange, ResponseHead head) {
    this.exchange = exchange;
    this.head = head;
  }

  void reset() {
    setCommitted(false);
    complete = false;
  }

  /** Whether the head is encoded; any thread may ask. */
  boolean isCommitted() {
    return committed;
  }

  /** Whether everything has been added to what goes out. */
  boolean isComplete() {
    return complete;
  }

  void complete() {
    complete = true;
  }

  long declaredLength() {
    return head.declaredLength();
  }

  /** Takes the response over for an error: nothing that is sent from here on is added. */
  void beginError() {
    setCommitted(true);
    complete = true;
  }

  /** Sends the error that was begun, with these fields in place of the handler's. */
  void sendError(int status, ErrorContent error, FieldLines fields) {
    closeUnlessDiscarded();
    closeIfWanted();
    if (fields.length() > 0) {
      offerUpgrade(fields);
    }
    boolean close = exchange.isClose();
    byte[] content = error.bytes();
    exchange.http1.encoder.head(
        connection().out(),
        status,
        error.type(),
        fields,
        content.length,
        exchange.isHead() ? null : content,
        close,
        !close && exchange.head.version() == HttpVersion.HTTP_1_0);
  }

  /**
   * Encodes the head.
   *
   * @param length the content's length, or {@link ResponseEncoder#CHUNKED} for any
   * @return the length, or how the end of the content is marked
   */
  long commit(long length) {
    if (!exchange.content.isAsked()) {
      closeUnlessDiscarded();
    }
    return encode(length, null);
  }

  /** Says that the connection ends if the rest of the request won't be read. */
  private void closeUnlessDiscarded() {
    if (!exchange.content.isCheapToDiscard()) {
      exchange.closeAfter();
    }
  }

  /**
   * Encodes the head, and the content if it is given and the response may have it: the array's
   * first bytes, as many as the length says.
   */
  private long encode(long length, byte @Nullable [] content) {
    boolean oldVersion = exchange.head.version() == HttpVersion.HTTP_1_0;
    long framing = length;
    if (head.hasNoContent()) {
      framing = ResponseEncoder.NO_CONTENT;
    } else if (head.hasEmptyContent()) {
      framing = 0;
    } else if (isTunnelAnswer()) {
      framing = ResponseEncoder.NO_CONTENT;
      exchange.closeAfter();
    } else if (length == ResponseEncoder.CHUNKED && oldVersion) {
      framing = ResponseEncoder.TO_CLOSE;
      exchange.closeAfter();
      connection().endMarksContent();
    }
    closeIfWanted();
    FieldLines fields = head.fields();
    if (fields.length() > 0) {
      offerUpgrade(fields);
    }
    boolean close = exchange.isClose();
    setCommitted(true);
    exchange.http1.encoder.head(
        connection().out(),
        head.status(),
        head.type(),
        fields,
        framing,
        framing == length && !exchange.isHead() ? content : null,
        close,
        oldVersion && !close);
    return framing;
  }

  /** Ends the connection after this response if the handler or the server wants it. */
  private void closeIfWanted() {
    if (head.isClose() || exchange.http1.isDraining()) {
      exchange.closeAfter();
    }
  }

  /** Adds the connection option that an Upgrade field needs (RFC 9110 section 7.8). */
  private static void offerUpgrade(FieldLines fields) {
    if (fields.has("Upgrade")) {
      fields.add("Connection", "Upgrade");
    }
  }

  /** Whether content may follow the head. */
  boolean hasContent() {
    return !exchange.isHead()
        && !head.hasNoContent()
        && !head.hasEmptyContent()
        && !isTunnelAnswer();
  }

  /**
   * A success that makes a tunnel of the connection in the client's eyes (RFC 9110 section 9.3.6).
   */
  private boolean isTunnelAnswer() {
    return exchange.head.method() == HttpMethod.CONNECT && head.status() < MULTIPLE_CHOICES;
  }

  /** Sends a head and an array, which isn't to be changed until it is sent. */
  void sendWhole(byte[] content) {
    commitWhole(content.length, content);
  }

  /** Sends a head and what remains of a buffer, which isn't to be changed until it is sent. */
  void sendWhole(ByteBuffer content) {
    if (commitWhole(content.remaining(), null)) {
      connection().out().append(content);
      complete = true;
    }
  }

  /** Sends a head and a part of a file, which is taken over. */
  void sendFile(FileChannel file, long position, long length) {
    if (!commitWhole(length, null)) {
      OpenFile.close(file);
      return;
    }
    try {
      connection().out().append(new OpenFile(file), position, length);
      complete = true;
    } catch (IOException lost) {
      exchange.fail(lost);
    }
  }

  /**
   * Encodes the head of a response whose length is known, and its content if it is given. Returns
   * whether content is still to be added; if not, the response is complete or has failed.
   */
  private boolean commitWhole(long contentLength, byte @Nullable [] content) {
    if (complete || exchange.isEnded()) {
      return false;
    }
    long length = contentLength;
    long declared = head.declaredLength();
    boolean differs = declared != ResponseHead.UNDECLARED && declared != length;
    if (differs && exchange.isHead() && length == 0) {
      length = declared;
    } else if (differs && (exchange.isHead() || hasContent())) {
      exchange.fail(wrongLength(length), true); // the handler has sent it
      return false;
    }
    closeUnlessDiscarded();
    complete = encode(length, content) <= 0 || content != null || exchange.isHead();
    return !complete;
  }

  IllegalStateException wrongLength(long bytes) {
    return new IllegalStateException(
        "Content-Length was set to "
            + head.declaredLength()
            + ", but the content has "
            + bytes
            + " bytes");
  }

  /** Sends a head and what was written. */
  void sendPooled(PooledOutput content) {
    if (content.isShort()) {
      commitWhole(content.length(), content.array());
    } else if (commitWhole(content.length(), null)) {
      content.moveTo(connection().out());
      complete = true;
    }
  }

  /** Sends the last head of HTTP, then leaves the connection to a listener. */
  void handOver(int code, RawListener listener) {
    if (complete || exchange.isEnded()) {
      return;
    }
    setCommitted(true);
    complete = true;
    if (exchange.content.isContinueOwed()) {
      exchange.http1.encoder.continueInterim(connection().out());
    }
    exchange.http1.encoder.head(
        connection().out(),
        code,
        head.type(),
        head.fields(),
        ResponseEncoder.NO_CONTENT,
        null,
        false,
        false);
    exchange.handOver(
        new Tunnel(connection(), listener, exchange.http1.limits.outboundHighWater()));
  }

  /** Twice per request: a release needs no fence, and nothing that comes after it depends on it. */
  private void setCommitted(boolean value) {
    COMMITTED.setRelease(this, value);
  }

  private Connection connection() {
    return exchange.connection();
  }
}
