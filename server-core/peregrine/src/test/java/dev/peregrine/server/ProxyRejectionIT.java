package dev.peregrine.server;

import static dev.peregrine.testing.ProxyHeaders.block;
import static dev.peregrine.testing.ProxyHeaders.line;
import static dev.peregrine.testing.ProxyHeaders.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.proxy.ProxyProtocol;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that the PROXY protocol doesn't trust, and headers that are not valid. */
final class ProxyRejectionIT extends ProxyProtocolCase {
  /** For headers that must be late. */
  private static final Duration SHORT = Duration.ofMillis(50);

  /** For a header that must be in time, even on a busy machine. */
  private static final Duration LONG = Duration.ofSeconds(2);

  // ---- peers that are not trusted ----

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closesTheConnectionOfAPeerThatIsNotTrusted(boolean tls) throws Exception {
    TcpEndpoint other =
        PLAIN.with(ProxyProtocol.from(TrustedPeers.of("192.0.2.0/24").withUnixSockets()));
    HttpServer server = serve(FACTS, tls ? other.with(Certificates.TLS) : other);

    try (RawClient client = connect(server)) { // at once, before it has sent anything
      client.expectClosed();
    }

    expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
    assertThat(logged()).contains("/127.0.0.1:", "192.0.2.0/24", "Unix domain sockets");
    try (RawClient client = connect(server)) {
      boolean ignored = client.sendWhileOpen(Requests.join(line(), REQUEST));
      client.expectClosed();
    }
    expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
  }

  @Test
  void closesTheConnectionOfAPeerOfAnUntrustedUnixSocket(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("p");
    serve(FACTS, Endpoint.unix(path).with(ProxyProtocol.from(LOOPBACK)));

    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      client.connect(UnixDomainSocketAddress.of(path));
      assertThat(client.read(ByteBuffer.allocate(1))).isNegative();
    }

