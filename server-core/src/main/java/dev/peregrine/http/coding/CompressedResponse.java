package dev.peregrine.http.coding;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response whose content is compressed if that pays; decided when the content begins. It accepts
 * and rejects the same calls as the wrapped response, which may begin later.
 */
final class CompressedResponse extends ForwardingResponse {
  static final int WHOLE_BYTES_MAX = 64 * 1024;

  private final int bytesMin;
  private final Request request;
  private final @Nullable EncoderPool encoders; // of the coding to use; null for none
  private final ResponseFacts facts;
  private final HeldLength length = new HeldLength();
  private @Nullable CompressedStream stream;
  private @Nullable CompressedOutputStream output;
  private boolean begun; // the handler has chosen how the content is sent
  private boolean committing; // callbacks run that may still change fields
  private boolean sent;
  private boolean later; // the handler completes the response after its return
  private boolean watched;
  private volatile EncoderPool.@Nullable Lease lease; // of content that is sent piece by piece
  private volatile boolean released; // a later lease is released at once

  /**
   * Creates a response.
   *
   * @param encoders of the coding to use; null for none
   * @param bytesMin the least length of compressed content
   * @param types the media types to compress
   */
  CompressedResponse(
      Request request,
      Response target,
      @Nullable EncoderPool encoders,
      int bytesMin,
      Predicate<String> types) {
    super(target);
    this.request = request;
    this.encoders = encoders;
    this.bytesMin = bytesMin;
    this.facts = new ResponseFacts(target, types);
  }

  /** Releases the encoder, and lets no thread write any more. */
  void abandon() {
    release();
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
    if (!later && mayWait() && (stream != null || output != null)) {
      complete();
    }
  }

