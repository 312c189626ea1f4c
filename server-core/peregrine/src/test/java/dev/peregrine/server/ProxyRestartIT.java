package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.testing.Await;
import dev.peregrine.testing.ChildJvm;
import dev.peregrine.testing.Daemon;
import dev.peregrine.testing.DrainingProgram;
import dev.peregrine.testing.FreePort;
import dev.peregrine.testing.HaproxyStats;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.RunItPage;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two instances, each a process, behind a proxy with the configuration of docs/RUN-IT.md. They are
 * ended by SIGTERM and started again in turn, under load, and no request fails. {@code
 * -Dperegrine.restarts=50} sets the number of restarts.
 */
final class ProxyRestartIT {
  private static final int RESTARTS = Integer.getInteger("peregrine.restarts", 2);
  private static final int REQUESTS_PER_CONNECTION = 50;
  private static final String LAME_DUCK_MILLIS = "600"; // longer than two checks of HAProxy
  private static final String PATIENCE_MILLIS = "120000";
  private static final List<String> NAMES = List.of("one", "two");
  private static final byte[] UPLOAD = Requests.content(200_000);

  private final List<ChildJvm> instances = new ArrayList<>();
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final Map<String, AtomicInteger> served = new ConcurrentSkipListMap<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private Path dir; // short: the address of a Unix domain socket has 107 bytes at most
  private volatile boolean stopping;

  /** Where an instance listens, each time it is started. */
  private record Place(String argument, String upstream) {}

  @BeforeEach
  void makeDirectory() throws IOException {
    dir = Files.createTempDirectory("rs");
  }

