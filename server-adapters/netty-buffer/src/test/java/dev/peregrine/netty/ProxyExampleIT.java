package dev.peregrine.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server beside Netty's HTTP client. */
final class ProxyExampleIT {
  @RegisterExtension final Servers servers = new Servers();

  private final EventLoopGroup clients =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @AfterEach
  void endClients() {
    clients.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private HttpServer upstream() {
    return servers.watch(
        Peregrine.builder()
            .port(0)
            .loops(1)
            .limits(Servers.LIMITS)
            .transport(TransportKind.NIO)
            .handler((request, response) -> request.body().receiveAll(8_000_000, response::send))
            .start());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 100_000, 2_000_000})
  void passesContentOnInBothDirections(int length) {
    HttpServer proxy = servers.start(new ProxyExample(clients, upstream().address()));
    byte[] content = Requests.content(length);

    for (int i = 0; i < 3; i++) {
      assertThat(servers.connect(proxy).post("/any", content).read().content()).isEqualTo(content);
    }
  }

  @Test
  void reportsAnUpstreamThatIsNotThere() throws IOException {
    try (Socket notListening = new Socket()) { // no other test gets its port meanwhile
      notListening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketAddress address = notListening.getLocalSocketAddress();
      HttpServer proxy = servers.start(new ProxyExample(clients, address));
      assertThat(servers.connect(proxy).get("/").read().status()).isEqualTo(500);
      Await.until("it is logged", () -> !servers.log().take(Level.SEVERE).isEmpty());
    }
  }
}
