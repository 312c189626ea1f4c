package dev.peregrine.http.context;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Content that is received in a context. */
final class ContextBody implements RequestBody {
  private final RequestBody wrapped;
  private final CallContext context;

  ContextBody(RequestBody wrapped, CallContext context) {
    this.wrapped = wrapped;
    this.context = context;
  }

  @Override
  public void receive(BodyListener listener) {
    wrapped.receive(new Listener(Objects.requireNonNull(listener, "listener"), context));
  }

  @Override
  public void receiveAll(int bytesMax, Consumer<byte[]> whenRead) {
    wrapped.receiveAll(bytesMax, ContextCallbacks.in(context, whenRead));
  }

  @Override
  public long length() {
    return wrapped.length();
  }

  @Override
  public RequestBody maxBytes(long bytesMax) {
    wrapped.maxBytes(bytesMax);
    return this;
  }

  @Override
  public RequestBody openEnded() {
    wrapped.openEnded();
    return this;
  }

  @Override
  public InputStream inputStream() {
    return wrapped.inputStream();
  }

  @Override
  public byte[] readAll(int bytesMax) throws IOException {
    return wrapped.readAll(bytesMax);
  }

  @Override
  public void pause() {
    wrapped.pause();
  }

  @Override
  public void resume() {
    wrapped.resume();
  }

  @Override
  public @Nullable String trailer(String name) {
    return wrapped.trailer(name);
  }

  private record Listener(BodyListener wrapped, CallContext context) implements BodyListener {
    @Override
    public void onData(Bytes data) throws Exception {
      context.run(() -> wrapped.onData(data));
    }

    @Override
    public void onEnd() throws Exception {
      context.run(wrapped::onEnd);
    }

    @Override
    public void onError(IOException cause) {
      ContextCallbacks.run(context, () -> wrapped.onError(cause));
    }
  }
}
