package dev.peregrine.http.coding;

import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.JsonCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** The part of a response that passes calls on as they are. */
abstract class ForwardingResponse implements HttpResponse {
  final HttpResponse target;

  ForwardingResponse(HttpResponse target) {
    this.target = target;
  }

  @Override
  public final HttpResponse status(HttpStatus status) {
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
  public final HttpResponse onAbort(Consumer<IOException> callback) {
    target.onAbort(callback);
    return this;
  }

  @Override
  public final HttpResponse onClientClosed(Runnable callback) {
    target.onClientClosed(callback);
    return this;
  }

  @Override
  public final HttpResponse onShutdown(Runnable callback) {
    target.onShutdown(callback);
    return this;
  }

  @Override
  public final void execute(Runnable work) {
    target.execute(work);
  }

  @Override
  public final boolean isCommitted() {
    return target.isCommitted();
  }
}
