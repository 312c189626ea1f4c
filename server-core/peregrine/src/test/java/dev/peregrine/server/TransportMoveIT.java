package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Response;
import dev.peregrine.server.epoll.Epoll;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that begins on java.nio and moves to epoll with its connections. */
@Timeout(300)
final class TransportMoveIT {
  private static final int LARGE = 8 * 1024 * 1024;

  @RegisterExtension final Servers servers = new Servers();

  @BeforeEach
  void needsEpoll() {
    assumeTrue(Epoll.problem() == null, "it needs the epoll transport");
  }

  private HttpServer start() {
    return servers.start(
        (request, response) -> {
          if (request.pathIs("/large")) {
            response.contentType(ContentType.TEXT_PLAIN).send(new byte[LARGE]);
          } else if (request.pathIs("/echo")) {
            request.body().receiveAll(100, response::send);
          } else {
            response.text("hello");
          }
        },
        options -> options.transport(TransportKind.NIO));
  }

  @Test
  void servesIdleConnectionsAndNewOnes() {
    HttpServer server = start();
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      clients.add(servers.connect(server));
      assertThat(clients.getLast().get("/").read().text()).isEqualTo("hello");
    }
    server.running().moveTransport();
    assertThat(server.transport()).isEqualTo(TransportKind.EPOLL);
    for (RawClient client : clients) {
      assertThat(client.get("/").read().text()).isEqualTo("hello");
    }
    for (int i = 0; i < 10; i++) {
      assertThat(servers.connect(server).get("/").read().text()).isEqualTo("hello");
    }
    assertThat(server.connectionCount()).isEqualTo(60);
  }

  @Test
  void leavesNoDescriptorsOfJavaNio() throws Exception {
    HttpServer warm = start();
    servers.connect(warm).get("/").read();
    warm.running().moveTransport();
    warm.close();
    List<String> before = Descriptors.ofTransports();
    HttpServer server = start();
    RawClient client = servers.connect(server);
    client.get("/").read();
    server.running().moveTransport();
    client.get("/").read();
    server.close();
    client.close();
    Descriptors.awaitNoMoreThan(before);
  }

  @Test
  void continuesAResponseThatWaitsForItsClient() {
    HttpServer server = start();
    RawClient client = servers.connect(server).get("/large");
    String head = client.readUntil("\r\n\r\n");
    server.running().moveTransport();
    assertThat(head).startsWith("HTTP/1.1 200 ");
    assertThat(client.readBytes(LARGE)).hasSize(LARGE);
    assertThat(client.get("/").read().text()).isEqualTo("hello");
  }

  @Test
  void continuesARequestWhoseContentArrivesLater() {
    HttpServer server = start();
    RawClient client = servers.connect(server);
    byte[] request =
        Requests.bytes("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\n01234");
    client.get("/").read();
    client.send(request);
    server.running().moveTransport();
    assertThat(client.send("56789").read().text()).isEqualTo("0123456789");
  }

  @Test
  void completesAResponseOfAnotherThread() throws InterruptedException {
    BlockingQueue<Response> waiting = new ArrayBlockingQueue<>(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              waiting.add(response);
            },
            options -> options.transport(TransportKind.NIO));
    RawClient client = servers.connect(server).get("/");
    Response response = waiting.take();
    server.running().moveTransport();
    response.text("late");
    assertThat(client.read().text()).isEqualTo("late");
  }

  @Test
  void findsThatAClientHasGone() {
    HttpServer server = start();
    RawClient client = servers.connect(server);
    client.get("/").read();
    server.running().moveTransport();
    client.halfClose();
    client.expectEnd();
  }

  @Test
  void drainsAfterwards() {
    HttpServer server = start();
    RawClient client = servers.connect(server);
    client.get("/").read();
    server.running().moveTransport();
    assertThat(Servers.shutdown(server).join()).isTrue();
    client.expectEnd();
  }

  @Test
  void movesOnceOnly() {
    HttpServer server = start();
    server.running().moveTransport();
    server.running().moveTransport();
    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("hello");
  }
}
