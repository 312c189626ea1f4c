package dev.peregrine.http.coding;

import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** The part of a response that passes calls on as they are. */
abstract class ForwardingResponse implements Response {
  final Response target;

  ForwardingResponse(Response target) {
    this.target = target;
  }

  @Override
  public final Response status(HttpStatus status) {
    return status(status.code());
  }

  @Override
  public final void send() {
    send(new byte[0]);
  }

  @Override
  public final void send(byte[] content) {
    send(ByteBuffer.wrap(content));
  }

  @Override
  public final JsonCodec jsonCodec() {
    return target.jsonCodec();
  }

  @Override
  public final Response onAbort(Consumer<IOException> callback) {
    target.onAbort(callback);
    return this;
  }

  @Override
  public final Response onClientClosed(Runnable callback) {
    target.onClientClosed(callback);
    return this;
  }

  @Override
  public final Response onShutdown(Runnable callback) {
    target.onShutdown(callback);
    return this;
  }

  @Override
  public final void onLoop(Runnable work) {
    target.onLoop(work);
  }

  @Override
  public final boolean isCommitted() {
    return target.isCommitted();
  }
}
