package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.proxy.ProxyProtocol;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.ProxyHeaders;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The client of a request as proxies report it by fields: RFC 7239, and the fields before it. In
 * the tables a bar separates field lines, and 127.0.0.1 and 10.0.0.0/8 are trusted.
 */
final class TrustedProxiesIT {
  private static final TrustedPeers PEERS = TrustedPeers.of("127.0.0.1", "10.0.0.0/8", "fd00::/8");
  private static final TrustedProxies FORWARDED = TrustedProxies.forwarded(PEERS);
  private static final TrustedProxies X_FORWARDED =
      TrustedProxies.xForwardedFor(PEERS).withXForwardedProto().withXForwardedHost();
  private static final String DIRECT = "self http false a.example";

  @RegisterExtension final Servers servers = new Servers();

  private static final Handler FACTS = (request, response) -> response.text(facts(request));

  private static String facts(Request request) {
    return address(request.remoteAddress())
        + " "
        + request.scheme()
        + " "
        + request.isSecure()
        + " "
        + request.host();
  }

  /** Shows the address without port 0, and that of the client itself as a word. */
  private static String address(Object address) {
    String shown = ProxyHeaders.show(address);
    return shown.startsWith("127.0.0.1:") ? "self" : shown.replaceFirst(":0$", "");
  }

  private RawClient connect(Handler handler, Consumer<HttpServerBuilder> options) {
    return servers.connect(servers.start(handler, options));
  }

  private static byte[] request(String name, String lines, String... more) {
    StringBuilder text = new StringBuilder("GET / HTTP/1.1\r\nHost: a.example\r\n");
    if (!lines.isEmpty()) {
      for (String line : lines.split("\\|", -1)) {
        text.append(name).append(": ").append(line).append("\r\n");
      }
    }
    for (String field : more) {
      text.append(field).append("\r\n");
    }
    return Requests.bytes(text + "\r\n");
  }

  private void expect(TrustedProxies trusted, byte[] request, String expected) {
    RawClient client = connect(FACTS, options -> options.trustedProxies(trusted));
    assertThat(client.send(request).read().text()).isEqualTo(expected);
  }

