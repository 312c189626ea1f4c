package dev.peregrine.server;

import static dev.peregrine.testing.ProxyHeaders.line;
import static dev.peregrine.testing.ProxyHeaders.show;
import static dev.peregrine.testing.ProxyHeaders.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.proxy.ProxyProtocol;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.ProxyHeaders;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server behind the PROXY protocol, and what it tells its listeners and its log. */
abstract class ProxyProtocolCase {
  static final TrustedPeers LOOPBACK = TrustedPeers.of("127.0.0.0/8");
  static final TcpEndpoint PLAIN = Endpoint.tcp("127.0.0.1", 0);
  static final TcpEndpoint PROXIED = PLAIN.with(ProxyProtocol.from(LOOPBACK));
  static final byte[] REQUEST = Requests.get("/");
  static final byte[] TLS_VALUE = ProxyHeaders.tls(1, 1, value(0x21, "TLSv1.3"));
  static final Handler FACTS = (request, response) -> response.text(facts(request));

  @RegisterExtension final Servers servers = new Servers();

  final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  /** Records a line for each connection that opens or is closed. */
  private final class Notes implements ConnectionListener {
    @Override
    public void onOpen(ConnectionInfo connection) {
      events.add("open " + clients(connection));
    }

    @Override
    public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
      events.add(reason + " " + clients(connection));
    }

    private static String clients(ConnectionInfo connection) {
      return host(connection.remoteAddress()) + " by " + host(connection.peerAddress());
    }

    private static String host(Object address) {
      return address instanceof InetSocketAddress inet
          ? inet.getAddress().getHostAddress()
          : "a socket";
    }
  }

  static String facts(Request request) {
    ProxyInfo proxy = request.proxy();
    String remote = show(request.remoteAddress());
    return request.scheme()
        + " "
        + (remote.startsWith("127.0.0.1") ? "loopback" : remote)
        + " by "
        + ((InetSocketAddress) request.peerAddress()).getAddress().getHostAddress()
        + (proxy == null ? " unproxied" : proxy.isLocal() ? " local" : "")
        + (proxy == null || proxy.authority() == null ? "" : " " + proxy.authority());
  }

  static final String CLIENT = "http " + ProxyHeaders.CLIENT + " by 127.0.0.1";

  HttpServer serve(Handler handler, Consumer<HttpServerBuilder> options) {
    HttpServerBuilder builder =
        Peregrine.builder()
            .loops(2)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .connectionListener(new Notes())
            .handler(handler);
    options.accept(builder);
    return servers.watch(builder.start());
  }

  HttpServer serve(Handler handler, Endpoint... endpoints) {
    return serve(handler, options -> List.of(endpoints).forEach(options::endpoint));
  }

  static RawClient connect(HttpServer server) {
    return RawClient.connect((InetSocketAddress) server.addresses().getFirst());
  }

  String event() throws InterruptedException {
    return Objects.requireNonNull(events.poll(120, TimeUnit.SECONDS));
  }

  void expectClosedBy(CloseReason reason) throws InterruptedException {
    assertThat(event()).isEqualTo("open 127.0.0.1 by 127.0.0.1");
    assertThat(event()).isEqualTo(reason + " 127.0.0.1 by 127.0.0.1");
  }

  /** Waits for the one line about a header that the log has since the last call. */
  String logged() {
    List<String> lines = new ArrayList<>();
    Await.until(
        "a line about the header",
        () -> {
          servers.log().take(Level.INFO).stream()
              .map(LogRecord::getMessage)
              .filter(line -> line.contains("PROXY protocol"))
              .forEach(lines::add);
          return !lines.isEmpty();
        });
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }

  boolean logsNothing() {
    return servers.log().take(Level.INFO).stream()
        .noneMatch(line -> line.getMessage().contains("PROXY protocol"));
  }
}
