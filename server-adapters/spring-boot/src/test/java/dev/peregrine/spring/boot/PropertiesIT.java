package dev.peregrine.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.epoll.Epoll;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;

/** The properties of Boot and of the starter, each by what a client sees of it. */
@Timeout(300)
class PropertiesIT {
  @TempDir Path folder;

  @Test
  void hasTheDefaultsOfBoot() throws Exception {
    try (App app = App.start()) {
      HttpResponse<String> response = app.get("/items/1", "Accept-Encoding", "gzip");

      assertThat(response.body()).isEqualTo("{\"id\":\"1\"}");
      assertThat(response.headers().firstValue("Server")).isEmpty();
      assertThat(app.get("/large", "Accept-Encoding", "gzip").headers().map())
          .doesNotContainKey("content-encoding");
      assertThat(app.get("/items/1", "X-Long", "x".repeat(9 * 1024)).statusCode()).isEqualTo(431);
      assertThat(
              app.get("/scheme", "X-Forwarded-Proto", "https", "X-Forwarded-For", "1.2.3.4").body())
          .isEqualTo("http");
      assertThat(app.get("/loader").body()).isEqualTo("true");
      ServerLimits limits =
          app.context.getBean(PeregrineReactiveWebServerFactory.class).getLimits();
      assertThat(limits)
          .isEqualTo(
              PeregrineReactiveWebServerFactory.LIMITS_DEFAULT.toBuilder()
                  .parser(limits.parser())
                  .build());
    }
  }

  @Test
  void appliesWhatIsSet() throws Exception {
    Path log = folder.resolve("access.log");
    try (App app =
        App.start(
            "server.server-header=shop",
            "server.compression.enabled=true",
            "server.compression.excluded-user-agents=old",
            "server.max-http-request-header-size=16KB",
            "peregrine.loops=2",
            "peregrine.transport=nio",
            "peregrine.limits.max-content-size=1KB",
            "peregrine.limits.idle-timeout=7s",
            "peregrine.access-log.file=" + log)) {
      assertThat(app.get("/items/1").headers().firstValue("Server")).hasValue("shop");
      assertThat(
              app.get("/large", "Accept-Encoding", "gzip").headers().firstValue("Content-Encoding"))
          .hasValue("gzip");
      assertThat(app.get("/large", "Accept-Encoding", "gzip", "User-Agent", "old").headers().map())
          .doesNotContainKey("content-encoding");
      assertThat(app.get("/items/1", "X-Long", "x".repeat(9 * 1024)).statusCode()).isEqualTo(200);
      assertThat(app.get("/items/1", "X-Long", "x".repeat(17 * 1024)).statusCode()).isEqualTo(431);
      assertThat(app.get("/items/" + "x".repeat(9 * 1024)).statusCode()).isEqualTo(200);
      assertThat(app.post("/length", new byte[1024]).body()).isEqualTo("1024");
      assertThat(app.post("/length", new byte[1025]).statusCode()).isEqualTo(413);
      assertThat(
              app.context
                  .getBean(PeregrineReactiveWebServerFactory.class)
                  .getLimits()
                  .keepAliveTime())
          .isEqualTo(Duration.ofSeconds(7));
    }
    assertThat(Files.readString(log)).contains("GET /items/1 HTTP/1.1\" 200 ");
  }

