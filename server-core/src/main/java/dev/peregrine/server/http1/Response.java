package dev.peregrine.server.http1;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.parser.HttpMethod;
import dev.peregrine.parser.HttpVersion;
import dev.peregrine.server.connection.CloseReason;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.server.memory.OutboundQueue;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handler's side of a response. What was set is kept until the first content is sent; then the
 * head is encoded in one go, in a turn of the connection.
 *
 * <pre>
 *   OPEN ──send──────────────────▶ ENDED      (whole: head and content at once)
 *     └───stream──▶ STREAMING ──end──▶ ENDED  (piece by piece)
 * </pre>
 */
final class Response implements HttpResponse {
  private enum State {
    OPEN,
    STREAMING,
    ENDED
  }

  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");
  private static final byte[] NOTHING = {};
  static final FieldLines NO_FIELDS = new FieldLines();
  private static final int STATUS_MIN = 200;
  private static final int STATUS_MAX = 599;
  private static final int NO_CONTENT = 204;
  private static final int RESET_CONTENT = 205;
  private static final int MULTIPLE_CHOICES = 300;
  private static final int NOT_MODIFIED = 304;
  private static final long UNDECLARED = -1;

  private static final VarHandle COMMITTED;

  private final Exchange exchange;
  private final FieldLines fields = new FieldLines();
  private State state = State.OPEN; // what the handler has done
  private int status = HttpStatus.OK.code();
  private @Nullable ContentType type;
  private long declaredLength = UNDECLARED;
  private boolean closeRequested;
  private @Nullable ContentStream stream;
  private @Nullable ContentOutputStream output;
  private @Nullable Consumer<IOException> onAbort; // the loop's
  private volatile boolean committed; // what the loop has done
  private boolean complete;

