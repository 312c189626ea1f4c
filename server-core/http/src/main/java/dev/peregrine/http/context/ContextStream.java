package dev.peregrine.http.context;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.ResponseStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.function.Consumer;

/** A stream whose callbacks run in a context. */
final class ContextStream implements ResponseStream {
  private final ResponseStream wrapped;
  private final CallContext context;

  ContextStream(ResponseStream wrapped, CallContext context) {
    this.wrapped = wrapped;
    this.context = context;
  }

  @Override
  public void onWritable(Runnable callback) {
    wrapped.onWritable(ContextCallbacks.in(context, callback));
  }

  @Override
  public ResponseStream write(ByteBuffer source, Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(source, "source");
    wrapped.write(source, LeaseInContext.of(context, source, whenSent));
    return this;
  }

  @Override
  public boolean isWritable() {
    return wrapped.isWritable();
  }

  @Override
  public void awaitWritable() throws IOException {
    wrapped.awaitWritable();
  }

  @Override
  public boolean hasContent() {
    return wrapped.hasContent();
  }

  @Override
  public ResponseStream write(byte[] source) {
    wrapped.write(source);
    return this;
  }

  @Override
  public ResponseStream write(byte[] source, int from, int length) {
    wrapped.write(source, from, length);
    return this;
  }

  @Override
  public ResponseStream write(ByteBuffer source) {
    wrapped.write(source);
    return this;
  }

  @Override
  public ResponseStream write(Bytes source) {
    wrapped.write(source);
    return this;
  }

  @Override
  public ResponseStream write(FileChannel source, long position, long count) {
    wrapped.write(source, position, count);
    return this;
  }

  @Override
  public void flush() {
    wrapped.flush();
  }

  @Override
  public ResponseStream trailer(String name, String value) {
    wrapped.trailer(name, value);
    return this;
  }

  @Override
  public void complete() {
    wrapped.complete();
  }

  @Override
  public void completeNow() {
    wrapped.completeNow();
  }
}