  /** Gives the encoder back; on any thread. */
  private void release() {
    released = true; // first: a thread that takes a lease meanwhile checks it afterwards
    EncoderPool.Lease current = lease;
    if (current != null) {
      current.close();
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
  private void beginContent() {
    checkOpen();
    begun = true;
  }

  private void checkOpen() {
    checkNotBegun();
    wrapped().addHeaders(PreparedFields.NONE); // adds nothing, but is checked
  }

  private void checkNotBegun() {
    if (begun && !committing) { // if it isn't the event loop that asks, the response throws
      throw new IllegalStateException("the response has been sent already");
    }
  }

  // ---- content ----

  @Override
  public void send(byte[] content) {
    send(ByteBuffer.wrap(content));
  }

  @Override
  public void send(ByteBuffer content) {
    Objects.requireNonNull(content, "content");
    beginContent();
    sent = true;
    if (isDeclaredOnly(content.remaining())) {
      sendDeclared();
    } else if (isOfWrongLength(content.remaining()) || !begin(content.remaining())) {
      sendPlain(content);
    } else if (content.remaining() <= WHOLE_BYTES_MAX) {
      sendWhole(content);
    } else {
      EncoderPool.Lease encoding = lease();
      if (encoding == null) {
        sendPlain(content);
      } else if (isHead()) {
        try (encoding) {
          open(encoding).complete();
        }
      } else {
        wrapped().async();
        open(encoding).writeAll(content.duplicate());
      }
    }
  }

  /** Returns true if a response has the length of content that isn't given: to HEAD, or a 304. */
  private boolean isDeclaredOnly(long bytes) {
    return bytes == 0 && length.isHeld() && (isHead() || facts.isNotModified());
  }

  /** Responds without the content. A length is known only of content that isn't compressed. */
  private void sendDeclared() {
    try (EncoderPool.Lease encoding = startEncoding()) {
      if (encoding != null) {
        facts.encoded(encoders);
      }
    }
    wrapped().send();
  }

  @Override
  public void sendNotModified(@Nullable ContentType type, long bytes) {
    beginContent();
    sent = true;
    wrapped().status(HttpStatus.NOT_MODIFIED);
    describe(isLong(bytes) && facts.isCompressible(type));
    wrapped().sendNotModified(type, bytes);
  }

  private void sendPlain(ByteBuffer content) {
    length.passTo(wrapped());
    wrapped().send(content);
  }

  private void sendWhole(ByteBuffer content) {
    byte[] encoded = encode(content);
    if (encoded == null) {
      sendPlain(content);
    } else {
      facts.encoded(encoders);
      wrapped().send(encoded);
    }
  }

  /** Returns the content compressed; null if it stays as it is. */
  private byte @Nullable [] encode(ByteBuffer content) {
    try (EncoderPool.Lease encoding = Objects.requireNonNull(encoders).lease()) {
      if (encoding == null) {
        return null;
      }
      byte[] plain = new byte[content.remaining()];
      content.get(content.position(), plain);
      encoding.write(plain, 0, plain.length);
      encoding.finish();
      byte[] encoded = encoding.take(1);
      return encoded.length < plain.length ? encoded : null;
    }
  }

  /** Returns true on the threads of {@code Handlers.blocking}; event loops are not such threads. */
  static boolean mayWait() {
    return Thread.currentThread().isVirtual();
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
    byte[] content = jsonCodec().toBytes(value);
    contentTypeUnlessSet(ContentType.APPLICATION_JSON);
    send(content);
  }

  @Override
  public ResponseStream stream() {
    beginContent();
    EncoderPool.Lease encoding = startEncoding();
    return encoding == null ? wrapped().stream() : open(encoding);
  }

  @Override
  public OutputStream outputStream() {
    beginContent();
    CompressedOutputStream started = new CompressedOutputStream(this);
    output = started;
    return started;
  }

  /** Sends the output stream's content, which turned out to be short, when the handler returns. */
  void closeGathered(byte[] content) throws IOException {
    if (isDeclaredOnly(content.length)) {
      sendDeclared();
      return;
    }
    boolean fits = !isOfWrongLength(content.length) && begin(content.length);
    byte[] encoded = fits ? encode(ByteBuffer.wrap(content)) : null;
    if (encoded == null) {
      length.passTo(wrapped());
    } else {
      facts.encoded(encoders);
    }
    try (OutputStream out = wrapped().outputStream()) {
      out.write(encoded == null ? content : encoded);
    }
  }

  /** Begins content that is sent piece by piece. Returns its encoder; null for no compression. */
  EncoderPool.@Nullable Lease startEncoding() {
    EncoderPool.Lease encoding = begin(length.bytes()) ? lease() : null;
    if (encoding == null) {
      length.passTo(wrapped());
    }
    return encoding;
  }

  /** Starts the response's output stream, for compressed content if there is an encoder. */
  OutputStream openTarget(EncoderPool.@Nullable Lease encoding) {
    if (encoding != null) {
      encodedOrClosed(encoding);
    }
    return wrapped().outputStream();
  }

  private CompressedStream open(EncoderPool.Lease encoding) {
    encodedOrClosed(encoding);
    CompressedStream started =
        new CompressedStream(this, wrapped().stream(), encoding, expectedLength());
    stream = started;
    return started;
  }

  private void encodedOrClosed(EncoderPool.Lease encoding) {
    try {
      facts.encoded(encoders);
    } catch (Throwable ended) {
      encoding.close();
      throw ended;
    }
  }

  /**
   * Takes an encoder for content that is sent piece by piece; null if too many are in use. It is
   * released when the response ends in any way.
   */
  private EncoderPool.@Nullable Lease lease() {
    if (!watched) {
      watched = true;
      wrapped().onAbort(cause -> release()); // first: once it is taken, nothing may fail
    }
    EncoderPool.Lease taken = Objects.requireNonNull(encoders).lease();
    lease = taken;
    if (released && taken != null) {
      taken.close();
    }
    return taken;
  }

  /** Returns the length to expect of content that is compressed piece by piece. */
  DeclaredLength expectedLength() {
    return new DeclaredLength(isHead() ? DeclaredLength.UNKNOWN : length.bytes());
  }

  /** Returns true if the target will reject content of that length. */
  private boolean isOfWrongLength(long bytes) {
    return length.isHeld() && length.bytes() != bytes;
  }

  private boolean isHead() {
    return request.method() == HttpMethod.HEAD;
  }

  /** Returns true if content of that length is to be compressed; sets the Vary field. */
  private boolean begin(long bytes) {
    if (facts.isNotModified()) {
      describe(facts.mayReplace());
      return false;
    }
    boolean partial = facts.isPartial();
    if (!isLong(partial ? facts.wholeLength() : bytes) || !facts.isCompressible()) {
      return false;
    }
    facts.vary();
    return encoders != null && !partial;
  }

  private boolean isLong(long bytes) {
    return bytes == DeclaredLength.UNKNOWN || bytes >= Math.max(bytesMin, 1);
  }

  /** Sets the fields that the content would have if it were sent. */
  private void describe(boolean compressible) {
    if (compressible) {
      facts.vary();
      if (encoders != null) {
        facts.weaken();
        length.drop();
      }
    }
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
      if (sent) {
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
