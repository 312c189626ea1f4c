package dev.peregrine.server;

import dev.peregrine.http.Handler;
import dev.peregrine.testing.AllocationProbe;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A health check allocates nothing on the event loop, over sockets. */
final class HealthAllocationIT {
  @RegisterExtension final Servers servers = new Servers();

  private final Health health = new Health().check("stock", () -> true);

  private void expectNoAllocation(Handler check) {
    AllocationProbe probe = new AllocationProbe(check);
    HttpServer server = servers.start(probe, options -> options.health(health));
    RawClient client = servers.connect(server);

    probe.awaitNothing(client, Requests.get("/x/first"), Requests.get("/x/second"));
  }

  @Test
  void livenessAllocatesNothing() {
    expectNoAllocation(health.liveness());
  }

  @Test
  void readinessAllocatesNothing() {
    expectNoAllocation(health.readiness());
  }
}
