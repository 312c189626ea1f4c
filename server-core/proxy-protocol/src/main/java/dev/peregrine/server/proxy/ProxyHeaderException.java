package dev.peregrine.server.proxy;

import java.io.IOException;

/** A header that isn't valid. Has no stack, because peers can cause it. */
final class ProxyHeaderException extends IOException {
  private static final long serialVersionUID = 1;

  ProxyHeaderException(String message) {
    super(message);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
