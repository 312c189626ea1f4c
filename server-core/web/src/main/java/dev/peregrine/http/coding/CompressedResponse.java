package dev.peregrine.http.coding;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.HeaderName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response whose content is compressed if that pays; decided when the content begins. It accepts
 * and rejects the same calls as the wrapped response, which may begin later.
 */
final class CompressedResponse extends ForwardingResponse {
  private enum Content {
    NOT_BEGUN,
    STREAMED,
    SENT
  }

  private final CodedContent coded;
  private final HeldLength length;
  private Content content = Content.NOT_BEGUN; // how the handler has chosen to send it
  private boolean committing; // callbacks run that may still change fields
  private boolean later; // the handler completes the response after its return
  private @Nullable CompressedStream stream;
  private @Nullable CompressedOutputStream output;

  CompressedResponse(Response target, CodedContent coded) {
    super(target);
    this.coded = coded;
    this.length = coded.length();
  }

  /** Releases the encoder, and lets no thread write any more. */
  void abandon() {
    coded.release();
    if (stream != null) {
      stream.abandon();
    }
    if (output != null) {
      output.abandon();
    }
  }

  /**
   * Ends an open stream of a blocking handler that has returned normally. The server would do so
   * too, but couldn't end the coding.
   */
  void afterHandler() {
    if (!later && CompressedStream.mayWait() && (stream != null || output != null)) {
      complete();
    }
  }

  // ---- head ----

  @Override
  public Response status(int code) {
    checkNotBegun();
    return super.status(code);
  }

  @Override
  public Response header(String name, String value) {
    checkNotBegun();
    return keepLength(name, value) ? this : super.header(name, value);
  }

  @Override
  public Response addHeader(String name, String value) {
    checkNotBegun();
    return keepLength(name, value) ? this : super.addHeader(name, value);
  }

  @Override
  public Response addHeaders(PreparedFields fields) {
    checkNotBegun();
    return super.addHeaders(fields);
  }

  @Override
  public Response contentType(ContentType type) {
    checkNotBegun();
    return super.contentType(type);
  }

  @Override
  public Response contentTypeUnlessSet(ContentType type) {
    checkNotBegun();
    return super.contentTypeUnlessSet(type);
  }

  @Override
  public Response contentLength(long bytes) {
    return header(HeaderName.CONTENT_LENGTH, Long.toString(bytes));
  }

  @Override
  public @Nullable String header(String name) {
    return length.isHeld(name) ? length.value() : super.header(name);
  }

  @Override
  public List<String> headers(String name) {
    return length.isHeld(name) ? List.of(length.value()) : super.headers(name);
  }

  private boolean keepLength(String name, String value) {
    boolean kept = !committing && HeldLength.isLength(name, value);
    if (kept) {
      checkOpen();
      length.hold(value);
    }
    return kept;
  }

  @Override
  public Response beforeCommit(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    checkNotBegun();
    return super.beforeCommit(() -> callBack(callback));
  }

  /** Calls back while the head can be changed, though its content has begun here. */
  private void callBack(Runnable callback) {
    committing = true;
    try {
      callback.run();
    } finally {
      committing = false;
    }
  }

  /** Begins the content. Throws as the response does that has been sent, or isn't usable. */
  private void begin(Content way) {
    checkOpen();
    content = way;
  }

  private void checkOpen() {
    checkNotBegun();
    wrapped().addHeaders(PreparedFields.NONE); // adds nothing, but is checked
  }

  private void checkNotBegun() {
    if (content != Content.NOT_BEGUN
        && !committing) { // if it isn't the event loop that asks, the response throws
      throw new IllegalStateException("the response has been sent already");
    }
  }

  // ---- content ----

  @Override
  public void send(byte[] whole) {
    send(ByteBuffer.wrap(whole));
  }

  @Override
  public void send(ByteBuffer whole) {
    Objects.requireNonNull(whole, "content");
    send(whole, (LeasedContent) null);
  }

  private void send(ByteBuffer whole, @Nullable LeasedContent leased) {
    begin(Content.SENT);
    EncoderPool.Lease encoding = coded.send(whole, leased);
    if (encoding == null) {
      return;
    }
    if (coded.isHead()) {
      try (encoding) {
        open(encoding).complete();
      }
    } else {
      wrapped().async();
      open(encoding).writeAll(whole.duplicate());
    }
  }

  @Override
  public void send(ByteBuffer whole, Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(whole, "content");
    Objects.requireNonNull(whenSent, "whenSent");
    LeasedContent leased = LeasedContent.of(whole, whenSent);
    try {
      send(whole, leased);
    } finally {
      leased.end(wrapped());
    }
  }

  @Override
  public void sendNotModified(@Nullable ContentType type, long bytes) {
    begin(Content.SENT);
    coded.sendNotModified(type, bytes);
  }

  @Override
  public void send(FileChannel file, long position, long count) {
    checkOpen();
    length.passTo(wrapped());
    wrapped().send(file, position, count);
  }

  @Override
  public void send(Path file) {
    checkOpen();
    length.passTo(wrapped());
    wrapped().send(file);
  }

  @Override
  public void json(Object value) {
    checkOpen();
    byte[] whole = jsonCodec().toBytes(value);
    contentTypeUnlessSet(ContentType.APPLICATION_JSON);
    send(whole);
  }

  @Override
  public ResponseStream stream() {
    begin(Content.STREAMED);
    EncoderPool.Lease encoding = coded.startEncoding();
    return encoding == null ? wrapped().stream() : open(encoding);
  }

  private CompressedStream open(EncoderPool.Lease encoding) {
    CompressedStream started = coded.openStream(encoding);
    stream = started;
    return started;
  }

  @Override
  public OutputStream outputStream() {
    begin(Content.STREAMED);
    CompressedOutputStream started = new CompressedOutputStream(coded);
    output = started;
    return started;
  }

  // ---- the rest ----

  @Override
  public void upgrade(String protocol, RawListener listener) {
    checkNotBegun();
    wrapped().upgrade(protocol, listener);
  }

  @Override
  public void tunnel(RawListener listener) {
    checkNotBegun();
    wrapped().tunnel(listener);
  }

  @Override
  public Response async() {
    later = true;
    return super.async();
  }

  @Override
  public Response async(Duration beginsWithin) {
    later = true;
    return super.async(beginsWithin);
  }

  @Override
  public Response async(Supplier<? extends CompletionStage<?>> work) {
    later = true;
    return super.async(work); // if it fails, onAbort gives the encoder back
  }

  @Override
  public void fail(Throwable cause) {
    abandon();
    wrapped().fail(cause);
  }

  @Override
  public void complete() {
    try {
      if (content == Content.SENT) {
        return;
      }
      if (output != null) {
        output.close();
      } else if (stream != null) {
        stream.endUnlessContinued();
      } else {
        wrapped().complete();
      }
    } catch (IOException lost) {
      fail(lost);
    }
  }
}
