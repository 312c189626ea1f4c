package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Event loops whose buffers come from a source of the application. */
final class MemorySourceIT {
  private static final int HALF_HEAD_BYTES = 20_000;
  private static final int CLIENTS = 100; // their half heads need 32 KiB each, 3 MiB in all
  private static final int LOGGED_MAX = 60;

  @RegisterExtension final Servers servers = new Servers();

  private final Source source = new Source();

  /** Counts, and fails once it has given a number of slabs that aren't back. */
  private static final class Source implements MemorySource {
    final AtomicInteger taken = new AtomicInteger();
    final AtomicInteger held = new AtomicInteger();
    volatile int max = Integer.MAX_VALUE;
    volatile Supplier<? extends Error> exhausted = OutOfMemoryError::new;

    @Override
    public Region take(int bytes) {
      if (held.get() >= max) {
        throw exhausted.get();
      }
      taken.incrementAndGet();
      held.incrementAndGet();
      Arena arena = Arena.ofShared();
      return new Region(
          arena.allocate(bytes),
          () -> {
            arena.close();
            held.decrementAndGet();
          });
    }
  }

  private HttpServer start() {
    return servers.start(
        (request, response) -> response.text("served"), options -> options.loops(1).memory(source));
  }

  @Test
  void requestsThatFindFreeBuffersDoNotReachTheSource() {
    HttpServer server = start();
    RawClient client = servers.connect(server);
    client.get("/").read();
    int first = source.taken.get();
    assertThat(first).isPositive();
    assertThat(server.bufferBytesReserved()).isEqualTo(source.held.get() * (1L << 20));

    for (int i = 0; i < 1_000; i++) {
      assertThat(client.get("/").read().text()).isEqualTo("served");
    }

    assertThat(source.taken).hasValue(first);
  }

  @Test
  void theSourceGetsBackTheMemoryOfABurstAndTheRestAtTheEnd() {
    HttpServer server = start();
    List<RawClient> clients = sendHalfHeads(server);
    Await.until("several slabs are taken", () -> source.held.get() > 3);

    clients.forEach(RawClient::close);

    Await.until("the memory has returned", () -> source.held.get() <= 1);
    server.close();
    assertThat(source.held).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutMemoryOnlyTheConnectionsThatNeedItEnd(boolean isMemoryError) {
    source.exhausted =
        isMemoryError ? OutOfMemoryError::new : () -> new AssertionError("broken source");
    HttpServer server = start();
    RawClient neighbour = servers.connect(server);
    neighbour.get("/").read();
    source.max = 2;
    List<RawClient> clients = sendHalfHeads(server);

    int served = 0;
    for (RawClient client : clients) {
      client.sendWhileOpen(Requests.bytes("\r\n\r\n"));
      served += isServed(client) ? 1 : 0;
    }

    assertThat(served).isBetween(1, CLIENTS - 1);
    assertThat(neighbour.get("/").read().text()).isEqualTo("served");
    source.max = Integer.MAX_VALUE;
    clients.forEach(RawClient::close);
    Await.until("they are closed", () -> server.connectionCount() == 1);
    sendHalfHeads(server)
        .forEach(later -> assertThat(later.send("\r\n\r\n").read().status()).isEqualTo(200));
    List<String> lines =
        servers.log().take(Level.WARNING).stream().map(ServerLog::describe).toList();
    assertThat(lines).hasSizeBetween(1, LOGGED_MAX);
    if (!isMemoryError) {
      assertThat(lines).anyMatch(line -> line.contains("the memory source has failed"));
    }
  }

  @Test
  void aServerWithoutMemoryDoesNotStart() {
    source.max = 0;

    assertThatThrownBy(this::start).isInstanceOf(OutOfMemoryError.class);

    source.max = 1;
    assertThat(servers.connect(start()).get("/").read().text()).isEqualTo("served");
  }

  private List<RawClient> sendHalfHeads(HttpServer server) {
    List<RawClient> clients = new ArrayList<>();
    byte[] half = Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(HALF_HEAD_BYTES));
    for (int i = 0; i < CLIENTS; i++) {
      RawClient client = servers.connect(server);
      client.sendWhileOpen(half);
      clients.add(client);
    }
    return clients;
  }

  private static boolean isServed(RawClient client) {
    try {
      int status = client.read().status();
      assertThat(status).isIn(200, 503);
      return status == 200;
    } catch (UncheckedIOException closed) {
      return false;
    }
  }
}
