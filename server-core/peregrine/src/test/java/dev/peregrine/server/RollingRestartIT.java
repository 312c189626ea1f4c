package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Daemon;
import dev.peregrine.testing.FreePort;
import dev.peregrine.testing.HaproxyStats;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.RunItPage;
import dev.peregrine.testing.Servers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two servers behind HAProxy, with the configuration of docs/RUN-IT.md, that are restarted in turn
 * while clients send requests. No request fails, not even one that a proxy must not repeat. A
 * server is stopped only while HAProxy reports the other one as up; see {@link #restart}.
 *
 * <p>The proxy passes requests on by HTTP/1.1, and by HTTP/2. Either each server fails its
 * readiness check before it shuts down, or it shuts down without notice. Without notice a
 * connection may arrive while the port closes, which {@code java.nio} has no means to hold off.
 */
final class RollingRestartIT {
  private static final int RESTARTS = 4;
  private static final int CLIENTS = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The names of the servers in that configuration. */
  private static final List<String> NAMES = List.of("one", "two");

  private static final String CHECK = "option httpchk GET /readyz";
  private static final String HTTP_2_CHECK =
      "option httpchk\n  http-check send meth GET uri /readyz hdr Host servers";

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path dir;

  private final ConcurrentHashMap<String, Integer> answers = new ConcurrentHashMap<>();
  private final Set<HttpVersion> versions = ConcurrentHashMap.newKeySet();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private volatile boolean stopping;
  private HaproxyStats stats;

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
      cases.add(Arguments.of(version, true));
      if (Servers.TRANSPORT != TransportKind.NIO) {
        cases.add(Arguments.of(version, false));
      }
    }
    return cases;
  }

  @BeforeEach
  void prepareStats() {
    stats = new HaproxyStats(dir.resolve("stats"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void losesNoRequestWithHaproxyInFront(HttpVersion version, boolean announces) throws Exception {
    // Nobody else is given these ports while a server restarts.
    int[] ports = {FreePort.ofLoopback(), FreePort.ofLoopback()};
    Restarted[] running = {start("0", ports[0]), start("1", ports[1])};
    try (Daemon proxy =
        Daemon.haproxy(dir, port -> configuration(version, port, ports[0], ports[1]))) {
      List<Thread> clients = startClients(proxy);
      awaitAnswerOf("0");
      awaitAnswerOf("1");
      for (int i = 0; i < RESTARTS; i++) {
        int which = i % 2;
        if (announces) {
          running[which].leave();
        }
        running[which] = restart(running[which], NAMES.get(which), "restarted " + i);
      }
      stopping = true;
      for (Thread client : clients) {
        client.join();
      }
      assertThat(failures).as(proxy::output).isEmpty();
    }
    assertThat(versions).containsExactly(version);
  }

  /**
   * Restarts a server as soon as HAProxy has noticed its end, and returns when HAProxy uses it
   * again. A server that is back earlier can still be taken out until the next check, by a
   * connection that was refused before and is reported late, while the next one is already down.
   */
  private Restarted restart(Restarted running, String server, String name) {
    int port = running.server.port();
    assertThat(running.server.shutdown(PATIENCE).isComplete()).isTrue();
    Await.until("the proxy has left server " + server, () -> stats.isLeft(server));
    Restarted restarted = start(name, port);
    Await.until("the proxy uses server " + server, () -> stats.isUp(server));
    awaitAnswerOf(name);
    return restarted;
  }

  private Restarted start(String name, int port) {
    AtomicBoolean ready = new AtomicBoolean(true);
    AtomicInteger failedChecks = new AtomicInteger();
    Handler handler =
        (request, response) -> {
          if (!request.pathIs("/readyz")) {
            versions.add(request.version());
            request.body().receiveAll(1000, content -> response.text(name));
          } else if (ready.get()) {
            response.send();
          } else {
            failedChecks.incrementAndGet();
            response.status(503).send();
          }
        };
    return new Restarted(
        servers.start(
            handler,
            // HAProxy calls all requests by HTTP/2 https
            options -> options.port(port).lenient(Leniency.HTTPS_TARGET)),
        ready,
        failedChecks);
  }

  /** A server with a readiness check. */
  private record Restarted(HttpServer server, AtomicBoolean ready, AtomicInteger failedChecks) {
    /** Returns when the proxy sends no more requests: it checks again after it knows. */
    void leave() {
      ready.set(false);
      Await.until("the proxy has checked twice", () -> failedChecks.get() >= 2);
    }
  }

  private List<Thread> startClients(Daemon proxy) {
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      boolean posts = i % 2 == 0;
      clients.add(Thread.ofPlatform().start(() -> sendRequests(proxy, posts)));
    }
    return clients;
  }

  private void sendRequests(Daemon proxy, boolean posts) {
    while (!stopping) {
      try (RawClient client = RawClient.connect(proxy.address())) {
        for (int i = 0; i < 100 && !stopping; i++) {
          RawResponse response =
              posts ? client.post("/", Requests.content(500)).read() : client.get("/").read();
          if (response.status() == 200) {
            answers.merge(response.text(), 1, Integer::sum);
          } else {
            failures.add((posts ? "POST" : "GET") + " was answered " + response.status());
            break; // and so does the proxy
          }
        }
      } catch (RuntimeException | AssertionError failed) {
        failures.add(failed.toString());
      }
    }
  }

  private void awaitAnswerOf(String name) {
    Await.until(() -> name + " is among " + answers.keySet(), () -> answers.containsKey(name));
  }

  /** The configuration of the page, with the ports of this test and its statistics. */
  private String configuration(HttpVersion version, int port, int first, int second) {
    boolean isHttp2 = version == HttpVersion.HTTP_2;
    String suffix = isHttp2 ? " proto h2" : "";
    return stats.configuration()
        + RunItPage.block("haproxy", CHECK)
            .replace(CHECK, isHttp2 ? HTTP_2_CHECK : CHECK)
            .replace("bind :80\n", "bind 127.0.0.1:" + port + "\n")
            .replace("10.0.0.1:8080", "127.0.0.1:" + first + suffix)
            .replace("10.0.0.2:8080", "127.0.0.1:" + second + suffix);
  }
}
