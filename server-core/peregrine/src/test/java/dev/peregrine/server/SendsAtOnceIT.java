package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.AcceptedSocket;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No response waits for an acknowledgement of the client, which its system may delay by 40 ms: the
 * kernel sends every write at once, and head and content are one write.
 */
final class SendsAtOnceIT {
  private static final int TIMES = 30; // more than the kernel acknowledges at once at the beginning

  @RegisterExtension final Servers servers = new Servers();

  @BeforeEach
  void kernelTellsAboutSockets() {
    assumeTrue(Descriptors.areVisible(), "needs Linux");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nagleIsOffOnAcceptedSockets(boolean reusePort) {
    HttpServer server =
        servers.start(
            (request, response) -> response.text("at once"),
            options -> options.reusePort(reusePort));
    for (int i = 0; i < 4; i++) {
      RawClient client = servers.connect(server).get("/");
      assertThat(client.read().text()).isEqualTo("at once");
      assertThat(AcceptedSocket.of(client).sendsAtOnce()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 16 * 1024, 20_000}) // copied, the longest copied one, gathered
  void headAndContentLeaveTogether(int bytes) {
    byte[] content = Requests.content(bytes);
    RawClient client =
        servers.connect(servers.start((request, response) -> response.send(content)));

    for (int i = 1; i <= TIMES; i++) {
      assertThat(client.get("/").read().content()).isEqualTo(content);
      assertThat(AcceptedSocket.of(client).segments()).isEqualTo(i);
    }
  }

  @Test
  void eachStreamedPieceLeavesByItself() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  ResponseStream out = response.stream();
                  for (int i = 0; i < TIMES; i++) {
                    out.write(Requests.bytes("piece " + i));
                    out.flush();
                    received.take(); // the client has it, and sends nothing that would acknowledge
                  }
                  out.complete();
                }));
    RawClient client = servers.connect(server).get("/");

    for (int i = 0; i < TIMES; i++) {
      client.readUntil("piece " + i);
      assertThat(AcceptedSocket.of(client).segments()).isEqualTo(1 + i); // the first with the head
      received.add("piece");
    }

    client.readUntil("0\r\n\r\n");
    assertThat(AcceptedSocket.of(client).segments()).isEqualTo(TIMES + 1);
    assertThat(AcceptedSocket.of(client).sendsAtOnce()).isTrue();
  }

  @Test
  void continueLeavesByItselfAndTheResponseAfterIt() {
    HttpServer server =
        servers.start(
            (request, response) -> request.body().receiveAll(3, content -> response.send(content)));
    RawClient client = servers.connect(server);

    for (int i = 0; i < TIMES; i++) {
      client.send(
          Requests.lines(
              "POST / HTTP/1.1", "Host: test", "Expect: 100-continue", "Content-Length: 3"));
      assertThat(client.read().status()).isEqualTo(100);
      assertThat(AcceptedSocket.of(client).segments()).isEqualTo(2 * i + 1);
      assertThat(client.send("abc").read().text()).isEqualTo("abc");
      assertThat(AcceptedSocket.of(client).segments()).isEqualTo(2 * i + 2);
    }
    assertThat(AcceptedSocket.of(client).sendsAtOnce()).isTrue();
  }
}
