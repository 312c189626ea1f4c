package dev.peregrine.testing.http2;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The handlers of {@link Site}, and one at {@code /wait} that leaves its response to the test. */
public final class WaitingSite implements Handler {
  private final BlockingQueue<Response> pending = new LinkedBlockingQueue<>();

  @Override
  public void handle(Request request, Response response) throws Exception {
    if (request.pathIs("/wait")) {
      pending.add(response.async());
    } else {
      Site.handle(request, response);
    }
  }

  /** Returns the responses that the test has to send, in the order of their requests. */
  public BlockingQueue<Response> pending() {
    return pending;
  }
}
