package dev.peregrine.http.coding;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.HttpMethod;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Passes a response on, compressed if it should be: that is decided when its content begins. */
final class CompressedResponse implements HttpResponse {
  private static final int WHOLE_BYTES_MAX = 64 * 1024;
  private static final int UNKNOWN = -1;

  private final Compression compression;
  private final HttpRequest request;
  private final HttpResponse target;
  private final @Nullable EncoderPool encoders; // of the coding to use; null for none
  private final ResponseFacts facts = new ResponseFacts();
  private @Nullable String contentLength; // kept back, since it may not be the one that is sent
  private @Nullable CompressedStream stream;
  private @Nullable CompressedOutputStream output;
  private boolean sent;
  private boolean later; // the handler has said that it completes the response after its return
  private boolean watched;
  private volatile EncoderPool.@Nullable Lease lease; // of content that is sent piece by piece
  private volatile boolean released; // and any lease after it too

  CompressedResponse(
      Compression compression,
      HttpRequest request,
      HttpResponse target,
      @Nullable EncoderPool encoders) {
    this.compression = compression;
    this.request = request;
    this.target = target;
    this.encoders = encoders;
  }

  /** Gives the encoder back, and lets nobody write any more. */
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
   * The handler has returned normally. If it blocks, what it has left open is ended, as by the
   * server without compression, which could not end the coding.
   */
  void afterHandler() {
    if (!later && mayWait() && (stream != null || output != null)) {
      end();
    }
  }

  /** Gives the encoder back; on any thread. */
  private void release() {
    released = true; // first: who takes a lease meanwhile looks at it afterwards
    EncoderPool.Lease current = lease;
    if (current != null) {
      current.close();
    }
  }

  // ---- head ----

  @Override
  public HttpResponse status(int code) {
    target.status(code);
    facts.status = code;
    return this;
  }

  @Override
  public HttpResponse status(HttpStatus status) {
    return status(status.code());
  }

  @Override
  public HttpResponse header(String name, String value) {
    if (!keepLength(name, value)) {
      target.header(name, value);
      facts.field(name, value);
    }
    return this;
  }

  @Override
  public HttpResponse addHeader(String name, String value) {
    if (!keepLength(name, value)) {
      target.addHeader(name, value);
      facts.field(name, value);
    }
    return this;
  }

  @Override
  public HttpResponse addHeaders(PreparedFields fields) {
    target.addHeaders(fields);
    facts.fields(fields);
    return this;
  }

  @Override
  public HttpResponse contentType(ContentType type) {
    target.contentType(type);
    facts.type(type);
    return this;
  }

  private boolean keepLength(String name, String value) {
    boolean length = name.equalsIgnoreCase("Content-Length") && value.matches("[0-9]{1,18}");
    if (length) {
      contentLength = value;
    }
    return length;
  }

  // ---- content ----

  @Override
  public void send() {
    send(new byte[0]);
  }

  @Override
  public void send(byte[] content) {
    send(ByteBuffer.wrap(content));
  }

  @Override
  public void send(ByteBuffer content) {
    sent = true;
    boolean declared = isHead() && !content.hasRemaining() && contentLength != null;
    if (!begin(declared ? declaredLength() : content.remaining())) {
      sendPlain(content);
    } else if (!isHead() && content.remaining() <= WHOLE_BYTES_MAX) {
      sendWhole(content);
    } else {
      EncoderPool.Lease encoding = lease();
      if (encoding == null) {
        sendPlain(content);
      } else if (isHead()) {
        try (encoding) {
          open(encoding).end();
        }
      } else {
        target.async();
        pump(content.duplicate(), open(encoding));
      }
    }
  }

  private void sendPlain(ByteBuffer content) {
    passLength();
    target.send(content);
  }