  static {
    try {
      COMMITTED = MethodHandles.lookup().findVarHandle(Response.class, "committed", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  Response(Exchange exchange) {
    this.exchange = exchange;
  }

  // ---- the loop's side ----

  void reset() {
    state = State.OPEN;
    status = HttpStatus.OK.code();
    type = null;
    declaredLength = UNDECLARED;
    closeRequested = false;
    if (stream != null) {
      stream.close();
      stream = null;
    }
    output = null;
    setCommitted(false);
    complete = false;
    if (onAbort != null) {
      onAbort = null;
    }
    fields.reset();
  }

  /** Whether the handler has done its part. */
  boolean isEnded() {
    return state == State.ENDED;
  }

  /** Whether the handler hasn't begun to answer. */
  boolean isUntouched() {
    return state == State.OPEN;
  }

  /** Whether everything has been added to what goes out. */
  boolean isComplete() {
    return complete;
  }

  void complete() {
    complete = true;
  }

  long declaredLength() {
    return declaredLength;
  }

  /** The handler's answer can't be completed: wakes whoever waits for that. */
  void abandon(IOException cause) {
    if (stream != null) {
      stream.abandon(cause);
    }
    Consumer<IOException> callback = onAbort;
    if (callback != null && !complete) {
      onAbort = null;
      tell(callback, cause);
    }
  }

  private void tell(Consumer<IOException> callback, IOException cause) {
    try {
      callback.accept(cause);
    } catch (Throwable thrown) {
      LOGGER.log(Level.ERROR, "onAbort failed: " + exchange.request.describe(), thrown);
    }
  }

  void onWritable() {
    if (stream != null) {
      stream.onWritable();
    }
  }

  /**
   * Answers with an error of the server's own, then closes. What the handler has set is not
   * touched: its thread may be at it.
   */
  void sendError(int code, @Nullable String text) {
    HttpStatus known = HttpStatus.of(code);
    String line = text != null ? text : known != null ? known.reason() : "";
    sendError(code, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Like {@link #sendError(int, String)}. */
  void sendError(int code, byte[] content) {
    if (stream != null || onAbort != null) {
      abandon(new IOException("the exchange has failed"));
    }
    exchange.closeAfter();
    setCommitted(true);
    complete = true;
    OutboundQueue out = exchange.connection().out();
    exchange.http1.encoder.head(
        out, code, ContentType.TEXT_PLAIN_UTF_8, NO_FIELDS, content.length, true, false);
    if (!exchange.isHead()) {
      out.append(content, 0, content.length);
    }
  }

  /**
   * Encodes the head.
   *
   * @param length the content's length, or {@link ResponseEncoder#CHUNKED} for any
   * @return the length, or how the end of the content is marked
   */
  long commit(long length) {
    boolean oldVersion = exchange.head.version() == HttpVersion.HTTP_1_0;
    long framing = length;
    if (status == NO_CONTENT || status == NOT_MODIFIED) {
      framing = ResponseEncoder.NO_CONTENT;
    } else if (status == RESET_CONTENT) {
      framing = 0;
    } else if (isTunnelAnswer()) {
      framing = ResponseEncoder.NO_CONTENT;
      exchange.closeAfter();
    } else if (length == ResponseEncoder.CHUNKED && oldVersion) {
      framing = ResponseEncoder.TO_CLOSE;
      exchange.closeAfter();
    }
    if (closeRequested
        || exchange.http1.isDraining()
        || (!exchange.content.isAsked() && !exchange.content.isCheapToDiscard())) {
      exchange.closeAfter();
    }
    if (fields.length() > 0 && fields.has("Upgrade")) {
      fields.add("Connection", "Upgrade");
    }
    boolean close = exchange.isClose();
    setCommitted(true);
    exchange.http1.encoder.head(
        exchange.connection().out(), status, type, fields, framing, close, oldVersion && !close);
    return framing;
  }

  /** Whether content may follow the head. */
  boolean hasContent() {
    return !exchange.isHead()
        && status != NO_CONTENT
        && status != NOT_MODIFIED
        && status != RESET_CONTENT
        && !isTunnelAnswer();
  }

  /**
   * A success that makes a tunnel of the connection in the client's eyes (RFC 9110 section 9.3.6).
   */
  private boolean isTunnelAnswer() {
    return exchange.head.method() == HttpMethod.CONNECT && status < MULTIPLE_CHOICES;
  }

  private void sendWhole(byte @Nullable [] array, @Nullable ByteBuffer buffer) {
    long length = array != null ? array.length : buffer != null ? buffer.remaining() : 0;
    if (commitWhole(length)) {
      OutboundQueue out = exchange.connection().out();
      if (array != null) {
        out.append(array, 0, array.length);
      } else if (buffer != null) {
        out.append(buffer);
      }
      complete = true;
    }
  }

  private void sendFile(FileChannel file, long position, long length) {
    if (!commitWhole(length)) {
      OpenFile.close(file);
      return;
    }
    try {
      exchange.connection().out().append(new OpenFile(file), position, length);
      complete = true;
    } catch (IOException lost) {
      exchange.fail(lost);
    }
  }

  /**
   * Encodes the head of a response whose length is known. Returns whether its content is to be
   * added; if not, the response is complete or has failed.
   */
  private boolean commitWhole(long contentLength) {
    if (complete || exchange.isEnded()) {
      return false;
    }
    long length = contentLength;
    boolean differs = declaredLength != UNDECLARED && declaredLength != length;
    if (differs && exchange.isHead() && length == 0) {
      length = declaredLength;
    } else if (differs && (exchange.isHead() || hasContent())) {
      exchange.fail(wrongLength(length));
      return false;
    }
    if (!exchange.content.isCheapToDiscard()) {
      exchange.closeAfter(); // said now, since the rest of the request won't be read
    }
    commit(length);
    complete = !hasContent();
    return !complete;
  }

  IllegalStateException wrongLength(long bytes) {
    return new IllegalStateException(
        "Content-Length was set to "
            + declaredLength
            + ", but the content has "
            + bytes
            + " bytes");
  }

  // ---- the handler's side ----

  @Override
  public HttpResponse status(int code) {
    checkOpen();
    if (code < STATUS_MIN || code > STATUS_MAX) {
      throw new IllegalArgumentException("status " + code + " is not 200 to 599");
    }
    status = code;
    return this;
  }

  @Override
  public HttpResponse status(HttpStatus code) {
    return status(code.code());
  }

  @Override
  public HttpResponse header(String name, String value) {
    checkOpen();
    FieldLines.check(name, value);
    if (!isServers(name, value)) {
      if (name.equalsIgnoreCase("Content-Type")) {
        type = null;
      }
      fields.set(name, value);
    }
    return this;
  }

  @Override
  public HttpResponse addHeader(String name, String value) {
    checkOpen();
    FieldLines.check(name, value);
    if (!isServers(name, value)) {
      fields.add(name, value);
    }
    return this;
  }

  @Override
  public HttpResponse addHeaders(PreparedFields prepared) {
    checkOpen();
    fields.add(prepared);
    return this;
  }

  @Override
  public HttpResponse contentType(ContentType contentType) {
    checkOpen();
    if (fields.length() > 0) {
      fields.remove("Content-Type");
    }
    type = contentType;
    return this;
  }

  @Override
  public HttpResponse contentLength(long bytes) {
    checkOpen();
    if (bytes < 0) {
      throw new IllegalArgumentException("contentLength is " + bytes + ", but must be at least 0");
    }
    declaredLength = bytes;
    return this;
  }

  @Override
  public void send() {
    send(NOTHING);
  }

  @Override
  public void send(byte[] content) {
    checkOpen();
    state = State.ENDED;
    if (exchange.isInTurn()) {
      sendWhole(content, null);
    } else {
      exchange.execute(() -> sendWhole(content, null));
    }
  }

  @Override
  public void send(ByteBuffer content) {
    checkOpen();
    state = State.ENDED;
    if (exchange.isInTurn()) {
      sendWhole(null, content);
    } else {
      exchange.execute(() -> sendWhole(null, content));
    }
  }

  @Override
  public void send(FileChannel file, long position, long count) {
    FileParts.check(position, count);
    checkOpen();
    state = State.ENDED;
    deliver(file, position, count);
  }

  @Override
  public void send(Path file) {
    checkOpen();
    state = State.ENDED;
    if (exchange.http1.loop.isCurrent()) {
      exchange.async();
      Thread.ofVirtual().name("peregrine-file").start(() -> open(file));
    } else {
      open(file);
    }
  }

  @SuppressWarnings("MustBeClosed") // by the loop, when it was sent
  private void open(Path file) {
    try {
      FileChannel channel = FileParts.open(file);
      deliver(channel, 0, channel.size());
    } catch (IOException failure) {
      fail(failure);
    }
  }

  private void deliver(FileChannel file, long position, long count) {
    if (exchange.isInTurn()) {
      sendFile(file, position, count);
    } else {
      exchange.execute(() -> sendFile(file, position, count));
    }
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
    checkOpen();
    typeUnlessSet(otherwise);
    send(content.getBytes(StandardCharsets.UTF_8));
  }

  private void typeUnlessSet(ContentType otherwise) {
    if (type == null && (fields.length() == 0 || !fields.has("Content-Type"))) {
      type = otherwise;
    }
  }

  @Override
  public JsonCodec jsonCodec() {
    return exchange.http1.json();
  }

  @Override
  public void json(Object value) {
    checkOpen();
    JsonCodec codec = jsonCodec();
    typeUnlessSet(ContentType.APPLICATION_JSON);
    if (exchange.isInTurn()) {
      sendJson(codec, value);
    } else {
      send(codec.toBytes(value));
    }
  }

  private void sendJson(JsonCodec codec, Object value) {
    PooledOutput content = exchange.http1.pooledOutput();
    try {
      codec.write(value, content);
      state = State.ENDED;
      if (commitWhole(content.length())) {
        content.moveTo(exchange.connection().out());
        complete = true;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      content.clear();
    }
  }

  @Override
  public ResponseStream stream() {
    checkOpen();
    state = State.STREAMING;
    stream = new ContentStream(exchange, this);
    return stream;
  }

  @Override
  public OutputStream outputStream() {
    checkOpen();
    state = State.STREAMING;
    output = new ContentOutputStream(exchange, this);
    return output;
  }

  /** The output stream's content turned out to be short: sends it whole. */
  void sendBuffered(byte[] content) {
    state = State.OPEN;
    send(content);
  }

  /** The output stream's content turned out to be long. */
  ContentStream streamBuffered() {
    ContentStream started = new ContentStream(exchange, this);
    stream = started;
    return started;
  }

  void endStream() {
    state = State.ENDED;
  }

  @Override
  public void upgrade(String protocol, RawListener listener) {
    checkOpen();
    FieldLines.check("Upgrade", protocol);
    if (!exchange.head.isUpgrade()) {
      throw new IllegalStateException("the request is no upgrade: see HttpRequest.isUpgrade");
    }
    if (!exchange.request.offersUpgradeTo(protocol)) {
      throw new IllegalArgumentException("the client did not offer to switch to " + protocol);
    }
    if (!exchange.content.isEnded()) {
      throw new IllegalStateException("the content of an upgrade has to be read first");
    }
    fields.set("Upgrade", protocol);
    fields.add("Connection", "Upgrade");
    handOver(HttpStatus.SWITCHING_PROTOCOLS.code(), listener);
  }

  @Override
  public void tunnel(RawListener listener) {
    checkOpen();
    if (exchange.head.method() != HttpMethod.CONNECT) {
      throw new IllegalStateException("the request is no CONNECT");
    }
    handOver(HttpStatus.OK.code(), listener);
  }

  private void handOver(int code, RawListener listener) {
    state = State.ENDED;
    if (exchange.isInTurn()) {
      doHandOver(code, listener);
    } else {
      exchange.execute(() -> doHandOver(code, listener));
    }
  }

  private void doHandOver(int code, RawListener listener) {
    if (complete || exchange.isEnded()) {
      return;
    }
    setCommitted(true);
    complete = true;
    if (exchange.content.isContinueOwed()) {
      exchange.http1.encoder.continueInterim(connection().out());
    }
    exchange.http1.encoder.head(
        connection().out(), code, type, fields, ResponseEncoder.NO_CONTENT, false, false);
    exchange.handOver(new Tunnel(connection(), listener, exchange.http1.highWaterBytes));
  }

  @Override
  public HttpResponse async() {
    exchange.async();
    return this;
  }

  @Override
  public HttpResponse async(Supplier<? extends CompletionStage<?>> work) {
    exchange.async();
    work.get()
        .whenComplete(
            (ignored, failure) -> {
              Throwable cause =
                  failure instanceof CompletionException ? failure.getCause() : failure;
              if (cause != null) {
                fail(cause);
              } else {
                exchange.execute(this::requireStarted);
              }
            });
    return this;
  }

  @Override
  public void execute(Runnable work) {
    if (!exchange.isCallers()) {
      return;
    }
    exchange.execute(
        () -> {
          if (!exchange.isEnded()) {
            try {
              work.run();
            } catch (Throwable failure) {
              exchange.fail(failure);
            }
          }
        });
  }

  @Override
  public HttpResponse onAbort(Consumer<IOException> callback) {
    if (state == State.ENDED || exchange.isEnded()) {
      tellIfAborted(callback);
      return this;
    }
    exchange.checkUsable();
    if (exchange.isInTurn()) {
      addOnAbort(callback);
    } else {
      exchange.execute(() -> addOnAbort(callback));
    }
    return this;
  }

  private void addOnAbort(Consumer<IOException> callback) {
    if (complete || exchange.isEnded()) {
      tellIfAborted(callback);
    } else {
      onAbort = onAbort == null ? callback : onAbort.andThen(callback);
    }
  }

  /** It is over: calls back unless the handler had its answer ready. */
  private void tellIfAborted(Consumer<IOException> callback) {
    if (state != State.ENDED) {
      tell(callback, new IOException("the exchange has ended"));
    }
  }

  private void requireStarted() {
    if (state == State.OPEN && !complete && !exchange.isEnded()) {
      exchange.fail(new IllegalStateException("the work ended without an answer"));
    }
  }

  @Override
  public void fail(Throwable cause) {
    if (!exchange.isCallers()) {
      return;
    }
    if (exchange.isInTurn()) {
      exchange.fail(cause);
    } else {
      exchange.execute(() -> exchange.fail(cause));
    }
  }

  @Override
  public void end() {
    if (state == State.ENDED || exchange.isEnded() || !exchange.isCallers()) {
      return;
    }
    try {
      if (output != null) {
        output.close();
      } else if (stream != null) {
        stream.end();
      } else {
        fail(new IllegalStateException("the handler returned without an answer"));
      }
    } catch (IOException lost) {
      exchange.execute(() -> exchange.connection().abort(CloseReason.RESET));
    }
  }

  @Override
  public boolean isCommitted() {
    return committed;
  }

  /** Twice per request: a release needs no fence, and nothing that comes after it depends on it. */
  private void setCommitted(boolean value) {
    COMMITTED.setRelease(this, value);
  }

  private void checkOpen() {
    exchange.checkUsable();
    if (state != State.OPEN) {
      throw new IllegalStateException("the response has been sent already");
    }
  }

  /** Fields that the server frames the message by: takes what they say instead of sending them. */
  private boolean isServers(String name, String value) {
    if (name.equalsIgnoreCase("Content-Length")) {
      declaredLength = parseLength(value);
      return true;
    }
    if (name.equalsIgnoreCase("Transfer-Encoding")) {
      throw new IllegalArgumentException("Transfer-Encoding is set by the server");
    }
    if (name.equalsIgnoreCase("Connection")) {
      if (!value.equalsIgnoreCase("close")) {
        throw new IllegalArgumentException("Connection is set by the server, but for \"close\"");
      }
      closeRequested = true;
      return true;
    }
    return false;
  }

  private static long parseLength(String value) {
    try {
      long length = Long.parseLong(value);
      if (length >= 0 && Character.isDigit(value.charAt(0))) {
        return length;
      }
    } catch (NumberFormatException notANumber) {
      // Said below.
    }
    throw new IllegalArgumentException("not a Content-Length: " + value);
  }

  private Connection connection() {
    return exchange.connection();
  }
}
