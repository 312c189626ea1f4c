package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connections that leave HTTP (RFC 9110 sections 7.8 and 9.3.6). */
final class UpgradeIT {
  private static final byte[] UPGRADE =
      Requests.lines("GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo");
  private static final byte[] CONNECT = Requests.lines("CONNECT a:1 HTTP/1.1", "Host: a:1");

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  @RegisterExtension final Servers servers = new Servers();

  private static class EchoListener implements RawListener {
    private final BlockingQueue<String> events;

    EchoListener(BlockingQueue<String> events) {
      this.events = events;
    }

    @Override
    public void onOpen(RawConnection opened) {
      events.add("open");
    }

    @Override
    public void onData(RawConnection to, Bytes data) throws Exception {
      to.write(data);
      if (!to.isWritable()) {
        to.pause();
        to.onWritable(to::resume);
      }
    }

    @Override
    public void onEnd(RawConnection connection) {
      events.add("end");
      connection.end();
    }

    @Override
    public void onClose(IOException cause) {
      events.add("close");
    }
  }

  /** Passes its connection to another thread, to write to. */
  private final class OpenedListener extends EchoListener {
    private final BlockingQueue<RawConnection> opened;

    OpenedListener(BlockingQueue<RawConnection> opened) {
      super(events);
      this.opened = opened;
    }

    @Override
    public void onOpen(RawConnection connection) {
      opened.add(connection);
    }
  }

  @Test
  void handsAConnectionOverOnTheLastRequestThatItMayServe() {
    HttpServer server =
        servers.start(echo(), ServerLimits.builder().requestsPerConnectionMax(1).build());

    expectEcho(servers.connect(server).send(UPGRADE), 101);
    expectEcho(servers.connect(server).send(CONNECT), 200);
  }

  @Test
  void handsAConnectionOverThatWouldEndAfterItsRequest() {
    byte[] last = Requests.lines("CONNECT a:1 HTTP/1.1", "Host: a:1", "Connection: close");

    expectEcho(servers.connect(servers.start(echo())).send(last), 200);
  }

  private static void expectEcho(RawClient client, int status) {
    assertThat(client.readUntil("\r\n\r\n"))
        .startsWith("HTTP/1.1 " + status)
        .doesNotContain("Connection: close");
    assertThat(client.send("hello").readBytes(5)).isEqualTo(Requests.bytes("hello"));
  }

  /** A client that has left HTTP for a listener. */
  private RawClient upgraded(RawListener listener) {
    HttpServer server = servers.start((request, response) -> response.upgrade("echo", listener));
    RawClient client = servers.connect(server).send(UPGRADE);
    assertThat(client.read().status()).isEqualTo(101);
    return client;
  }

  private Handler echo() {
    return (request, response) -> {
      if (request.isUpgrade()) {
        response.header("X", "y").upgrade("echo", new EchoListener(events));
      } else {
        response.tunnel(new EchoListener(events));
      }
    };
  }

  @Test
  void handsAConnectionOverAfterA101() throws Exception {
    RawClient client = servers.connect(servers.start(echo()));

    client.send(Requests.join(UPGRADE, Requests.bytes("early bytes")));

    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(101);
    assertThat(response.header("Upgrade")).isEqualTo("echo");
    assertThat(response.header("Connection")).isEqualTo("Upgrade");
    assertThat(response.header("X")).isEqualTo("y");
    assertThat(client.readBytes(11)).isEqualTo(Requests.bytes("early bytes"));
    client.send("later");
    assertThat(client.readBytes(5)).isEqualTo(Requests.bytes("later"));
    client.halfClose().expectEnd();
    assertThat(events.take()).isEqualTo("open");
    assertThat(events.take()).isEqualTo("end");
    assertThat(events.take()).isEqualTo("close");
  }

