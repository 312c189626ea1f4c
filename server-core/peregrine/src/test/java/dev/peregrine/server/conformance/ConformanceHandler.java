package dev.peregrine.server.conformance;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HttpMethod;

/**
 * Answers 200 to any method on any path, after it has read the whole content; POST and PUT get
 * their content back. Black-box runners expect this of a server.
 */
final class ConformanceHandler implements Handler {
  private static final int BYTES_MAX = 1 << 20;
  private static final byte[] NOTHING = {};

  @Override
  public void handle(Request request, Response response) {
    boolean echo = request.method() == HttpMethod.POST || request.method() == HttpMethod.PUT;
    request.body().receiveAll(BYTES_MAX, content -> response.send(echo ? content : NOTHING));
  }
}
