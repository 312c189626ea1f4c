package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that wait for a client, or work for it, are notified when it disconnects. */
final class AbortIT {
  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();
  private final BlockingQueue<Response> held = new LinkedBlockingQueue<>();

  @Test
  void notifiesAnAsynchronousHandlerThatTheClientHasGone() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async(() -> work.thenAccept(response::text));
              response.onAbort(cause -> work.cancel(true)).onAbort(told::add);
              held.add(response);
            });
    RawClient client = servers.connect(server).get("/");
    Response response = held.take();

    client.reset();

    assertThat(told.take()).isInstanceOf(IOException.class);
    assertThat(work).isCancelled();
    response.onAbort(told::add);
    assertThat(told.take()).isInstanceOf(IOException.class);
  }

  @Test
  void notifiesAHandlerThatRegistersOnAnotherThread() throws Exception {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  response.onAbort(told::add);
                  held.add(response);
                  told.take();
                  told.add("told");
                }));
    RawClient client = servers.connect(server).get("/");
    held.take();

    client.reset();

    while (!told.contains("told")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void doesNotNotifyWhenTheResponseIsComplete() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.onAbort(told::add);
              response.text("complete");
              response.onAbort(told::add);
            });
    RawClient client = servers.connect(server);

    for (int i = 0; i < 10; i++) {
      assertThat(client.get("/").read().text()).isEqualTo("complete");
    }
    client.reset();
    servers.connect(server).get("/").read();

    assertThat(told).isEmpty();
  }

  @Test
  void reportsThatTheExchangeHasFailed() throws Exception {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async().onAbort(told::add);
              response.fail(new HttpException(418, "a teapot"));
            });

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(418);
    assertThat(told.take()).isInstanceOf(IOException.class);
  }

  @Test
  void failsAPendingRead() throws Exception {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  InputStream in = request.body().inputStream();
                  assertThat(in.readNBytes(3)).isEqualTo(Requests.bytes("abc"));
                  held.add(response);
                  try {
                    in.read();
                  } catch (IOException gone) {
                    told.add(gone);
                  }
                }));
    RawClient client = servers.connect(server).send(Requests.postHead("/", 10) + "abc");
    held.take();

    client.reset();

    assertThat(told.take()).isInstanceOf(IOException.class);
  }

  @Test
  void failsAPendingWrite() throws Exception {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  OutputStream out = response.outputStream();
                  try {
                    out.flush(); // which may not have returned when the client resets
                    while (true) {
                      out.write(new byte[100_000]);
                    }
                  } catch (IOException gone) {
                    told.add(gone);
                  }
                }));
    RawClient client = servers.connect(server, 4096).get("/");
    client.readUntil("\r\n\r\n");

    client.reset();

    assertThat(told.take()).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000_000})
  void failsAReadThatTheResponseHasOvertaken(int rest) throws Exception {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  InputStream in = request.body().inputStream();
                  in.readNBytes(3);
                  response.text("enough");
                  try {
                    in.read();
                  } catch (IOException over) {
                    told.add(over);
                  }
                }));
    RawClient client = servers.connect(server).send(Requests.postHead("/", 10 + rest) + "abc");

    assertThat(client.read().text()).isEqualTo("enough");
    assertThat(told.take()).isInstanceOf(IOException.class);
  }
}
