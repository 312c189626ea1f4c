package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.RecordClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that end TLS by a fatal alert, which is a failure of their own connection only. */
final class TlsAlertIT {
  private static final int SECONDS = 20;
  private static final byte[] GET = Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

  @RegisterExtension final Servers servers = new Servers();

  private HttpServer start(Handler handler) {
    return servers.start(handler, options -> options.loops(1).with(Certificates.TLS));
  }

  /** The client that continues has sent a record that brings no content. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void doNotEndTheOtherConnectionsOfTheirLoop(String version) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    HttpServer server =
        start(
            (request, response) -> {
              if (request.pathIs("/never")) {
                response.async();
                response.onAbort(ignored -> gone.countDown());
                begun.countDown();
              } else {
                response.text("ok");
              }
            });

    try (RecordClient honest = RecordClient.connect(server.address(), version);
        RecordClient failing = RecordClient.connect(server.address(), version)) {
      honest.send(GET).readUntil("ok");
      failing.send(Requests.bytes("GET /never HTTP/1.1\r\nHost: a\r\n\r\n"));
      assertThat(begun.await(SECONDS, TimeUnit.SECONDS)).isTrue();
      failing.sendFatalAlert();
      assertThat(gone.await(SECONDS, TimeUnit.SECONDS)).isTrue();

      assertThat(honest.sendEmpty().send(GET).readUntil("ok")).startsWith("HTTP/1.1 200 OK");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void breakATunnel(String version) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    RawListener listener =
        new RawListener() {
          @Override
          public void onOpen(RawConnection connection) {
            events.add("open");
          }

          @Override
          public void onData(RawConnection connection, Bytes data) {}

          @Override
          public void onEnd(RawConnection connection) {
            events.add("end");
            connection.end();
          }

          @Override
          public void onClose(IOException cause) {
            events.add("close");
          }
        };
    HttpServer server = start((request, response) -> response.upgrade("echo", listener));

    try (RecordClient client = RecordClient.connect(server.address(), version)) {
      client.send(
          Requests.lines("GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo"));
      client.readUntil("\r\n\r\n");
      client.sendFatalAlert();

      assertThat(events.poll(SECONDS, TimeUnit.SECONDS)).isEqualTo("open");
      assertThat(events.poll(SECONDS, TimeUnit.SECONDS)).isEqualTo("close");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void breakAWebSocket(String version) throws Exception {
    RecordingListener listener = new RecordingListener();
    HttpServer server = start((request, response) -> response.webSocket(listener));

    try (RecordClient client = RecordClient.connect(server.address(), version)) {
      client.send(FrameClient.handshake("/")).readUntil("\r\n\r\n");
      client.sendFatalAlert();

      assertThat(listener.next()).isEqualTo("open");
      assertThat(listener.next())
          .startsWith("close 1006 ")
          .doesNotContain("the client has ended the connection");
    }
  }
}