  @AfterEach
  void endInstances() throws IOException {
    stopping = true;
    instances.forEach(ChildJvm::close);
    try (Stream<Path> files = Files.walk(dir)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  @Test
  void losesNoRequestBehindHaproxy() throws Exception {
    behindHaproxy(tcp());
  }

  @Test
  void losesNoRequestBehindHaproxyOnUnixSockets() throws Exception {
    behindHaproxy(unix("unix@"));
  }

  @Test
  void losesNoRequestBehindNginx() throws Exception {
    // nginx checks nothing, so new connections arrive until the port closes
    assumeTrue(Servers.TRANSPORT == TransportKind.EPOLL, "java.nio can't hold off connections");
    behindNginx(tcp());
  }

  @Test
  void losesNoRequestBehindNginxOnUnixSockets() throws Exception {
    assumeTrue(Servers.TRANSPORT == TransportKind.EPOLL, "java.nio can't hold off connections");
    behindNginx(unix("unix:"));
  }

  private List<Place> tcp() throws IOException {
    List<Place> places = new ArrayList<>();
    for (String name : NAMES) {
      int port = FreePort.ofLoopback(); // which nobody is given while the instance restarts
      start("" + port, name + " 0");
      places.add(new Place("" + port, "127.0.0.1:" + port));
    }
    return places;
  }

  private List<Place> unix(String prefix) {
    List<Place> places = new ArrayList<>();
    for (String name : NAMES) {
      Path socket = dir.resolve(name);
      start("" + socket, name + " 0");
      places.add(new Place("" + socket, prefix + socket));
    }
    return places;
  }

  private ChildJvm start(String place, String name) {
    ChildJvm started =
        new ChildJvm("" + Servers.TRANSPORT, place, name, LAME_DUCK_MILLIS, PATIENCE_MILLIS);
    instances.add(started);
    return started;
  }

  private void behindHaproxy(List<Place> places) throws Exception {
    HaproxyStats stats = new HaproxyStats(dir.resolve("stats"));
    String shown =
        RunItPage.block("haproxy", "backend app")
            .replace("inter 500ms", "inter 100ms") // for more restarts in the time of a test
            .replace("10.0.0.1:8080", places.get(0).upstream)
            .replace("10.0.0.2:8080", places.get(1).upstream);
    try (Daemon proxy =
        Daemon.haproxy(
            dir,
            port -> stats.configuration() + shown.replace(":80\n", "127.0.0.1:" + port + "\n"))) {
      restartInTurn(
          proxy, places, name -> Await.until("HAProxy uses " + name, () -> stats.isUp(name)));
    }
  }

  private void behindNginx(List<Place> places) throws Exception {
    String shown =
        RunItPage.block("nginx", "upstream app")
            .replace("10.0.0.1:8080", places.get(0).upstream)
            .replace("10.0.0.2:8080", places.get(1).upstream);
    try (Daemon proxy =
        Daemon.nginx(dir, port -> shown.replace("listen 80;", "listen 127.0.0.1:" + port + ";"))) {
      restartInTurn(proxy, places, name -> {});
    }
  }

  private void restartInTurn(Daemon proxy, List<Place> places, Consumer<String> awaitUse)
      throws Exception {
    List<Thread> clients = startClients(proxy.address());
    NAMES.forEach(name -> awaitAnswerOf(name + " 0"));
    ChildJvm[] running = instances.toArray(ChildJvm[]::new);
    for (int i = 0; i < RESTARTS; i++) {
      int which = i % NAMES.size();
      running[which].terminate();
      assertThat(running[which].exitValue()).isEqualTo(143);
      assertThat(running[which].output()).contains("nothing was cut short");
      instances.remove(running[which]);
      String name = NAMES.get(which) + " " + (i + 1);
      running[which] = start(places.get(which).argument, name);
      awaitUse.accept(NAMES.get(which));
      awaitAnswerOf(name);
    }
    stopping = true;
    for (Thread client : clients) {
      client.join();
    }
    System.out.println("ProxyRestartIT: " + RESTARTS + " restarts, served " + served);
    assertThat(failures).as(proxy::output).isEmpty();
    assertThat(served.keySet()).containsExactly("GET", "GET on a new connection", "POST", "stream");
  }

  private void awaitAnswerOf(String name) {
    Await.until(() -> name + " is among " + names + " " + failures, () -> names.contains(name));
  }

  private List<Thread> startClients(InetSocketAddress proxy) {
    return List.of(
        load(proxy, "GET", REQUESTS_PER_CONNECTION, this::getName),
        load(proxy, "GET", REQUESTS_PER_CONNECTION, this::getName),
        load(proxy, "GET on a new connection", 1, this::getName),
        load(proxy, "POST", REQUESTS_PER_CONNECTION, ProxyRestartIT::upload),
        load(proxy, "POST", REQUESTS_PER_CONNECTION, ProxyRestartIT::upload),
        load(proxy, "stream", REQUESTS_PER_CONNECTION, ProxyRestartIT::stream),
        load(proxy, "stream", 1, ProxyRestartIT::stream));
  }

  private void getName(RawClient client) {
    names.add(text(client.get("/name").read()));
  }

  private static void upload(RawClient client) {
    assertThat(text(client.post("/upload", UPLOAD).read())).isEqualTo("" + UPLOAD.length);
  }

  private static void stream(RawClient client) {
    RawResponse response = client.get("/stream").read();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.content().length).isEqualTo(DrainingProgram.STREAM_BYTES);
  }

  private static String text(RawResponse response) {
    assertThat(response.status()).isEqualTo(200);
    return response.text();
  }

  /** Sends requests one after the other, and repeats none. */
  private Thread load(
      InetSocketAddress proxy, String kind, int perConnection, Consumer<RawClient> request) {
    AtomicInteger count = served.computeIfAbsent(kind, absent -> new AtomicInteger());
    return Thread.ofPlatform()
        .start(
            () -> {
              while (!stopping) {
                try (RawClient client = RawClient.connect(proxy)) {
                  for (int i = 0; i < perConnection && !stopping; i++) {
                    request.accept(client);
                    count.incrementAndGet();
                  }
                } catch (RuntimeException | AssertionError failed) {
                  failures.add(kind + ": " + failed);
                }
              }
            });
  }
}