  // ---- X-Forwarded-For ----

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          192.0.2.7;                            192.0.2.7
          192.0.2.7:4711;                       192.0.2.7:4711
          2001:db8::7;                          2001:db8:0:0:0:0:0:7
          [2001:db8::7];                        2001:db8:0:0:0:0:0:7
          [2001:db8::7]:4711;                   2001:db8:0:0:0:0:0:7:4711
          ::ffff:192.0.2.7;                     192.0.2.7
          203.0.113.1, 192.0.2.7;               192.0.2.7
          203.0.113.1,192.0.2.7;                192.0.2.7
          203.0.113.1|192.0.2.7;                192.0.2.7
          203.0.113.1 , 192.0.2.7 ,;            192.0.2.7
          203.0.113.1,, 192.0.2.7, ,,;          192.0.2.7
          192.0.2.7, 10.0.0.1;                  192.0.2.7
          192.0.2.7, 10.0.0.1|10.0.0.2;         192.0.2.7
          192.0.2.7, fd00::1, [fd00::2]:80;     192.0.2.7
          203.0.113.1, 192.0.2.7, 10.0.0.1;     192.0.2.7
          10.0.0.3, 192.0.2.7, 10.0.0.1;        192.0.2.7
          10.0.0.3, 10.0.0.2, 10.0.0.1;         10.0.0.3
          192.0.2.7, unknown;                   self
          192.0.2.7, unknown, 10.0.0.1;         10.0.0.1
          192.0.2.7, _hidden;                   self
          192.0.2.7, bad.example, 10.0.0.1;     10.0.0.1
          192.0.2.7, 10.0.0.01;                 self
          192.0.2.7, 10.0.0.1 10.0.0.2;         self
          192.0.2.7, 10.0.0.1:99999;            self
          192.0.2.7, 10.0.0.1:;                 self
          192.0.2.7, [10.0.0.1];                self
          192.0.2.7, [fd00::1;                  self
          192.0.2.7, [fd00::1]x;                self
          192.0.2.7, fd00::1%lo;                self
          192.0.2.7, "10.0.0.1";                self
          '';                                   self
          ',';                                  self
          """)
  void readsTheListFromItsEnd(String lines, String expected) {
    expect(
        X_FORWARDED,
        request("X-Forwarded-For", Objects.requireNonNullElse(lines, "")),
        expected + " http false a.example");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          https;       https true a.example
          HTTPS;       https true a.example
          wss;         https true a.example
          http;        http false a.example
          ws;          http false a.example
          https, http; http false a.example
          http, https; http false a.example
          http|https;  http false a.example
          https|https; http false a.example
          ftp;         http false a.example
          "https";     http false a.example
          """)
  void takesOneScheme(String lines, String expected) {
    String address = "X-Forwarded-For: 192.0.2.7";
    expect(X_FORWARDED, request("X-Forwarded-Proto", lines, address), "192.0.2.7 " + expected);
    expect(
        TrustedProxies.xForwardedFor(PEERS).withXForwardedHost(),
        request("X-Forwarded-Proto", lines, address),
        "192.0.2.7 http false a.example");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          b.example;             b.example
          b.example:8443;        b.example:8443
          192.0.2.80;            192.0.2.80
          [2001:db8::80];        [2001:db8::80]
          [2001:db8::80]:443;    [2001:db8::80]:443
          under_score.example;   under_score.example
          b.example, c.example;  a.example
          b.example|c.example;   a.example
          b.example/;            a.example
          b.example:;            a.example
          b.example:x;           a.example
          b.example:65536;       a.example
          b.example:1:2;         a.example
          :80;                   a.example
          user@b.example;        a.example
          b.example?;            a.example
          b%2Eexample;           a.example
          [::1;                  a.example
          [];                    a.example
          [::1]x;                a.example
          <b>;                   a.example
          """)
  void takesOneHost(String lines, String expected) {
    expect(X_FORWARDED, request("X-Forwarded-Host", lines), "self http false " + expected);
    expect(
        TrustedProxies.xForwardedFor(PEERS).withXForwardedProto(),
        request("X-Forwarded-Host", lines),
        DIRECT);
  }

  @Test
  void takesAHostUpToTheLongestName() {
    String longest = "a".repeat(255) + ":65535";

    expect(X_FORWARDED, request("X-Forwarded-Host", longest), "self http false " + longest);
    expect(X_FORWARDED, request("X-Forwarded-Host", "a" + longest), DIRECT);
  }

  // ---- Forwarded ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '~',
      textBlock =
          """
          for=192.0.2.7! 192.0.2.7 http false a.example
          FOR=192.0.2.7! 192.0.2.7 http false a.example
          for="192.0.2.7"! 192.0.2.7 http false a.example
          for="192.0.2.7:4711"! 192.0.2.7:4711 http false a.example
          for="192.0.2.7:_port"! 192.0.2.7 http false a.example
          for="[2001:db8::7]"! 2001:db8:0:0:0:0:0:7 http false a.example
          for="[2001:db8::7]:4711"! 2001:db8:0:0:0:0:0:7:4711 http false a.example
          for="\\1\\92.0.2.7"! 192.0.2.7 http false a.example
          for=192.0.2.7;proto=https;by=10.0.0.1;host=b.example! 192.0.2.7 https true b.example
          for=192.0.2.7; proto=https ;host="b.example:8443"! 192.0.2.7 https true b.example:8443
          proto=HTTPS;for=192.0.2.7;;! 192.0.2.7 https true a.example
          for=192.0.2.7;x="a;b,c=d\\"e"! 192.0.2.7 http false a.example
          for=203.0.113.1, for=192.0.2.7! 192.0.2.7 http false a.example
          for=203.0.113.1|for=192.0.2.7! 192.0.2.7 http false a.example
          for=192.0.2.7, for=10.0.0.1|for="[fd00::1]"! 192.0.2.7 http false a.example
          for=192.0.2.7;proto=https;host=b, for=10.0.0.1;proto=http;host=c! 192.0.2.7 https true b
          for=192.0.2.7, for=10.0.0.1;proto=https;host=c! 192.0.2.7 https true c
          for=1.1.1.1;proto=https;host=b, for=192.0.2.7! 192.0.2.7 http false a.example
          for=192.0.2.7;proto=ftp;host="b/"! 192.0.2.7 http false a.example
          for=192.0.2.7, proto=https! self https true a.example
          for=192.0.2.7, for=unknown;proto=https! self https true a.example
          for=192.0.2.7, for="_gazonk"! self http false a.example
          for=192.0.2.7, for=_gazonk, for=10.0.0.1! 10.0.0.1 http false a.example
          for=192.0.2.7, for="fd00::1"! self http false a.example
          for=192.0.2.7, for=10.0.0.1;for=10.0.0.2! self http false a.example
          for=192.0.2.7, for=10.0.0.1;proto! self http false a.example
          for=192.0.2.7, for=10.0.0.1;proto=! self http false a.example
          for=192.0.2.7, for =10.0.0.1! self http false a.example
          for=192.0.2.7, for=10.0.0.1:80! self http false a.example
          for=192.0.2.7, for=10.0.0.1"! self http false a.example
          for=192.0.2.7, for="10.0.0.1! self http false a.example
          for=192.0.2.7, for="10.0.0.1"x! self http false a.example
          for=192.0.2.7, for="10.0.0.1\\"! self http false a.example
          192.0.2.7! self http false a.example
          """)
  void readsElementsFromTheEnd(String lines, String expected) {
    expect(FORWARDED, request("Forwarded", lines), expected);
  }

  /** Whatever a client begins, the element that the proxy adds to its line keeps its meaning. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '~',
      textBlock =
          """
          for="1.1.1.1
          for=1.1.1.1;x="
          for=1.1.1.1;x="\\
          for=1.1.1.1;x="a\\"
          ,
          "
          ""
          for=1.1.1.1, for=10.0.0.1, "
          for="10.0.0.1", for="
          for=10.0.0.1;x=\\
          """)
  void letsNoClientSwallowTheElementOfTheProxy(String sent) {
    for (String added : List.of("for=192.0.2.7", "for=\"192.0.2.7\"", "x=\"a,b\";for=192.0.2.7")) {
      expect(
          FORWARDED,
          request("Forwarded", sent + ", " + added + ";proto=https;host=\"b:1\""),
          "192.0.2.7 https true b:1");
    }
  }

  // ---- trust ----

  @Test
  void believesNoFieldByDefault() {
    RawClient client = connect(FACTS, options -> {});
    byte[] forged =
        request(
            "X-Forwarded-For",
            "192.0.2.7",
            "Forwarded: for=192.0.2.7;proto=https;host=b.example",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: b.example");

    assertThat(client.send(forged).read().text()).isEqualTo(DIRECT);
  }

  @Test
  void believesNoPeerThatIsNotTrusted() {
    for (TrustedPeers others :
        List.of(TrustedPeers.of("10.0.0.0/8", "::1"), TrustedPeers.unixSockets())) {
      expect(
          TrustedProxies.forwarded(others),
          request("Forwarded", "for=192.0.2.7;proto=https;host=b.example"),
          DIRECT);
      expect(
          TrustedProxies.xForwardedFor(others).withXForwardedProto().withXForwardedHost(),
          request("X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto: https"),
          DIRECT);
    }
  }

  @Test
  void readsOnlyTheFieldThatWasChosen() {
    expect(
        FORWARDED,
        request(
            "X-Forwarded-For",
            "1.1.1.1",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: b.example"),
        DIRECT);
    expect(X_FORWARDED, request("Forwarded", "for=1.1.1.1;proto=https;host=b.example"), DIRECT);
    expect(
        FORWARDED,
        request("X-Forwarded-For", "1.1.1.1", "Forwarded: for=192.0.2.7"),
        "192.0.2.7 http false a.example");
  }

  @ParameterizedTest
  @CsvSource({"1,10.0.0.3", "2,10.0.0.2", "3,10.0.0.1", "4,192.0.2.7", "5,192.0.2.7"})
  void readsNoMoreEntriesThanTheLimit(int hopsMax, String expected) {
    String list = "192.0.2.7, 10.0.0.1, 10.0.0.2, 10.0.0.3";
    expect(
        X_FORWARDED.withHopsMax(hopsMax),
        request("X-Forwarded-For", list),
        expected + " http false a.example");
    expect(
        FORWARDED.withHopsMax(hopsMax),
        request("Forwarded", "for=" + list.replace(", ", ", for=")),
        expected + " http false a.example");
  }

  @Test
  void checksItsOptions() {
    assertThatIllegalArgumentException().isThrownBy(() -> FORWARDED.withHopsMax(0));
    assertThatIllegalArgumentException().isThrownBy(() -> FORWARDED.withHopsMax(101));
    assertThatIllegalStateException().isThrownBy(FORWARDED::withXForwardedProto);
    assertThatIllegalStateException().isThrownBy(FORWARDED::withXForwardedHost);
  }

  // ---- everywhere ----

  /** Row T23 of the attacks. */
  @Test
  void keepsNothingForTheNextRequest() {
    RawClient client = connect(FACTS, options -> options.loops(1).trustedProxies(X_FORWARDED));

    for (int i = 0; i < 3; i++) {
      byte[] reported =
          request("X-Forwarded-For", "192.0.2." + i, "X-Forwarded-Host: b" + i + ".example");
      assertThat(client.send(reported).read().text())
          .isEqualTo("192.0.2." + i + " http false b" + i + ".example");
      assertThat(client.send(request("X", "")).read().text()).isEqualTo(DIRECT);
    }
  }

  @Test
  void showsTheFieldsAsTheyWereSent() {
    RawClient client =
        connect(
            (request, response) -> {
              String ignored = request.scheme();
              response.text(
                  request.headers("X-Forwarded-For")
                      + " "
                      + request.header("Host")
                      + " "
                      + address(request.peerAddress()));
            },
            options -> options.trustedProxies(X_FORWARDED));

    String text =
        client.send(request("X-Forwarded-For", "1.1.1.1, 192.0.2.7|10.0.0.1")).read().text();

    assertThat(text).startsWith("[1.1.1.1, 192.0.2.7, 10.0.0.1] ").endsWith(" self");
  }

  @Test
  void showsTheClientToHandlersOnOtherThreads() {
    RawClient client =
        connect(
            Handlers.blocking((request, response) -> response.text(facts(request))),
            options -> options.trustedProxies(X_FORWARDED));

    for (int i = 0; i < 3; i++) {
      client.send(request("X-Forwarded-For", "192.0.2." + i, "X-Forwarded-Proto: https"));
      assertThat(client.read().text()).isEqualTo("192.0.2." + i + " https true a.example");
    }
  }

  @Test
  void showsTheClientToListeners() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    ExchangeListener listener =
        new ExchangeListener() {
          @Override
          public void onEnd(ExchangeInfo exchange) {
            seen.add(
                address(exchange.remoteAddress())
                    + " "
                    + exchange.host()
                    + " "
                    + address(exchange.connection().remoteAddress()));
          }
        };
    RawClient client =
        connect(FACTS, options -> options.trustedProxies(X_FORWARDED).exchangeListener(listener));

    client.send(request("X-Forwarded-For", "192.0.2.7", "X-Forwarded-Host: b.example")).read();

    assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo("192.0.2.7 b.example self");
  }

  @Test
  @OnlyHttp1("the bytes of a WebSocket are read here without frames of HTTP/2")
  void showsTheClientOfAWebSocket() {
    RawClient client =
        connect(
            (request, response) ->
                response.webSocket(
                    new WebSocketListener() {
                      @Override
                      public void onOpen(WebSocket socket) {
                        boolean ignored = socket.sendText(address(socket.remoteAddress()));
                      }
                    }),
            options -> options.trustedProxies(X_FORWARDED));

    client.send(
        request(
            "X-Forwarded-For",
            "192.0.2.7",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="));

    assertThat(client.readUntil("192.0.2.7")).startsWith("HTTP/1.1 101 ");
    client.reset();
  }

  /** A balancer of connections in front of proxies of HTTP. */
  @Test
  @OnlyHttp1("the header is sent before the first bytes of the connection")
  void readsFieldsOfAProxyThatThePROXYProtocolReports() {
    Endpoint endpoint =
        Endpoint.tcp("127.0.0.1", 0).with(ProxyProtocol.from(TrustedPeers.of("127.0.0.1")));
    TrustedProxies trusted = TrustedProxies.xForwardedFor(TrustedPeers.of("192.0.2.7"));
    HttpServer server =
        servers.watch(
            Peregrine.builder()
                .transport(Servers.TRANSPORT)
                .limits(Servers.LIMITS)
                .endpoint(endpoint)
                .trustedProxies(trusted.withXForwardedProto())
                .handler(FACTS)
                .start());
    byte[] request = request("X-Forwarded-For", "1.1.1.1, 203.0.113.1", "X-Forwarded-Proto: https");

    RawClient proxied = servers.connect(server);
    proxied.send(Requests.join(ProxyHeaders.block(), request));
    assertThat(proxied.read().text()).isEqualTo("203.0.113.1 https true a.example");
    RawClient direct = servers.connect(server);
    direct.send(Requests.join(ProxyHeaders.line("PROXY UNKNOWN"), request));
    assertThat(direct.read().text()).isEqualTo(DIRECT);
  }

  /** Such a path is a socket of the balancer, whose permissions are unknown here. */
  @Test
  @OnlyHttp1("the header is sent before the first bytes of the connection")
  void believesNoUnixSocketThatThePROXYProtocolReports() {
    HttpServer server =
        servers.watch(
            Peregrine.builder()
                .transport(Servers.TRANSPORT)
                .limits(Servers.LIMITS)
                .endpoint(
                    Endpoint.tcp("127.0.0.1", 0)
                        .with(ProxyProtocol.from(TrustedPeers.of("127.0.0.1"))))
                .trustedProxies(TrustedProxies.xForwardedFor(TrustedPeers.unixSockets()))
                .handler(FACTS)
                .start());
    byte[] paths = ProxyHeaders.paths("/run/a", "");
    byte[] header = ProxyHeaders.block(ProxyHeaders.PROXY, ProxyHeaders.UNIX, paths);

    RawClient client = servers.connect(server);
    client.send(Requests.join(header, request("X-Forwarded-For", "192.0.2.7")));

    assertThat(client.read().text()).isEqualTo("/run/a http false a.example");
  }
}
