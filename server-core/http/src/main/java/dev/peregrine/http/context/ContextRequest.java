package dev.peregrine.http.context;

import dev.peregrine.http.ForwardingRequest;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;

/** A request whose content is received in a context. */
final class ContextRequest extends ForwardingRequest {
  private final CallContext context;

  ContextRequest(Request wrapped, CallContext context) {
    super(wrapped);
    this.context = context;
  }

  @Override
  public RequestBody body() {
    return new ContextBody(wrapped().body(), context);
  }
}
