package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Await;
import dev.peregrine.testing.Daemon;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real proxies in front: requests whose content looks like a request, framed in every way on which
 * two implementations could disagree. The application sees only requests that the proxy has marked
 * as it passed them on, each once. Content has no mark.
 */
final class SmugglingIT {
  private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String HEX = Integer.toHexString(SMUGGLED.length());
  private static final String CHUNKS = HEX + "\r\n" + SMUGGLED + "\r\n0\r\n\r\n";

  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"haproxy", "nginx"})
  void neverAnswersContentAsARequest(String proxyName) throws IOException {
    Set<String> passedOn = ConcurrentHashMap.newKeySet();
    List<String> smuggled = new CopyOnWriteArrayList<>();
    App app = new App();
    Victim victim =
        Victim.start(
            Servers.LIMITS,
            (request, response) -> {
              String mark = request.header("X-Vouched");
              if (mark == null || !passedOn.add(mark)) {
                smuggled.add(request.methodName() + ' ' + request.target() + ' ' + mark);
              }
              app.handle(request, response);
            });
    try (Daemon proxy = Proxy.start(proxyName, dir, victim.port())) {
      try (RawClient client = RawClient.connect(proxy.address())) {
        assertThat(client.get("/first").read().status()).isEqualTo(200);
      }
      for (String request : ambiguous().toList()) {
        for (String path : List.of("/read", "/drop")) {
          attack(proxy, request.replace("/read", path));
          assertThat(smuggled).as(request).isEmpty();
        }
      }
      // Bytes left on a connection of the proxy would be answered to the next client.
      for (int i = 0; i < 20; i++) {
        try (RawClient client = RawClient.connect(proxy.address())) {
          assertThat(client.get("/last").read().text()).isEqualTo("ok");
        }
      }
      assertThat(smuggled).isEmpty();
      assertThat(victim.seen).contains("/read");
    }
    Await.until("the proxy's connections are closed", () -> victim.server.connectionCount() == 1);
    victim.assertUnharmed();
    victim.close();
  }

  /** Sends a request and the end of the stream, and reads to the end of the responses. */
  private static void attack(Daemon proxy, String request) {
    try (RawClient client = RawClient.connect(proxy.address())) {
      if (client.sendWhileOpen(Requests.bytes(request))) {
        client.halfClose();
      }
      client.expectClosed();
    }
  }

  private static Stream<String> ambiguous() {
    List<String> all = new ArrayList<>();
    for (Malformed malformed : Malformed.framings()) {
      all.add(malformed.bytes() + SMUGGLED);
      all.add(malformed.bytes().replace("0\r\n\r\n", CHUNKS).replace("hello", SMUGGLED));
    }
    for (Malformed malformed : Malformed.chunks()) {
      all.add(malformed.bytes() + SMUGGLED);
      all.add(malformed.bytes().replace("hello", SMUGGLED));
    }
    String length = "Content-Length: " + SMUGGLED.length();
    String chunked = "Transfer-Encoding: chunked";
    for (String fields :
        List.of(
            length + "\r\n" + chunked,
            chunked + "\r\n" + length,
            "Content-Length: 0\r\n" + chunked,
            "Content-Length: 4\r\n" + chunked,
            length + "\r\nContent-Length: 0",
            "Content-Length: 0\r\n" + length,
            "Content-Length: 0, " + SMUGGLED.length(),
            length + "\r\nTransfer_Encoding: chunked",
            length + "\r\nTransfer-Encoding:chunked",
            length + "\r\nTransfer-Encoding: CHUNKED",
            length + "\r\nTransfer-Encoding: \u000Bchunked",
            length + "\r\nTransfer-Encoding: chunked\u0000",
            length + "\r\nTransfer-Encoding:\r\n chunked",
            length + "\r\nX: y\r\n Transfer-Encoding: chunked",
            length + "\r\nX: y\nTransfer-Encoding: chunked",
            length + "\r\nX: y\rTransfer-Encoding: chunked",
            length + "\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
            "Transfer-Encoding: x\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: identity\r\n" + length,
            "Transfer-Encoding: chunked, identity",
            "Connection: Content-Length\r\n" + length,
            "Connection: Transfer-Encoding\r\n" + chunked,
            "Expect: 100-continue\r\n" + length,
            "Expect: 100-continue\r\n" + chunked,
            "Expect: x 100-continue\r\n" + length,
            "Expect: 100-Continue, x\r\n" + length,
            "Upgrade: h2c\r\nConnection: upgrade\r\n" + length)) {
      for (String version : List.of("1.1", "1.0")) {
        String head = " /read HTTP/" + version + "\r\nHost: a\r\n" + fields + "\r\n\r\n";
        for (String method : List.of("POST", "GET", "HEAD")) {
          all.add(method + head + SMUGGLED);
          all.add(method + head + CHUNKS);
          all.add(method + head + "0\r\n\r\n" + SMUGGLED);
        }
      }
    }
    return all.stream();
  }
}