  private void sendWhole(ByteBuffer content) {
    byte[] encoded = encode(content);
    if (encoded == null) {
      sendPlain(content);
    } else {
      encoded();
      target.send(encoded);
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

  /**
   * Compresses a piece, and continues when the client has taken it: in a turn of its own, or on a
   * thread that may wait, because a blocking handler's response ends when the handler returns.
   */
  private void pump(ByteBuffer rest, CompressedStream to) {
    try {
      pumpPiece(rest, to);
      while (rest.hasRemaining() && mayWait()) {
        to.awaitWritable();
        pumpPiece(rest, to);
      }
      if (rest.hasRemaining()) {
        to.onWritable(() -> pump(rest, to));
      } else {
        to.end();
      }
    } catch (Throwable failure) {
      to.abandon();
      target.fail(failure);
    }
  }

  private static void pumpPiece(ByteBuffer rest, CompressedStream to) {
    int bytes = Math.min(rest.remaining(), WHOLE_BYTES_MAX);
    to.write(rest.slice(rest.position(), bytes));
    rest.position(rest.position() + bytes);
  }

  /** Returns true on the threads of {@code Handlers.blocking}; event loops are no such threads. */
  private static boolean mayWait() {
    return Thread.currentThread().isVirtual();
  }

  @Override
  public void send(FileChannel file, long position, long count) {
    passLength();
    target.send(file, position, count);
  }

  @Override
  public void send(Path file) {
    passLength();
    target.send(file);
  }

  @Override
  public void text(String content) {
    sendText(ContentType.TEXT_PLAIN_UTF_8, content);
  }

  @Override
  public void html(String content) {
    sendText(ContentType.TEXT_HTML_UTF_8, content);
  }

  private void sendText(ContentType otherwise, String content) {
    if (!facts.hasType()) {
      contentType(otherwise);
    }
    send(content.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void json(Object value) {
    byte[] content = jsonCodec().toBytes(value);
    if (!facts.hasType()) {
      contentType(ContentType.APPLICATION_JSON);
    }
    send(content);
  }

  @Override
  public JsonCodec jsonCodec() {
    return target.jsonCodec();
  }

  @Override
  public ResponseStream stream() {
    EncoderPool.Lease encoding = startEncoding();
    return encoding == null ? target.stream() : open(encoding);
  }

  @Override
  public OutputStream outputStream() {
    CompressedOutputStream started = new CompressedOutputStream(this);
    output = started;
    return started;
  }

  /** Sends the output stream's content, which turned out to be short, when the handler returns. */
  void closeGathered(byte[] content) throws IOException {
    String declared = contentLength;
    byte[] sending = content;
    if (declared != null && Long.parseLong(declared) != content.length) {
      passLength(); // so that it is refused as it would be without compression
    } else if (begin(content.length)) {
      byte[] encoded = encode(ByteBuffer.wrap(content));
      if (encoded == null) {
        passLength();
      } else {
        encoded();
        sending = encoded;
      }
    } else {
      passLength();
    }
    try (OutputStream out = target.outputStream()) {
      out.write(sending);
    }
  }

  /**
   * Begins content that is sent piece by piece. Returns the encoder that it is to be compressed
   * with; null if it stays as it is.
   */
  EncoderPool.@Nullable Lease startEncoding() {
    EncoderPool.Lease encoding = begin(declaredLength()) ? lease() : null;
    if (encoding == null) {
      passLength();
    }
    return encoding;
  }

  /** Starts the response's output stream, for compressed content if there is an encoder. */
  OutputStream openTarget(EncoderPool.@Nullable Lease encoding) {
    if (encoding != null) {
      encodedOrClosed(encoding);
    }
    return target.outputStream();
  }

  private CompressedStream open(EncoderPool.Lease encoding) {
    encodedOrClosed(encoding);
    CompressedStream started = new CompressedStream(target.stream(), encoding);
    stream = started;
    return started;
  }

  private void encodedOrClosed(EncoderPool.Lease encoding) {
    try {
      encoded();
    } catch (Throwable ended) {
      encoding.close();
      throw ended;
    }
  }

  /**
   * Takes an encoder for content that is sent piece by piece, which goes back with the response
   * whatever becomes of it; null if too many are in use.
   */
  private EncoderPool.@Nullable Lease lease() {
    if (!watched) {
      watched = true;
      target.onAbort(cause -> release()); // first: once it is taken, nothing may fail
    }
    EncoderPool.Lease taken = Objects.requireNonNull(encoders).lease();
    lease = taken;
    if (released && taken != null) {
      taken.close();
    }
    return taken;
  }

  private long declaredLength() {
    return contentLength == null ? UNKNOWN : Long.parseLong(contentLength);
  }

  private boolean isHead() {
    return request.method() == HttpMethod.HEAD;
  }

  /** Returns true if content of that length is to be compressed; says on what that depends. */
  private boolean begin(long bytes) {
    if (facts.isNotModified()) {
      vary();
      weaken();
      return false;
    }
    boolean isLong = bytes == UNKNOWN || bytes >= Math.max(compression.bytesMin, 1);
    if (!isLong || !facts.isCompressible(compression.types)) {
      return false;
    }
    vary();
    return encoders != null;
  }

  private void vary() {
    if (!facts.varies()) {
      addHeader("Vary", "Accept-Encoding");
    }
  }

  private void weaken() {
    String tag = facts.weakEntityTag();
    if (tag != null) {
      target.header("ETag", tag);
    }
  }

  private void encoded() {
    target.header("Content-Encoding", Objects.requireNonNull(encoders).coding());
    weaken();
  }

  private void passLength() {
    if (contentLength != null) {
      target.header("Content-Length", contentLength);
      contentLength = null;
    }
  }

  // ---- the rest ----

  @Override
  public void upgrade(String protocol, RawListener listener) {
    target.upgrade(protocol, listener);
  }

  @Override
  public void tunnel(RawListener listener) {
    target.tunnel(listener);
  }

  @Override
  public HttpResponse async() {
    later = true;
    target.async();
    return this;
  }

  @Override
  public HttpResponse async(Duration beginsWithin) {
    later = true;
    target.async(beginsWithin);
    return this;
  }

  @Override
  public HttpResponse async(Supplier<? extends CompletionStage<?>> work) {
    later = true;
    target.async(work); // if it fails, onAbort gives the encoder back
    return this;
  }

  @Override
  public HttpResponse onAbort(Consumer<IOException> callback) {
    target.onAbort(callback);
    return this;
  }

  @Override
  public HttpResponse onClientClosed(Runnable callback) {
    target.onClientClosed(callback);
    return this;
  }

  @Override
  public HttpResponse onShutdown(Runnable callback) {
    target.onShutdown(callback);
    return this;
  }

  @Override
  public void execute(Runnable work) {
    target.execute(work);
  }

  @Override
  public void fail(Throwable cause) {
    abandon();
    target.fail(cause);
  }

  @Override
  public void end() {
    try {
      if (sent) {
        return;
      }
      if (output != null) {
        output.close();
      } else if (stream != null) {
        stream.endUnlessContinued();
      } else {
        target.end();
      }
    } catch (IOException lost) {
      fail(lost);
    }
  }

  @Override
  public boolean isCommitted() {
    return target.isCommitted();
  }
}
