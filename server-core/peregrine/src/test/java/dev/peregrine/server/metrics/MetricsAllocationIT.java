package dev.peregrine.server.metrics;

import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.AllocationProbe;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Counting an exchange allocates nothing on the event loop, over sockets. */
final class MetricsAllocationIT {
  @RegisterExtension final Servers servers = new Servers();

  @Test
  void countingAnExchangeAllocatesNothing() {
    AllocationProbe probe = new AllocationProbe();
    HttpServer server =
        servers.start(
            Routes.builder().get("/x/{name}", probe).build(),
            options -> options.serverListener(new ServerMetrics()));
    RawClient client = servers.connect(server);

    probe.awaitNothing(client, Requests.get("/x/first"), Requests.get("/x/second"));
  }
}
