package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.answering;
import static dev.peregrine.jdk.httpserver.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the system properties change for clients. */
@Timeout(60)
class OptionsIT {
  private static final String PREFIX = "sun.net.httpserver.";
  private final CompletableFuture<String> released = new CompletableFuture<>();

  @AfterEach
  void clear() {
    released.complete("");
    System.getProperties()
        .keySet()
        .removeIf(
            key ->
                key.toString().startsWith(PREFIX) || key.toString().startsWith("jdk.httpserver."));
  }

  private static TestServer start(String property, String value, HttpHandler handler)
      throws IOException {
    System.setProperty(property, value);
    return TestServer.start(handler);
  }

  @Test
  void sharesTheAttributesOfTheContextOnRequest() throws IOException {
    HttpHandler counting =
        exchange -> {
          Object count = exchange.getAttribute("count");
          exchange.setAttribute("count", count + "i");
          TestServer.answer(exchange, 200, String.valueOf(count));
        };
    System.setProperty("jdk.httpserver.attributes", "context");
    try (TestServer server = TestServer.bound()) {
      HttpContext context = server.http.createContext("/", counting);
      context.getAttributes().put("count", "i");
      server.http.start();

      assertThat(server.get("/").content()).isEqualTo("i");
      assertThat(server.get("/").content()).isEqualTo("ii");
      assertThat(context.getAttributes()).containsEntry("count", "iii");
    }
  }

  @Test
  void matchesWholeSegmentsOnRequest() throws IOException {
    System.setProperty(PREFIX + "pathMatcher", "pathPrefix");
    try (TestServer server = TestServer.bound()) {
      server.http.createContext("/shop", answering("shop"));
      server.http.start();

      assertThat(server.get("/shop/cart").status()).isEqualTo(200);
      assertThat(server.get("/shopping").status()).isEqualTo(404);
    }
  }

  @Test
  void answers431ToMoreFieldsThanAllowed() throws IOException {
    try (TestServer server = start(PREFIX + "maxReqHeaders", "2", answering("fine"));
        RawClient most = server.connect().request("GET", "/", "X-A: 1");
        RawClient more = server.connect().request("GET", "/", "X-A: 1", "X-B: 2")) {
      assertThat(most.receive().status()).isEqualTo(200);
      assertThat(more.receive().status()).isEqualTo(431);
    }
  }

  @Test
  void closesIdleConnections() throws IOException {
    try (TestServer server = start(PREFIX + "idleInterval", "1", answering("fine"));
        RawClient client = server.connect().request("GET", "/")) {
      assertThat(client.receive().status()).isEqualTo(200);
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void answers503IfTheResponseTakesTooLong() throws IOException {
    try (TestServer server = start(PREFIX + "maxRspTime", "1", this::answerOnceReleased);
        RawClient client = server.connect().request("GET", "/")) {
      assertThat(client.receive().status()).isEqualTo(503);
    }
  }

  private void answerOnceReleased(HttpExchange exchange) throws IOException {
    TestServer.answer(exchange, 200, await(released));
  }

  @Test
  void cutsAResponseThatTakesTooLong() throws IOException {
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().flush();
          await(released);
        };
    int seconds = 1;
    while (!isCut(seconds, handler)) { // a slow machine may take that long for the head
      seconds *= 3;
      assertThat(seconds).isLessThan(30);
    }
  }

  /** Returns true if a response ended within its content, false if it didn't begin in time. */
  private static boolean isCut(int seconds, HttpHandler handler) throws IOException {
    try (TestServer server = start(PREFIX + "maxRspTime", "" + seconds, handler);
        RawClient client = server.connect().request("GET", "/")) {
      int status = client.receiveHead().status();
      assertThat(status).isIn(200, 503);
      if (status == 200) {
        assertThat(client.receiveToEndOrReset()).isEmpty();
      }
      return status == 200;
    }
  }

  @Test
  void closesTheConnectionIfNoUnreadContentMayBeReceived() throws IOException {
    try (TestServer server = start(PREFIX + "drainAmount", "0", answering("unread"));
        RawClient client = server.connect()) {
      client.request("POST", "/", "Content-Length: 3");
      assertThat(client.receive().content()).isEqualTo("unread");
      client.send("abc");
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void refusesOneConnectionTooMany() throws IOException {
    try (TestServer server = start("jdk.httpserver.maxConnections", "1", answering("fine"));
        RawClient first = server.connect().request("GET", "/")) {
      assertThat(first.receive().status()).isEqualTo(200);
      try (RawClient second = server.connect()) {
        assertThat(second.receiveToEndOrReset()).doesNotContain("200");
      }
      assertThat(first.request("GET", "/").receive().status()).isEqualTo(200);
    }
  }
}
