package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Seeds;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many requests in one write: every response complete, in the order of the requests. */
final class PipeliningIT {
  private static final Handler TARGET = (request, response) -> response.text(request.target());

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16, 17, 100, 999, 1000})
  void answersThatManyRequestsOfOneWrite(int count) {
    RawClient client = servers.connect(servers.start(TARGET));

    for (int round = 0; round < 3; round++) {
      List<byte[]> requests = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        requests.add(Requests.get("/" + round + "/" + i));
      }
      client.send(Requests.join(requests.toArray(byte[][]::new)));
      for (int i = 0; i < count; i++) {
        assertThat(client.read().text()).isEqualTo("/" + round + "/" + i);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100_000, 1_000_000, 10_000_000})
  void continuesAfterALargeResponseOfAnotherThread(int bytes) {
    byte[] content = Requests.content(bytes);
    RawClient client =
        servers.connect(
            servers.start(Handlers.blocking((request, response) -> response.send(content))));
    byte[] last = Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

    client.send(Requests.join(Requests.get("/"), Requests.get("/"), last));

    for (int i = 0; i < 3; i++) {
      assertThat(client.read().content()).isEqualTo(content);
    }
    client.expectEnd();
  }

  @Test
  void answersRequestsOfAllKindsInOrder() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/whole" -> Echo.WHOLE.handler().handle(request, response);
                case "/pieces" -> Echo.PIECES.handler().handle(request, response);
                case "/blocking" -> Echo.BLOCKING.handler().handle(request, response);
                case "/none" -> response.status(204).send();
                default -> TARGET.handle(request, response);
              }
            });
    String[] echoes = {"/whole", "/pieces", "/blocking"};
    Seeds.each(
        10,
        random -> {
          RawClient client = servers.connect(server);
          List<byte[]> requests = new ArrayList<>();
          List<String> methods = new ArrayList<>();
          List<byte[]> contents = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            byte[] content = Requests.content(random.nextInt(4) == 0 ? random.nextInt(50_000) : 9);
            String echo = echoes[random.nextInt(echoes.length)];
            switch (random.nextInt(5)) {
              case 0 -> {
                requests.add(Requests.get("/" + i));
                methods.add("GET");
                contents.add(Requests.bytes("/" + i));
              }
              case 1 -> {
                requests.add(Requests.head("/" + i));
                methods.add("HEAD");
                contents.add(new byte[0]);
              }
              case 2 -> {
                requests.add(Requests.get("/none"));
                methods.add("GET");
                contents.add(new byte[0]);
              }
              case 3 -> {
                requests.add(Requests.post(echo, content));
                methods.add("POST");
                contents.add(content);
              }
              default -> {
                requests.add(Requests.chunkedPost(echo, content, 1 + random.nextInt(9_000)));
                methods.add("POST");
                contents.add(content);
              }
            }
          }
          CompletableFuture<Void> sent =
              client.sendMeanwhile(Requests.join(requests.toArray(byte[][]::new)));
          for (int i = 0; i < methods.size(); i++) {
            RawResponse response = client.read(methods.get(i));
            assertThat(response.content()).as("response %d", i).isEqualTo(contents.get(i));
          }
          sent.join();
          client.close();
        });
  }

  @Test
  void pairsResponsesWithoutContentWithTheirRequests() {
    RawClient client = servers.connect(servers.start(TARGET));

    client.send(Requests.join(Requests.get("/a"), Requests.head("/bb"), Requests.get("/ccc")));

    assertThat(client.read().text()).isEqualTo("/a");
    assertThat(client.read("HEAD").header("Content-Length")).isEqualTo("3");
    assertThat(client.read().text()).isEqualTo("/ccc");
  }

  @Test
  void sendsResponsesThatAreLargerThanAllBuffersWhileMoreRequestsWait() {
    byte[] large = Requests.content(300_000);
    RawClient client = servers.connect(servers.start((request, response) -> response.send(large)));
    int count = 200;
    List<byte[]> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(Requests.get("/" + i));
    }

    CompletableFuture<Void> sent =
        client.sendMeanwhile(Requests.join(requests.toArray(byte[][]::new)));

    for (int i = 0; i < count; i++) {
      assertThat(client.read().content()).isEqualTo(large);
    }
    sent.join();
  }

  @Test
  void handlesOneRequestOfAConnectionAtATime() {
    AtomicInteger atWork = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    HttpServer server =
        servers.start(
            (request, response) -> {
              most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
              response.async();
              Thread.ofVirtual()
                  .start(
                      () -> {
                        atWork.decrementAndGet();
                        response.text("done");
                      });
            });
    RawClient client = servers.connect(server);

    client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n".repeat(500));

    for (int i = 0; i < 500; i++) {
      assertThat(client.read().text()).isEqualTo("done");
    }
    assertThat(most).hasValue(1);
  }

  /**
   * Pipelined bytes after a request that is being handled: as many as the limit, one less, one
   * more, far more.
   */
  @ParameterizedTest
  @ValueSource(ints = {999, 1000, 1001, 200_000})
  void answersRequestsThatWaitForTheOneBeingHandled(int bytes) throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/later")) {
                pending.add(response.async());
              } else {
                TARGET.handle(request, response);
              }
            },
            Servers.LIMITS.toBuilder().pipelinedBytesMax(1000).build());
    RawClient client = servers.connect(server).get("/later");
    Response first = pending.take();
    byte[] request = Requests.get("/0123456789");
    int count = bytes / request.length - 1;
    byte[] last = Requests.get("/0123456789" + "x".repeat(bytes % request.length));
    byte[] waiting = Requests.join(Collections.nCopies(count, request).toArray(byte[][]::new));
    CompletableFuture<Void> sent = client.sendMeanwhile(Requests.join(waiting, last));
    if (bytes < 100_000) { // others may not be taken before the first response
      sent.join();
    }

    first.text("first");

    assertThat(client.read().text()).isEqualTo("first");
    for (int i = 0; i < count; i++) {
      assertThat(client.read().text()).isEqualTo("/0123456789");
    }
    assertThat(client.read().status()).isEqualTo(200);
    sent.join();
  }

  @Test
  void answersNothingAfterARequestThatClosesTheConnection() {
    AtomicInteger handled = new AtomicInteger();
    HttpServer server =
        servers.start(
            (request, response) -> {
              handled.incrementAndGet();
              response.text(request.target());
            });
    RawClient client = servers.connect(server);

    client.send(
        Requests.join(
            Requests.get("/1"),
            Requests.bytes("GET /2 HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"),
            Requests.get("/3")));

    assertThat(client.read().text()).isEqualTo("/1");
    RawResponse last = client.read();
    assertThat(last.text()).isEqualTo("/2");
    assertThat(last.saysClose()).isTrue();
    client.expectEnd();
    assertThat(handled).hasValue(2);
  }

  @Test
  void answersRequestsBeforeTheEndOfTheStream() {
    RawClient client = servers.connect(servers.start(TARGET));

    client.send(Requests.join(Requests.get("/1"), Requests.get("/2"))).halfClose();

    assertThat(client.read().text()).isEqualTo("/1");
    assertThat(client.read().text()).isEqualTo("/2");
    client.expectEnd();
  }
}