    assertThat(event()).isEqualTo("open a socket by a socket");
    assertThat(event()).startsWith("" + CloseReason.PROXY_HEADER_REJECTED);
    assertThat(logged()).contains("a peer of " + path);
  }

  // ---- headers that are not valid ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u0016\u0003\u0001",
        "PROXY TCP4 192.0.2.7 198.51.100.1 4711 443\nGET / HTTP/1.1\r\n",
        "PROXY TCP4 192.0.2.07 198.51.100.1 4711 443\r\n",
        "\r\n\r\n\0\r\nQUIT\n1"
      })
  void closesAConnectionWithoutAValidHeader(String bytes) throws Exception {
    for (boolean tls : new boolean[] {false, true}) {
      HttpServer server = serve(FACTS, tls ? PROXIED.with(Certificates.TLS) : PROXIED);

      try (RawClient client = connect(server)) {
        client.send(Requests.bytes(bytes + " ".repeat(4)));
        client.expectClosed();
      }

      expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
      assertThat(logged()).contains("closed /127.0.0.1:", "PROXY protocol header rejected: ");
    }
  }

  @Test
  void closesAConnectionWhoseHeaderIsAboveTheLimit() throws Exception {
    ServerLimits limits = Servers.LIMITS.toBuilder().proxyHeaderBytesMax(536).build();
    HttpServer server = serve(FACTS, options -> options.limits(limits).endpoint(PROXIED));
    int padding = 536 - block().length - 3;

    for (int bytes : new int[] {padding - 1, padding}) {
      try (RawClient client = connect(server)) {
        client.send(Requests.join(block(value(4, new byte[bytes])), REQUEST));
        assertThat(client.read().text()).isEqualTo(CLIENT);
      }
    }
    try (RawClient client = connect(server)) {
      client.send(Arrays.copyOf(block(value(4, new byte[padding + 1])), 16));
      client.expectClosed();
    }
    assertThat(logged()).contains("537 bytes; the limit is 536 bytes (proxyHeaderBytesMax)");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6, 20})
  void closesAConnectionWhoseHeaderIsLate(int bytes) throws Exception {
    ServerLimits limits = Servers.LIMITS.toBuilder().proxyHeaderTime(SHORT).build();
    HttpServer server = serve(FACTS, options -> options.limits(limits).endpoint(PROXIED));

    String line = lineAbout(server, Arrays.copyOf(line(), bytes));

    assertThat(line).contains("50 ms (proxyHeaderTime), " + bytes + " bytes in all");
  }

  /**
   * Returns the line about a header of which only these bytes arrive: again if a slow machine was
   * late to send them.
   */
  private String lineAbout(HttpServer server, byte[] begin) throws InterruptedException {
    while (true) {
      long start = System.nanoTime();
      boolean inTime;
      try (RawClient client = connect(server)) {
        boolean sent = client.sendWhileOpen(begin);
        inTime = sent && System.nanoTime() - start < SHORT.toNanos();
        client.expectClosed();
      }
      expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
      String line = logged();
      if (inTime) {
        return line;
      }
    }
  }

  @Test
  void isLateWithTheHeaderInFrontOfTlsToo() throws Exception {
    ServerLimits limits = Servers.LIMITS.toBuilder().proxyHeaderTime(SHORT).build();
    Endpoint endpoint = PROXIED.with(Certificates.TLS);
    HttpServer server = serve(FACTS, options -> options.limits(limits).endpoint(endpoint));

    assertThat(lineAbout(server, Arrays.copyOf(block(), 13))).contains("13 bytes in all");
  }

  /** The time ends with the header: requests have times of their own. */
  @Test
  void hasNoDeadlineAfterTheHeader() throws Exception {
    ServerLimits limits = Servers.LIMITS.toBuilder().proxyHeaderTime(LONG).build();
    HttpServer server = serve(FACTS, options -> options.limits(limits).endpoint(PROXIED));

    boolean inTime = false;
    while (!inTime) { // again if a slow machine was late to send the header
      long start = System.nanoTime();
      try (RawClient client = connect(server);
          RawClient clock = connect(server)) {
        boolean sent = client.sendWhileOpen(line());
        inTime = System.nanoTime() - start < LONG.toNanos();
        clock.expectClosed(); // a later deadline than the client's has passed
        if (inTime) {
          assertThat(sent).isTrue();
          assertThat(client.send(REQUEST).read().text()).isEqualTo(CLIENT);
        }
      }
    }
  }

  @Test
  void closesAConnectionThatEndsWithinItsHeader() throws Exception {
    HttpServer server = serve(FACTS, PROXIED);

    for (byte[] header : List.of(line(), block())) {
      for (int length = 1; length < header.length; length++) {
        try (RawClient client = connect(server)) {
          client.send(Arrays.copyOf(header, length)).halfClose().expectClosed();
        }
        expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
      }
    }
  }

  /** Checks of health connect, and close or reset. */
  @Test
  void doesNotLogConnectionsThatWereOnlyOpened() throws Exception {
    HttpServer server = serve(FACTS, PROXIED);

    connect(server).close();
    expectClosedBy(CloseReason.CLIENT_CLOSED);
    connect(server).reset();
    expectClosedBy(CloseReason.CLIENT_RESET);
    try (RawClient client = connect(server)) {
      client.send(line()).halfClose().expectEnd();
    }

    assertThat(event()).startsWith("open");
    assertThat(event()).isEqualTo(CloseReason.CLIENT_CLOSED + " 192.0.2.7 by 127.0.0.1");
    assertThat(logsNothing()).isTrue();
  }

  @Test
  void logsABoundedNumberOfLines() throws Exception {
    HttpServer server = serve(FACTS, options -> options.loops(1).endpoint(PROXIED));
    long start = System.nanoTime();

    for (int i = 0; i < 15; i++) {
      try (RawClient client = connect(server)) {
        client.send("GET").expectClosed();
      }
      expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
    }

    assertThat(servers.log().take(Level.INFO))
        .extracting(LogRecord::getMessage)
        .filteredOn(line -> line.contains("PROXY protocol header rejected"))
        .hasSizeBetween(10, 10 * ServerLog.periodsSince(start));
  }
}
