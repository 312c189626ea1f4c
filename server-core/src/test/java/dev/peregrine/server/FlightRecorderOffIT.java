package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.peregrine.http.Handler;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server costs nothing more when a recording has ended, over sockets. */
final class FlightRecorderOffIT {
  @RegisterExtension final Servers servers = new Servers();

  @OnlyHttp1("HTTP/2 allocates for each stream")
  @Test
  void aRequestAllocatesNothingAfterARecording() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    AtomicLong before = new AtomicLong();
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    byte[] content = Requests.bytes("ok");
    Handler handler =
        (request, response) -> {
          long now = threads.getCurrentThreadAllocatedBytes();
          if (request.pathIs("/second")) {
            least.setPlain(Math.min(least.getPlain(), now - before.getPlain()));
          }
          response.send(content);
          before.setPlain(threads.getCurrentThreadAllocatedBytes());
        };
    byte[] both = Requests.join(Requests.get("/first"), Requests.get("/second"));
    HttpServer server;
    RawClient client;
    try (Recording recording = new Recording()) {
      recording.start();
      server = servers.start(handler);
      client = servers.connect(server);
      exchange(client, both);
    }

    // Only compiled code allocates nothing, and the time until it is compiled depends on the
    // machine.
    Await.until(
        () -> "an exchange allocates " + least.get() + " bytes",
        () -> {
          for (int i = 0; i < 100; i++) {
            exchange(client, both);
          }
          return least.get() == 0;
        });
  }

  private static void exchange(RawClient client, byte[] both) {
    client.send(both);
    assertThat(client.read().status()).isEqualTo(200);
    assertThat(client.read().status()).isEqualTo(200);
  }
}
