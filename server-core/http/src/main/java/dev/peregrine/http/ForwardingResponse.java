package dev.peregrine.http;

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
 * A response that wraps another one. A filter extends it and overrides the methods that it changes.
 *
 * <p>Each method calls the same method of the wrapped response, except for those that {@link
 * Response} defines by other methods: {@code status(HttpStatus)}, {@code setCookie}, {@code
 * earlyHints}, {@code redirect}, {@link #send()}, {@link #text}, {@link #html} and {@code
 * send(Flow.Publisher)}. Leave those as they are: they use the methods of this object, so a filter
 * that overrides {@link #send(byte[])} has changed what {@link #text} sends, and one that overrides
 * {@link #stream} what a publisher sends. Methods that return the response return this object.
 *
 * <p>A filter that changes the content overrides {@code send} for arrays, buffers (both methods)
 * and files, {@link #json}, {@link #stream} and {@link #outputStream}. One that only wants to know
 * how the exchange ended needs no wrapper: see {@link #onComplete}.
 */
public class ForwardingResponse implements Response {
  private final Response wrapped;

  /** Wraps a response. */
  public ForwardingResponse(Response wrapped) {
    this.wrapped = Objects.requireNonNull(wrapped);
  }

  /** Returns the wrapped response. */
  protected final Response wrapped() {
    return wrapped;
  }

  // ---- head ----

  @Override
  public Response status(int code) {
    wrapped.status(code);
    return this;
  }

  @Override
  public int status() {
    return wrapped.status();
  }

  @Override
  public Response header(String name, String value) {
    wrapped.header(name, value);
    return this;
  }

  @Override
  public @Nullable String header(String name) {
    return wrapped.header(name);
  }

  @Override
  public List<String> headers(String name) {
    return wrapped.headers(name);
  }

  @Override
  public Response addHeader(String name, String value) {
    wrapped.addHeader(name, value);
    return this;
  }

  @Override
  public Response addHeaders(PreparedFields fields) {
    wrapped.addHeaders(fields);
    return this;
  }

  @Override
  public Response contentType(ContentType type) {
    wrapped.contentType(type);
    return this;
  }

  @Override
  public Response contentTypeUnlessSet(ContentType type) {
    wrapped.contentTypeUnlessSet(type);
    return this;
  }

  @Override
  public Response contentLength(long bytes) {
    wrapped.contentLength(bytes);
    return this;
  }

  @Override
  public Response interim(int status, PreparedFields fields) {
    wrapped.interim(status, fields);
    return this;
  }

  // ---- content ----

  @Override
  public void sendNotModified(@Nullable ContentType type, long bytes) {
    wrapped.sendNotModified(type, bytes);
  }

  @Override
  public void send(byte[] content) {
    wrapped.send(content);
  }

  @Override
  public void send(ByteBuffer content) {
    wrapped.send(content);
  }

  @Override
  public void send(ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    wrapped.send(content, whenSent);
  }

  @Override
  public void send(FileChannel file, long position, long count) {
    wrapped.send(file, position, count);
  }

  @Override
  public void send(Path file) {
    wrapped.send(file);
  }

  @Override
  public void json(Object value) {
    wrapped.json(value);
  }

  @Override
  public JsonCodec jsonCodec() {
    return wrapped.jsonCodec();
  }

  @Override
  public ResponseStream stream() {
    return wrapped.stream();
  }

  @Override
  public OutputStream outputStream() {
    return wrapped.outputStream();
  }

  @Override
  public void upgrade(String protocol, RawListener listener) {
    wrapped.upgrade(protocol, listener);
  }

  @Override
  public void webSocket(WebSocketOptions options, WebSocketListener listener) {
    wrapped.webSocket(options, listener);
  }

  @Override
  public void tunnel(RawListener listener) {
    wrapped.tunnel(listener);
  }

  // ---- threads and the end ----

  @Override
  public Response async() {
    wrapped.async();
    return this;
  }

  @Override
  public Response async(Duration beginsWithin) {
    wrapped.async(beginsWithin);
    return this;
  }

  @Override
  public Response async(Supplier<? extends CompletionStage<?>> work) {
    wrapped.async(work);
    return this;
  }

  @Override
  public void onLoop(Runnable work) {
    wrapped.onLoop(work);
  }

  @Override
  public ScheduledWork onLoopAfter(Duration delay, Runnable work) {
    return wrapped.onLoopAfter(delay, work);
  }

  @Override
  public Response onAbort(Consumer<IOException> callback) {
    wrapped.onAbort(callback);
    return this;
  }

  @Override
  public Response onClientClosed(Runnable callback) {
    wrapped.onClientClosed(callback);
    return this;
  }

  @Override
  public Response onShutdown(Runnable callback) {
    wrapped.onShutdown(callback);
    return this;
  }

  @Override
  public Response beforeCommit(Runnable callback) {
    wrapped.beforeCommit(callback);
    return this;
  }

  @Override
  public Response onComplete(Consumer<Outcome> callback) {
    wrapped.onComplete(callback);
    return this;
  }

  @Override
  public void fail(Throwable cause) {
    wrapped.fail(cause);
  }

  @Override
  public void complete() {
    wrapped.complete();
  }

  @Override
  public boolean isCommitted() {
    return wrapped.isCommitted();
  }
}
