package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.answering;
import static dev.peregrine.jdk.httpserver.TestServer.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How servers are created, bound and started, and in which order. */
@Timeout(60)
class ServerLifecycleIT {
  @Test
  void isFoundByServiceLoader() throws IOException {
    assertThat(ServiceLoader.load(HttpServerProvider.class))
        .hasExactlyElementsOfTypes(PeregrineHttpServerProvider.class);
    assertThat(HttpServer.create()).isInstanceOf(PlainServer.class);
    assertThat(HttpsServer.create()).isInstanceOf(SecureServer.class);
  }

  @Test
  void bindsAServerThatWasCreatedWithoutAnAddress() throws IOException {
    try (TestServer server = TestServer.unbound()) {
      assertThat(server.http.getAddress()).isNull();
      server.http.createContext("/early", answering("early"));
      server.http.createContext("/gone", answering("gone"));
      server.http.removeContext("/gone");

      server.http.bind(loopback(0), 0);
      server.http.start();

      assertThat(server.get("/early").content()).isEqualTo("early");
      assertThat(server.get("/gone").status()).isEqualTo(404);
    }
  }

  @Test
  void listensOnAllAddressesWithoutAHost() throws IOException {
    HttpServer http = HttpServer.create(new InetSocketAddress(0), 0);
    try (TestServer server = TestServer.of(http)) {
      http.createContext("/", answering("all"));
      http.start();

      assertThat(http.getAddress().getAddress().isAnyLocalAddress()).isTrue();
      assertThat(server.get("/").content()).isEqualTo("all");
    }
  }

  @Test
  void refusesToBindTwice() throws IOException {
    try (TestServer server = TestServer.bound()) {
      assertThatThrownBy(() -> server.http.bind(loopback(0), 0)).isInstanceOf(BindException.class);
    }
  }

  @Test
  void canBindElsewhereIfThePortIsTaken() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        TestServer server = TestServer.unbound()) {
      InetSocketAddress taken = loopback(other.getLocalPort());
      assertThatThrownBy(() -> HttpServer.create(taken, 0)).isInstanceOf(BindException.class);
      assertThatThrownBy(() -> server.http.bind(taken, 0)).isInstanceOf(BindException.class);
      assertThat(server.http.getAddress()).isNull();

      server.http.bind(loopback(0), 0);

      assertThat(server.port()).isPositive();
    }
  }

  @Test
  void refusesAnUnresolvedAddress() {
    InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 0);

    assertThatThrownBy(() -> HttpServer.create(unresolved, 0)).isInstanceOf(IOException.class);
  }

  @Test
  void refusesAnAddressThatIsMissing() throws IOException {
    HttpServer server = HttpServer.create();

    assertThatThrownBy(() -> server.bind(null, 0)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void servesConnectionsThatWereMadeBeforeItsStart() throws IOException {
    try (TestServer server = TestServer.bound()) {
      server.http.createContext("/", answering("late"));
      assertThat(server.port()).isPositive();
      try (RawClient client = server.connect().request("GET", "/")) {
        server.http.start();

        assertThat(client.receive().content()).isEqualTo("late");
      }
    }
  }

  @Test
  void addsContextsWhileItRuns() throws IOException {
    try (TestServer server = TestServer.bound()) {
      server.http.start();
      assertThat(server.get("/new").status()).isEqualTo(404);

      server.http.createContext("/new", answering("new"));

      assertThat(server.get("/new").content()).isEqualTo("new");
    }
  }

  @Test
  void startsOnlyWhenItIsBound() throws IOException {
    HttpServer server = HttpServer.create();
    assertThatThrownBy(server::start).isInstanceOf(IllegalStateException.class);
    server.bind(loopback(0), 0);
    server.start();
    assertThatThrownBy(server::start).isInstanceOf(IllegalStateException.class);
    server.stop(0);
    assertThatThrownBy(server::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isNeverStartedOnceItWasStopped() throws IOException {
    HttpServer unbound = HttpServer.create();
    unbound.stop(0);
    HttpServer bound = HttpServer.create(loopback(0), 0);
    bound.stop(0);

    assertThatThrownBy(() -> unbound.bind(loopback(0), 0)).isInstanceOf(BindException.class);
    assertThatThrownBy(unbound::start).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(bound::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void answersOrdinaryClients() throws Exception {
    try (TestServer server = TestServer.start(answering("Hello"))) {
      URI uri = server.uri("/");

      assertThat(uri.toURL().openStream().readAllBytes()).asString().isEqualTo("Hello");
    }
  }
}
