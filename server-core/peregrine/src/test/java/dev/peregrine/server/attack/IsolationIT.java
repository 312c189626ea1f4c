package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows T21 to T24: nothing of one request is seen in another, and content is never a request. */
final class IsolationIT {
  private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String SECRET = "secret";

  /** Fields that are valid only before the content, or by which a proxy identifies its client. */
  private static final List<String> FORGEABLE =
      List.of("Host", "Content-Length", "Transfer-Encoding", "Authorization", "X-Forwarded-For");

  private final Victim victim = Victim.start(Servers.LIMITS, IsolationIT::handle);

  @AfterEach
  void isUnharmed() {
    victim.assertUnharmed();
    victim.close();
  }

  private static void handle(Request request, Response response) {
    switch (request.path()) {
      case "/show" ->
          request
              .body()
              .receiveAll(
                  1000,
                  content ->
                      response.text(
                          show(request) + new String(content, StandardCharsets.ISO_8859_1)));
      case "/fail" -> throw new HttpException(418, "no");
      case "/fail-late" ->
          request
              .body()
              .receiveAll(
                  1000,
                  content -> {
                    throw new HttpException(418, "no");
                  });
      default -> response.text(request.path());
    }
  }

  /** Everything that a handler can see of a request. */
  private static String show(Request request) {
    List<String> seen = new ArrayList<>();
    seen.add(request.methodName() + ' ' + request.target() + ' ' + request.version());
    seen.add(request.path() + ' ' + request.query() + ' ' + request.host());
    for (int i = 0; i < request.headerCount(); i++) {
      seen.add(request.headerName(i) + '=' + request.headerValue(i));
    }
    seen.add(request.header("X-Secret") + " " + request.headers("X-Secret"));
    seen.add(request.body().length() + " " + request.body().trailer("X-Secret"));
    for (String name : FORGEABLE) {
      seen.add(name + '=' + request.body().trailer(name) + ',' + request.header(name));
    }
    return String.join("|", seen);
  }

  /** Row T21. */
  @ParameterizedTest
  @ValueSource(strings = {"/drop", "/fail"})
  void closesAfterAnAnswerThatDidNotAwaitTheExpectedContent(String path) {
    String head =
        "POST " + path + " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ";
    try (RawClient peer = victim.connect()) {
      peer.send(head + SMUGGLED.length() + "\r\n\r\n" + SMUGGLED);
      assertThat(peer.read().saysClose()).isTrue();
      peer.expectEnd();
    }
    assertThat(victim.seen).containsExactly(path);
  }

  /** Row T21, the client sends without waiting, and the content is read. */
  @Test
  void readsExpectedContentThatWasSentAtOnce() {
    String head = "POST /show HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ";
    try (RawClient peer = victim.connect()) {
      peer.send(head + SMUGGLED.length() + "\r\n\r\n" + SMUGGLED);
      RawResponse response = peer.read();
      if (response.status() == 100) {
        response = peer.read();
      }
      assertThat(response.text()).endsWith(SMUGGLED);
      assertThat(peer.get("/next").read().text()).isEqualTo("/next");
    }
    assertThat(victim.seen).containsExactly("/show", "/next");
  }

  /** Row T22. */
  @ParameterizedTest
  @ValueSource(strings = {"/drop", "/fail", "/fail-late"})
  void neverReadsContentAsARequest(String path) {
    byte[] content = Requests.bytes(SMUGGLED.repeat(5));
    List<byte[]> requests =
        List.of(Requests.post(path, content), Requests.chunkedPost(path, content, 40));
    for (byte[] request : requests) {
      victim.seen.clear();
      for (int cut = 0; cut < request.length; cut += 7) {
        try (RawClient peer = victim.connect()) {
          peer.send(request, 0, cut);
          victim.settle();
          peer.sendWhileOpen(Arrays.copyOfRange(request, cut, request.length));
          peer.sendWhileOpen(Requests.get("/next"));
          if (!peer.read().saysClose()) {
            assertThat(peer.read().text()).isEqualTo("/next");
          }
        }
      }
      assertThat(victim.seen).isNotEmpty().isSubsetOf(path, "/next");
    }
  }

  /** Row T23. */
  @Test
  void showsNothingOfAnEarlierRequest() {
    String secret =
        "POST /show?secret=1 HTTP/1.1\r\nHost: secret\r\nX-Secret: secret\r\nCookie: secret\r\n";
    String chunks =
        "Transfer-Encoding: chunked\r\n\r\n6\r\nsecret\r\n0\r\nX-Secret: secret\r\n\r\n";
    String counted = "Content-Length: 6\r\n\r\nsecret";
    String plain = "GET /show HTTP/1.1\r\nHost: b\r\n\r\n";
    for (String first : List.of(secret + chunks, secret + counted, secret + " folded\r\n\r\n")) {
      for (int i = 0; i < 3; i++) {
        try (RawClient peer = victim.connect();
            RawClient other = victim.connect()) {
          RawResponse response = peer.send(first).read();
          if (response.status() == 200) {
            assertThat(response.text()).contains(SECRET);
            assertThat(peer.send(plain).read().text()).doesNotContain(SECRET);
            assertThat(peer.send(first + plain).read().text()).contains(SECRET);
            assertThat(peer.read().text()).doesNotContain(SECRET);
          }
          assertThat(other.send(plain).read().text()).doesNotContain(SECRET);
        }
      }
    }
  }

  /** Row T39. */
  @Test
  void dropsTrailersThatWouldPassForFields() {
    StringBuilder trailers = new StringBuilder();
    FORGEABLE.forEach(name -> trailers.append(name).append(": forged\r\n"));
    try (RawClient peer = victim.connect()) {
      peer.send(Requests.chunkedHead("/show") + "1\r\nx\r\n0\r\nX-Secret: kept\r\n");
      assertThat(peer.send(trailers + "\r\n").read().text())
          .contains("kept")
          .doesNotContain("forged");
    }
  }

  /** Row T23: a head that was never completed, on a connection that has ended. */
  @Test
  void showsNothingOfAHeadThatWasNeverCompleted() {
    for (int i = 0; i < 10; i++) {
      try (RawClient peer = victim.connect()) {
        peer.send("GET /secret HTTP/1.1\r\nHost: secret\r\nX-Secret: secret\r\n");
        victim.settle();
        if (i % 2 == 0) {
          peer.reset();
        }
      }
      try (RawClient peer = victim.connect()) {
        peer.send("GET /show HTTP/1.1\r\n");
        victim.settle();
        assertThat(peer.send("Host: b\r\n\r\n").read().text()).doesNotContain(SECRET);
      }
    }
  }

  /** Row T24. */
  @Test
  void keepsPathsOfManyConnectionsApart() {
    List<RawClient> peers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      peers.add(victim.connect().send("GET /p%2" + Integer.toHexString(i % 16) + "/"));
    }
    victim.settle();
    for (int i = 0; i < peers.size(); i++) {
      peers.get(i).send(i + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    for (int i = 0; i < peers.size(); i++) {
      String path = "/p%2" + Integer.toHexString(i % 16) + "/" + i;
      assertThat(peers.get(i).read().text()).isEqualTo(path);
      peers.get(i).close();
    }
  }
}
