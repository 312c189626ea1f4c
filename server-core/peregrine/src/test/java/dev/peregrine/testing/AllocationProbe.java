package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A handler that measures the heap bytes that its event loop allocates between two pipelined
 * requests, to {@code /x/first} and {@code /x/second}.
 */
public final class AllocationProbe implements Handler {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final AtomicLong before = new AtomicLong();
  private final AtomicLong least = new AtomicLong(Long.MAX_VALUE);
  private final Handler measured;

  /** A probe that sends a short response. */
  public AllocationProbe() {
    byte[] content = Requests.bytes("ok");
    this((request, response) -> response.send(content));
  }

  /** A probe that measures a handler too, which answers 200. */
  public AllocationProbe(Handler measured) {
    this.measured = measured;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    long now = threads.getCurrentThreadAllocatedBytes();
    if (request.pathIs("/x/second")) {
      least.setPlain(Math.min(least.getPlain(), now - before.getPlain()));
    }
    before.setPlain(threads.getCurrentThreadAllocatedBytes());
    measured.handle(request, response);
  }

  /**
   * Sends both requests until nothing is allocated between them. Only compiled code allocates
   * nothing, and the time until it is compiled depends on the machine.
   */
  public void awaitNothing(RawClient client, byte[] first, byte[] second) {
    byte[] both = Requests.join(first, second);
    Await.until(
        () -> "an exchange allocates " + least.get() + " bytes",
        () -> {
          for (int i = 0; i < 100; i++) {
            client.send(both);
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(200);
          }
          return least.get() == 0;
        });
  }
}
