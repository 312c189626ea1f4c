package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The memory of a burst of connections returns to the system. */
final class MemoryReturnIT {
  private static final int SLAB_BYTES = 1024 * 1024;
  private static final int BURST = 300;
  private static final int HALF_HEAD_BYTES = 20_000;

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void returnsTheMemoryOfABurstWhileOneConnectionStaysOpen() {
    HttpServer server =
        servers.start((request, response) -> response.text("served"), options -> options.loops(1));
    RawClient staying = servers.connect(server);
    staying.get("/").read();
    List<RawClient> burst = sendHalfHeads(server);
    Await.until(
        "each connection holds its half",
        () -> server.bufferBytesInUse() >= (long) BURST * HALF_HEAD_BYTES);
    long inUse = server.bufferBytesInUse();
    assertThat(server.bufferBytesReserved()).isGreaterThanOrEqualTo(inUse);

    burst.forEach(RawClient::close);

    Await.until("one is left", () -> server.connectionCount() == 1);
    Await.until("the memory has returned", () -> server.bufferBytesReserved() <= SLAB_BYTES);
    assertThat(staying.get("/").read().text()).isEqualTo("served");
  }

  private List<RawClient> sendHalfHeads(HttpServer server) {
    List<RawClient> clients = new ArrayList<>();
    String half = "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(HALF_HEAD_BYTES);
    for (int i = 0; i < BURST; i++) {
      clients.add(servers.connect(server).send(Requests.bytes(half)));
    }
    return clients;
  }
}