  private static List<String> threads(String part) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains(part))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "native, X-Forwarded-For, 203.0.113.9, https",
    "framework, X-Forwarded-For, 203.0.113.9, https",
    "none, X-Forwarded-For, 203.0.113.9, http",
  })
  void followsTheStrategyForForwardedFields(
      String strategy, String name, String value, String scheme) throws Exception {
    try (App app = App.start("server.forward-headers-strategy=" + strategy)) {
      assertThat(app.get("/scheme", name, value, "X-Forwarded-Proto", "https").body())
          .isEqualTo(scheme);
      assertThat(app.get("/scheme", "X-Forwarded-Proto", "https").body()).isEqualTo(scheme);
    }
  }

  @Test
  void believesTheConfiguredProxiesOnly() throws Exception {
    try (App app =
        App.start(
            "server.forward-headers-strategy=native",
            "peregrine.forwarded.trusted-proxies=192.0.2.0/24")) {
      assertThat(app.get("/scheme", "X-Forwarded-Proto", "https").body()).isEqualTo("http");
    }
  }

  @Test
  void listensOnAUnixDomainSocketAlone() throws Exception {
    Path socket = folder.resolve("shop.sock");
    try (App app = App.start("server.port=-1", "peregrine.unix-socket.path=" + socket)) {
      assertThat(app.port()).isEqualTo(-1);
      assertThat(getByUnixSocket(socket)).startsWith("HTTP/1.1 200 ").endsWith("{\"id\":\"5\"}");
    }
    assertThat(socket).doesNotExist();
  }

  private static String getByUnixSocket(Path socket) throws Exception {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      String request = "GET /items/5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      ByteArrayOutputStream response = new ByteArrayOutputStream();
      Channels.newInputStream(channel).transferTo(response);
      return response.toString(StandardCharsets.US_ASCII);
    }
  }

  @Test
  void givesTheSocketItsPermissionsBesideThePort() throws Exception {
    Path socket = folder.resolve("shop.sock");
    try (App app =
        App.start(
            "peregrine.unix-socket.path=" + socket,
            "peregrine.unix-socket.permissions=rw-rw----")) {
      assertThat(app.get("/items/5").statusCode()).isEqualTo(200);
      assertThat(getByUnixSocket(socket)).startsWith("HTTP/1.1 200 ");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-rw----");
    }
  }

  @ParameterizedTest
  @CsvSource({"nio, NioPoller", "epoll, EpollPoller"})
  void waitsByTheTransport(String transport, String poller) throws Exception {
    assumeTrue(transport.equals("nio") || Epoll.problem() == null);
    try (App app = App.start("peregrine.transport=" + transport, "peregrine.loops=1")) {
      assertThat(app.port()).isPositive();
      while (!theLoopWaitsBy(poller)) { // which it does between its turns
        Thread.sleep(1);
      }
    }
  }

  private static boolean theLoopWaitsBy(String poller) {
    List<StackTraceElement[]> loops =
        Thread.getAllStackTraces().entrySet().stream()
            .filter(one -> one.getKey().getName().contains("-loop-"))
            .map(Map.Entry::getValue)
            .toList();
    return loops.size() == 1
        && Arrays.stream(loops.getFirst()).anyMatch(frame -> frame.getClassName().endsWith(poller));
  }

  @Test
  void sharesItsPortWithReusePort() throws Exception {
    try (App first = App.start("peregrine.reuse-port=true")) {
      String port = "server.port=" + first.port();
      try (App second = App.start(port, "peregrine.reuse-port=true")) {
        assertThat(second.get("/items/1").statusCode()).isEqualTo(200);
      }
      assertThatThrownBy(() -> App.start(port)).hasCauseInstanceOf(PortInUseException.class);
    }
  }

  @Test
  void acceptsConnectionsWhileItIsALameDuck() throws Exception {
    int seconds = 5;
    while (!isServedByALameDuck(seconds)) { // a slow machine may connect too late
      seconds *= 4;
      assertThat(seconds).isLessThan(30);
    }
  }

  private static boolean isServedByALameDuck(int seconds) throws Exception {
    try (App app = App.start("peregrine.lame-duck=" + seconds + "s")) {
      int port = app.port();
      Thread closing = Thread.ofVirtual().start(app.context::close);
      try {
        // A new connection whose response announces its end was accepted after the drain has begun.
        while (!getByNewConnection(port).contains("\r\nConnection: close\r\n")) {
          Thread.onSpinWait();
        }
        return true;
      } catch (SocketException tooLate) {
        return false;
      } finally {
        closing.join();
      }
    }
  }

  /** Returns the head of a response. */
  private static String getByNewConnection(int port) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      byte[] request =
          "GET /items/5 HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(request);
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = socket.getInputStream().read();
        assertThat(next).as("after %s", head).isNotNegative();
        head.append((char) next);
      }
      assertThat(head).startsWith("HTTP/1.1 200 ");
      return head.toString();
    }
  }

  @Test
  void handsItsPortOverAndCloses() throws Exception {
    assumeTrue(Epoll.problem() == null);
    String path = "peregrine.hand-over.path=" + folder.resolve("over.sock");
    CountDownLatch closed = new CountDownLatch(1);
    try (App old = App.start(path, "peregrine.transport=epoll")) {
      old.context.addApplicationListener(
          event -> {
            if (event instanceof ContextClosedEvent) {
              closed.countDown();
            }
          });
      int port = old.port();
      try (App next = App.start(path, "peregrine.transport=epoll")) {
        assertThat(next.port()).isEqualTo(port);
        assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(next.get("/items/1").statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void doesNotListenWithoutPortAndSocket() {
    List<String> before = threads("-loop-"); // of other tests, as they end
    try (App app = App.start("server.port=-1")) {
      assertThat(app.port()).isEqualTo(-1);
      assertThat(threads("-loop-")).isSubsetOf(before);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "server.netty.idle-timeout=9s, peregrine.limits.idle-timeout",
    "server.netty.maxKeepAliveRequests=9, peregrine.limits.max-requests-per-connection",
    "server.netty.validate-headers=false, remove it",
  })
  void rejectsPropertiesOfReactorNetty(String property, String instead) {
    assertThatThrownBy(() -> App.start(property))
        .rootCause()
        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
        .hasMessageContaining(property.substring(0, property.indexOf('=')))
        .hasMessageContaining(instead);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "peregrine.limits.head-timeout=0s | requestHeadTime",
        "peregrine.forwarded.trusted-proxies=10.0.0.1 | forward-headers-strategy=native",
        "peregrine.unix-socket.path=/ | can't be a socket",
        "peregrine.loops=0 | loops",
      })
  void saysWhatMakesNoSense(String property, String problem) {
    assertThatThrownBy(() -> App.start(property.strip())).hasStackTraceContaining(problem.strip());
  }

  @Configuration(proxyBeanMethods = false)
  static class Customized {
    @Bean
    WebServerFactoryCustomizer<PeregrineReactiveWebServerFactory> header() {
      return factory -> factory.setServerHeader("by the factory");
    }

    @Bean
    PeregrineServerCustomizer name() {
      return builder -> builder.name("shop");
    }
  }

  @Test
  void takesCustomizersOfTheApplication() throws Exception {
    try (App app = App.start(List.of(Shop.class, Customized.class), "server.server-header=x")) {
      assertThat(app.get("/items/1").headers().firstValue("Server")).hasValue("by the factory");
      assertThat(threads("shop-loop-0")).isNotEmpty();
    }
  }
}