  @Test
  void makesATunnelOfAConnect() {
    RawClient client = servers.connect(servers.start(echo()));

    client.send(CONNECT);

    RawResponse response = client.read("HEAD"); // no content, despite the fields
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("Content-Length")).isNull();
    assertThat(response.header("Transfer-Encoding")).isNull();
    client.send("GET / HTTP/1.1\r\n\r\n");
    assertThat(client.readBytes(18)).isEqualTo(Requests.bytes("GET / HTTP/1.1\r\n\r\n"));
    client.halfClose().expectEnd();
  }

  @Test
  void passesAnyNumberOfBytesBothWays() {
    byte[] content = Requests.content(8_000_000);
    RawClient client = servers.connect(servers.start(echo()), 8 * 1024).send(UPGRADE);
    assertThat(client.read().status()).isEqualTo(101);

    CompletableFuture<Void> sent = client.sendMeanwhile(content);

    assertThat(client.readBytes(content.length)).isEqualTo(content);
    sent.join();
    client.halfClose().expectEnd();
  }

  @Test
  void isWrittenToByAnotherThread() throws Exception {
    BlockingQueue<RawConnection> opened = new LinkedBlockingQueue<>();
    byte[] content = Requests.content(300_000);
    RawClient client = upgraded(new OpenedListener(opened));

    RawConnection connection = opened.take();
    connection.write(content).write(ByteBuffer.wrap(content));
    connection.end();

    assertThat(client.readBytes(600_000)).isEqualTo(Requests.join(content, content));
    client.expectEnd();
  }

  @Test
  void reportsOnEveryThreadThatMoreCanBeWritten() throws Exception {
    BlockingQueue<RawConnection> opened = new LinkedBlockingQueue<>();
    RawClient client = upgraded(new OpenedListener(opened));
    RawConnection connection = opened.take();

    for (int size : new int[] {1, 65_535, 65_536, 100_000, 1_000_000}) {
      connection.write(Requests.content(size));
      assertThat(client.readBytes(size)).isEqualTo(Requests.content(size));
      Await.until("more can be written after " + size + " bytes", connection::isWritable);
    }
    connection.end();
    client.expectEnd();
  }

  @Test
  void notifiesTheListenerOfAClientThatVanished() throws Exception {
    RawClient client = servers.connect(servers.start(echo())).send(UPGRADE);
    assertThat(client.read().status()).isEqualTo(101);
    assertThat(events.take()).isEqualTo("open");

    client.reset();

    assertThat(events.take()).isEqualTo("close");
  }

  @Test
  void cutsAConnectionWhoseListenerFails() {
    RawClient client =
        upgraded(
            new EchoListener(events) {
              @Override
              public void onData(RawConnection from, Bytes data) {
                throw new IllegalStateException(
                    "intended: " + data.toString(StandardCharsets.US_ASCII));
              }
            });

    client.send("bytes").expectReset();

    assertThat(servers.log().await(Level.WARNING)).hasSize(1);
  }

  @Test
  void closesAListenerWhoseConnectionIsNeverSwitched() throws Exception {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.beforeCommit(
                  () -> {
                    throw new IllegalStateException("no switch");
                  });
              response.upgrade("echo", new EchoListener(events));
            });

    assertThat(servers.connect(server).send(UPGRADE).read().status()).isEqualTo(500);
    assertThat(events.take()).startsWith("close");
    servers.log().expectOne(Level.WARNING, "no switch");
  }

  @Test
  void rejectsAnUpgradeThatTheClientDidNotRequest() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThatThrownBy(() -> response.upgrade("echo", new EchoListener(events)))
                  .isInstanceOf(IllegalStateException.class);
              assertThatThrownBy(() -> response.tunnel(new EchoListener(events)))
                  .isInstanceOf(IllegalStateException.class);
              assertThatThrownBy(() -> response.upgrade("a\r\nb", new EchoListener(events)))
                  .isInstanceOf(IllegalArgumentException.class);
              response.text("HTTP");
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("HTTP");
  }

  @Test
  void answersAConnectThatIsNotAccepted() {
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receiveAll(10, content -> response.status(403).text("" + content.length)));

    RawResponse refused = servers.connect(server).send(CONNECT).read();

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).isEqualTo("0");
  }

  @OnlyHttp1("a success to CONNECT makes a tunnel")
  @Test
  void continuesWithHttpIfTheHandlerIgnoresTheUpgrade() {
    RawClient client = servers.connect(servers.start((request, response) -> response.text("HTTP")));

    client.send(Requests.join(UPGRADE, Requests.get("/")));

    assertThat(client.read().text()).isEqualTo("HTTP");
    assertThat(client.read().text()).isEqualTo("HTTP");
  }

  @Test
  void endsWithTheServer() throws Exception {
    HttpServer server = servers.start(echo());
    RawClient client = servers.connect(server).send(UPGRADE);
    assertThat(client.read().status()).isEqualTo(101);

    assertThat(server.shutdown(Duration.ofMillis(50)).isComplete()).isFalse();

    client.expectClosed();
    assertThat(events.take()).isEqualTo("open");
    assertThat(events.take()).isEqualTo("close");
    assertThat(servers.log().await(Level.WARNING))
        .singleElement()
        .extracting(LogRecord::getMessage)
        .asString()
        .endsWith("cut short: upgraded connections 1");
  }
}
