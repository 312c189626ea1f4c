package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Seeds;
import dev.peregrine.testing.Servers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that are completed after the handler has returned, from any thread. */
final class AsyncIT {
  @RegisterExtension final Servers servers = new Servers();

  @Test
  void sendsWhatAnotherThreadCompletes() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server);

    client.get("/");
    pending.take().status(201).header("X", "y").text("later");

    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(201);
    assertThat(response.header("X")).isEqualTo("y");
    assertThat(response.text()).isEqualTo("later");
  }

  @Test
  void readsTheHeadOfARequestAfterItsEnd() throws Exception {
    BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              requests.add(request);
              response.async().text("done");
            });
    RawClient client = servers.connect(server);
    client.send("GET /one?a=b HTTP/1.1\r\nHost: h\r\nX-Own: first\r\n\r\n").read();
    client.send("POST /two HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n").read();

    Request first = requests.take();
    Request second = requests.take();
    assertThat(first.methodName()).isEqualTo("GET");
    assertThat(first.target()).isEqualTo("/one?a=b");
    assertThat(first.query()).isEqualTo("a=b");
    assertThat(first.header("X-Own")).isEqualTo("first");
    assertThat(first.version()).isEqualTo(Servers.VERSION);
    assertThat(second.methodName()).isEqualTo("POST");
    assertThat(second.path()).isEqualTo("/two");
    assertThat(second.header("X-Own")).isNull();
    assertThatThrownBy(first::pathSegments).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> first.body().readAll(1)).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
  void knowsTheAddressesOnEveryThread(String host) throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              pending.add(response.async());
              requests.add(request);
            },
            options -> options.host(host));
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    for (int i = 0; i < 3; i++) {
      RawClient client = servers.connect(address);
      client.get("/");
      Request request = requests.take();

      assertThat(request.localAddress()).isEqualTo(address);
      assertThat(request.remoteAddress()).isEqualTo(client.localAddress());
      pending.take().text("done");
      assertThat(client.read().text()).isEqualTo("done");
    }
  }

  @Test
  void keepsTheOrderOfRequestsEvenIfALaterOneFinishesFirst() {
    Seeds.each(
        20,
        random -> {
          long seed = random.nextLong();
          HttpServer server =
              servers.start(
                  (request, response) -> {
                    String target = request.target();
                    switch (Math.floorMod(target.hashCode() ^ seed, 4)) {
                      case 0 -> response.text(target);
                      case 1 -> {
                        response.async();
                        Thread.ofVirtual().start(() -> response.text(target));
                      }
                      case 2 -> {
                        ResponseStream stream = response.async().stream();
                        Thread.ofPlatform()
                            .start(() -> stream.write(Requests.bytes(target)).complete());
                      }
                      default -> {
                        response.async();
                        response.async(
                            () -> CompletableFuture.runAsync(() -> response.text(target)));
                      }
                    }
                  });
          RawClient client = servers.connect(server);
          List<byte[]> requests = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            requests.add(Requests.get("/" + i));
          }
          client.send(Requests.join(requests.toArray(byte[][]::new)));
          for (int i = 0; i < 100; i++) {
            assertThat(client.read().text()).isEqualTo("/" + i);
          }
          client.close();
        });
  }

  @Test
  void keepsTheRequestReadableUntilTheResponseIsComplete() throws Exception {
    BlockingQueue<Runnable> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              pending.add(
                  () ->
                      response.text(
                          request.methodName()
                              + " "
                              + request.path()
                              + " "
                              + request.query()
                              + " "
                              + request.host()
                              + " "
                              + request.header("X-Own")
                              + " "
                              + request.headers("X-Own")
                              + " "
                              + request.headerCount()));
            },
            options -> options.loops(1));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      RawClient client = servers.connect(server);
      clients.add(client);
      client.send(
          "PUT /p" + i + "?q" + i + " HTTP/1.1\r\nHost: h" + i + "\r\nX-Own: x" + i + "\r\n\r\n");
      pending.put(pending.take()); // this request was handled before the next one is sent
    }

    for (int i = 0; i < 10; i++) {
      pending.take().run();
    }

    List<String> expected = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      expected.add("PUT /p%d q%d h%d x%d [x%d] 2".formatted(i, i, i, i, i));
      texts.add(clients.get(i).read().text());
    }
    assertThat(texts).isEqualTo(expected);
  }

  @Test
  void servesOtherConnectionsMeanwhile() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/later")) {
                pending.add(response.async());
              } else {
                response.text("now");
              }
            },
            options -> options.loops(1));
    RawClient waiting = servers.connect(server).get("/later").get("/now");
    Response response = pending.take();

    assertThat(servers.connect(server).get("/now").read().text()).isEqualTo("now");

    response.text("later");
    assertThat(waiting.read().text()).isEqualTo("later");
    assertThat(waiting.read().text()).isEqualTo("now");
  }

  @Test
  void flushesAStreamBeforeItsEnd() throws Exception {
    BlockingQueue<ResponseStream> streams = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start((request, response) -> streams.add(response.async().stream()));
    RawClient client = servers.connect(server);

    client.get("/");
    ResponseStream stream = streams.take();
    stream.flush();
    assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 OK");
    stream.write(Requests.bytes("one"));
    assertThat(client.readUntil("\r\none\r\n")).startsWith("3\r\n");
    stream.write(Requests.bytes("two")).complete();

    assertThat(client.readBytes(13)).isEqualTo(Requests.bytes("3\r\ntwo\r\n0\r\n\r\n"));
  }

  @OnlyHttp1("the sizes of chunks")
  @Test
  void reportsOnEveryThreadThatMoreCanBeWritten() throws Exception {
    BlockingQueue<ResponseStream> streams = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start((request, response) -> streams.add(response.async().stream()));
    RawClient client = servers.connect(server).get("/");
    ResponseStream stream = streams.take();

    for (int size : new int[] {1, 65_535, 65_536, 100_000, 1_000_000}) {
      stream.write(Requests.content(size));
      client.readUntil("\r\n" + Integer.toHexString(size) + "\r\n");
      assertThat(client.readBytes(size)).isEqualTo(Requests.content(size));
      Await.until("more can be written after " + size + " bytes", stream::isWritable);
    }
    stream.complete();
    assertThat(client.readUntil("0\r\n\r\n")).endsWith("\r\n0\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answers500WhenTheWorkFails(boolean onAnotherThread) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              RuntimeException failure = new IllegalArgumentException("intended");
              if (onAnotherThread) {
                response.async(
                    () ->
                        CompletableFuture.runAsync(
                            () -> {
                              throw failure;
                            }));
              } else {
                response.async(() -> CompletableFuture.failedFuture(failure));
              }
            });

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.status()).isEqualTo(500);
    assertThat(response.text()).doesNotContain("intended");
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @Test
  void answersWithTheStatusThatTheWorkFailsWith() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.async(
                    () ->
                        CompletableFuture.runAsync(
                            () -> {
                              throw new HttpException(404, "no such thing");
                            })));

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.status()).isEqualTo(404);
    assertThat(response.text()).isEqualTo("no such thing\n");
  }

  @Test
  void failsFromAnotherThread() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server).get("/");

    pending.take().fail(new HttpException(409, "not now"));

    assertThat(client.read().status()).isEqualTo(409);
    client.get("/");
    pending.take().text("now");
    assertThat(client.read().text()).isEqualTo("now");
  }

  @Test
  void endsAResponseThatWasNeverSentAsFailed() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server).get("/");

    pending.take().complete();

    assertThat(client.read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @Test
  void dropsACompletionAfterTheClientHasGone() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    CountDownLatch closed = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              request
                  .body()
                  .receive(Listeners.of(data -> {}, () -> {}, cause -> closed.countDown()));
              pending.add(response.async());
            });
    RawClient client = servers.connect(server).send(Requests.postHead("/", 10));
    Response response = pending.take();
    client.reset();
    closed.await();

    assertThatThrownBy(() -> response.text("too late"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended");
    response.fail(new IllegalStateException("too late as well"));
    response.complete();
    RawClient other = servers.connect(server).get("/again");
    pending.take().text("unharmed");
    assertThat(other.read().text()).isEqualTo("unharmed");
  }
}
