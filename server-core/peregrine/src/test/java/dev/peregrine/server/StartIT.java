package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.LoopListener;
import dev.peregrine.server.observe.ServerListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The start of a server, and the exceptions if it can't start. */
final class StartIT {
  private static final Handler THREAD =
      (request, response) -> response.text(Thread.currentThread().getName());

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void startsWithNothingButAHandler() {
    try (HttpServer server =
        Peregrine.builder().handler((request, response) -> response.text("Hello")).start()) {
      assertThat(server.port()).isPositive();
      assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
      try (RawClient client = RawClient.connect(server.address())) {
        assertThat(client.get("/").read().text()).isEqualTo("Hello");
      }
    }
  }

  @Test
  void namesTheThreadsOfEachServerDifferently() {
    HttpServer first = servers.start(THREAD, options -> options.loops(1));
    HttpServer second = servers.start(THREAD, options -> options.loops(1));

    assertThat(List.of(first.name(), second.name()))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("peregrine-[0-9]+"));
    assertThat(threadOf(first)).isEqualTo(first.name() + "-loop-0");
    assertThat(threadOf(second)).isEqualTo(second.name() + "-loop-0");
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .contains(first.name() + "-watchdog", second.name() + "-watchdog");
  }

  @Test
  void namesItsThreadsByTheOption() {
    Handler blocking = Handlers.blocking(THREAD);
    HttpServer loop = servers.start(THREAD, options -> options.name("orders").loops(1));
    HttpServer virtual = servers.start(blocking, options -> options.name("orders").loops(1));

    assertThat(threadOf(loop)).isEqualTo("orders-loop-0");
    assertThat(threadOf(virtual)).isEqualTo("orders-loop-0-handler");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\n", "\u00e4"})
  void rejectsNamesThatWouldNotBeOneWordOfALogLine(String name) {
    assertThatThrownBy(() -> Peregrine.builder().name(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name is not");
  }

  @Test
  void takesNamesUpToTheirLimit() {
    String longest = "n".repeat(64);

    assertThat(Peregrine.builder().name(longest)).isNotNull();
    assertThatThrownBy(() -> Peregrine.builder().name(longest + "n"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private String threadOf(HttpServer server) {
    return servers.connect(server).get("/").read().text();
  }

  @Test
  void namesAnAddressThatIsTaken() {
    HttpServer first = servers.start(THREAD);

    assertThatThrownBy(() -> servers.start(THREAD, options -> options.port(first.port())))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("host 127.0.0.1, port " + first.port())
        .cause()
        .isInstanceOf(BindException.class);

    assertThat(servers.connect(first).get("/").read().status()).isEqualTo(200);
  }

  @Test
  void namesAnAddressThatIsNotItsOwn() {
    // TEST-NET-1, RFC 5737
    assertThatThrownBy(() -> servers.start(THREAD, options -> options.host("192.0.2.1")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("host 192.0.2.1, port 0");
  }

  @Test
  void rejectsAnUnknownHost() {
    assertThatThrownBy(() -> servers.start(THREAD, options -> options.host("no-such-host.invalid")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("host")
        .hasMessageContaining("no-such-host.invalid");
  }

  @Test
  void doesNotStartWithoutAHandler() {
    assertThatThrownBy(() -> Peregrine.builder().start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("handler");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65536, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void rejectsABadPort(int port) {
    expectBad("port", port, () -> Peregrine.builder().port(port));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1025})
  void rejectsABadNumberOfLoops(int loops) {
    expectBad("loops", loops, () -> Peregrine.builder().loops(loops));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void rejectsABadBacklog(int backlog) {
    expectBad("backlog", backlog, () -> Peregrine.builder().backlog(backlog));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void spreadsConnectionsOverItsLoops(int loops) {
    HttpServer server = servers.start(THREAD, options -> options.loops(loops));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 4 * loops; i++) {
      RawClient client = servers.connect(server);
      assertThat(client.get("/").read().status()).isEqualTo(200); // it is counted on its loop
      clients.add(client);
    }

    Set<String> threads = ConcurrentHashMap.newKeySet();
    for (RawClient client : clients) {
      String first = client.get("/").read().text();
      threads.add(first);
      assertThat(client.get("/").read().text()).isEqualTo(first); // one loop for life
    }

    assertThat(threads).hasSize(loops);
    assertThat(server.connectionCount()).isEqualTo(4 * loops);
  }

  @Test
  void listensOnEveryLoopWithReusePort() {
    HttpServer server = servers.start(THREAD, options -> options.loops(3).reusePort(true));
    Set<String> threads = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 200 && threads.size() < 3; i++) {
      RawClient client = servers.connect(server);
      threads.add(client.get("/").read().text());
      client.close();
    }

    assertThat(threads).hasSize(3); // at random; the chance to miss one is 3 · (2/3)^200
  }

  @Test
  void sharesAPortWithAnotherServerWithReusePort() {
    HttpServer first = servers.start(THREAD, options -> options.reusePort(true));
    HttpServer second =
        servers.start(THREAD, options -> options.port(first.port()).reusePort(true));

    assertThat(second.port()).isEqualTo(first.port());
    for (int i = 0; i < 20; i++) {
      RawClient client = servers.connect(second);
      assertThat(client.get("/").read().status()).isEqualTo(200);
      client.close();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SWAR", "SCALAR"})
  void scansWithTheScannerThatWasChosen(ScannerKind kind) {
    HttpServer server = servers.start(THREAD, options -> options.scanner(kind));

    assertThat(server.scanner()).isEqualTo(kind);
    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(200);
  }

  @Test
  void servesWithTheLongestTimes() {
    Duration most = Duration.ofDays(36_500);
    ServerLimits limits =
        Servers.LIMITS.toBuilder()
            .requestHeadTime(most)
            .keepAliveTime(most)
            .requestRateGrace(most)
            .responseRateGrace(most)
            .responseBeginTime(most)
            .lingerTime(most)
            .shutdownIdleTime(most)
            .handshakeTime(most)
            .loopBlockedTime(most)
            .build();
    RawClient client = servers.connect(servers.start(THREAD, limits));

    assertThat(client.get("/").read().status()).isEqualTo(200);
    assertThat(client.get("/").read().status()).isEqualTo(200);
  }

  @Test
  void notifiesListenersOfTheEndIfTheStartFails() {
    List<String> calls = new ArrayList<>();
    HttpServerBuilder options =
        Peregrine.builder()
            .port(0)
            .handler(THREAD)
            .serverListener(new NotingListener("first", calls, false))
            .serverListener(new NotingListener("failing", calls, true))
            .serverListener(new NotingListener("last", calls, false));

    assertThatThrownBy(options::start).hasMessage("failing");

    assertThat(calls).containsExactly("first onStart", "failing onStart", "first onEnd");
  }

  private record NotingListener(String name, List<String> calls, boolean fails)
      implements ServerListener {
    @Override
    public List<? extends LoopListener> onStart(String server, List<LoopInfo> loops) {
      calls.add(name + " onStart");
      if (fails) {
        throw new UnsupportedOperationException(name);
      }
      return loops.stream().map(loop -> new LoopListener() {}).toList();
    }

    @Override
    public void onEnd() {
      calls.add(name + " onEnd");
    }
  }

  @Test
  void shedsConnectionsAboveTheLimit() {
    HttpServer server = servers.start(THREAD, Servers.LIMITS.toBuilder().connectionsMax(3).build());
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RawClient client = servers.connect(server);
      assertThat(client.get("/").read().status()).isEqualTo(200);
      clients.add(client);
    }

    for (int i = 0; i < 5; i++) {
      RawClient refused = servers.connect(server);
      if (Servers.HTTP_2) { // refused before the client has spoken
        refused.expectClosed();
      } else {
        RawResponse response = refused.read();
        assertThat(response.status()).isEqualTo(503);
        refused.expectLast(response);
      }
      refused.close();
    }

    clients.removeFirst().close();
    Await.until("there is room", () -> server.connectionCount() == 2);
    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(200);
    for (RawClient client : clients) {
      assertThat(client.get("/").read().status()).isEqualTo(200);
    }
  }

  private static void expectBad(String option, int value, Runnable set) {
    assertThatThrownBy(set::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option)
        .hasMessageContaining("" + value);
  }
}
