package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that are notified when a client ends its side of the connection. */
final class ClientClosedIT {
  private static final byte[] LARGE = Requests.content(8_000_000);
  private static final String CLOSED = "closed";
  private static final int PIPELINED_BYTES_MAX = 1000;

  /** The activities of the handler meanwhile. */
  enum How {
    ASYNC {
      @Override
      Handler handler(BlockingQueue<Object> events) {
        return (request, response) -> {
          response.async().onClientClosed(() -> events.add(CLOSED));
          events.add(response);
        };
      }
    },
    BLOCKING {
      @Override
      Handler handler(BlockingQueue<Object> events) {
        return Handlers.blocking(
            (request, response) -> {
              BlockingQueue<String> texts = new LinkedBlockingQueue<>();
              response.onClientClosed(
                  () -> {
                    events.add(CLOSED);
                    texts.add("at the end");
                  });
              events.add(response);
              response.text(texts.take());
            });
      }
    },
    STREAMING {
      @Override
      Handler handler(BlockingQueue<Object> events) {
        return (request, response) -> {
          ResponseStream stream = response.async().stream();
          stream.write(Requests.bytes("begun "));
          stream.flush();
          response.onClientClosed(() -> events.add(CLOSED));
          events.add(response);
        };
      }
    };

    abstract Handler handler(BlockingQueue<Object> events);
  }

  @RegisterExtension final Servers servers = new Servers();
  private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

  @ParameterizedTest
  @EnumSource
  void isNotifiedInEveryStateOfTheHandler(How how) throws Exception {
    HttpServer server = servers.start(how.handler(events));
    RawClient client = servers.connect(server).get("/");
    Response response = (Response) next();

    client.halfClose();

    assertThat(next()).isEqualTo(CLOSED);
    if (how == How.ASYNC) {
      response.text("at the end"); // half-closed: it still reads
    }
    if (how == How.STREAMING) {
      response.complete();
    }
    assertThat(client.read().text()).isEqualTo(how == How.STREAMING ? "begun " : "at the end");
    client.expectEnd();
  }

  @OnlyHttp1("a client of HTTP/2 that closes a tab resets its streams")
  @ParameterizedTest
  @EnumSource
  void isNotifiedOfAClosedTab(How how) throws Exception {
    HttpServer server = servers.start(how.handler(events));
    RawClient client = servers.connect(server).get("/");
    Response response = (Response) next();
    if (how == How.STREAMING) {
      client.readUntil("begun ");
    }

    client.close();

    assertThat(next()).isEqualTo(CLOSED);
    if (how != How.BLOCKING) {
      response.fail(new IOException("no client waits for it"));
      servers.log().await(Level.SEVERE);
    }
  }

  @Test
  void isNotifiedAtOnceIfItHasHappened() throws Exception {
    HttpServer server = servers.start((request, response) -> events.add(response.async()));
    RawClient client = servers.connect(server).get("/").halfClose();
    Response response = (Response) next();

    response.onClientClosed(() -> response.text("goodbye"));

    assertThat(client.read().text()).isEqualTo("goodbye");
    client.expectEnd();
  }

  @Test
  void isNotifiedOnceByEachCallback() throws Exception {
    HttpServer server =
        servers.start(
            (request, response) ->
                response
                    .async()
                    .onClientClosed(() -> events.add("one"))
                    .onClientClosed(
                        () -> {
                          events.add("other");
                          response.text("done");
                        }));
    RawClient client = servers.connect(server).get("/").halfClose();

    assertThat(client.read().text()).isEqualTo("done");
    client.expectEnd();
    assertThat(events).containsExactly("one", "other");
  }

  @Test
  void isNotNotifiedAfterTheResponse() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.onClientClosed(() -> events.add(CLOSED));
              response.text("done");
            });
    RawClient client = servers.connect(server);
    assertThat(client.get("/").read().text()).isEqualTo("done");
    assertThat(client.get("/").read().text()).isEqualTo("done");

    client.halfClose().expectEnd();

    assertThat(events).isEmpty();
  }

  @Test
  void isNotNotifiedOfAReset() throws Exception {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async().onClientClosed(() -> events.add(CLOSED));
              response.onAbort(cause -> events.add("aborted"));
              events.add("begun");
            });
    RawClient client = servers.connect(server).get("/");
    assertThat(next()).isEqualTo("begun");

    client.reset();

    assertThat(next()).isEqualTo("aborted");
    assertThat(events).isEmpty();
  }

  @Test
  void failsTheExchangeWithWhatTheCallbackThrows() throws Exception {
    HttpServer server =
        servers.start(
            (request, response) ->
                response
                    .async()
                    .onClientClosed(
                        () -> {
                          throw new IllegalStateException("on purpose");
                        })
                    .onClientClosed(() -> events.add("the other runs")));
    RawClient client = servers.connect(server).get("/").halfClose();

    assertThat(client.read().status()).isEqualTo(500);
    assertThat(next()).isEqualTo("the other runs");
    servers.log().await(Level.SEVERE);
  }

  /** {@code java.nio} detects the end only by reading up to it, so few bytes may precede it. */
  @OnlyHttp1("pipelining")
  @ParameterizedTest
  @ValueSource(ints = {0, 1, PIPELINED_BYTES_MAX - 1, PIPELINED_BYTES_MAX, 100_000})
  void isNotifiedAfterPipelinedBytes(int bytes) throws Exception {
    assumeTrue(
        bytes < PIPELINED_BYTES_MAX || Servers.TRANSPORT == TransportKind.EPOLL,
        "java.nio detects it only by a read");
    HttpServer server = serverOf(How.ASYNC.handler(events));
    RawClient client = servers.connect(server).get("/");
    Response response = (Response) next();

    client.send(new byte[bytes]).halfClose();

    assertThat(next()).isEqualTo(CLOSED);
    response.header("Connection", "close").text("done");
    assertThat(client.read().text()).isEqualTo("done");
    client.expectEnd();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, PIPELINED_BYTES_MAX - 1})
  void isNotifiedAfterUnreadContent(int bytes) throws Exception {
    HttpServer server = serverOf(How.ASYNC.handler(events));
    RawClient client = servers.connect(server).send(Requests.postHead("/", 5000));
    Response response = (Response) next();

    client.send(new byte[bytes]).halfClose();

    assertThat(next()).isEqualTo(CLOSED);
    response.header("Connection", "close").text("done");
    assertThat(client.read().text()).isEqualTo("done");
    client.expectEnd();
  }

  @OnlyHttp1("a client of HTTP/2 must send to open its windows")
  @ParameterizedTest
  @ValueSource(ints = {0, PIPELINED_BYTES_MAX - 1})
  void isNotifiedWhileTheClientDoesNotRead(int bytes) throws Exception {
    HttpServer server =
        serverOf(
            (request, response) -> {
              ResponseStream stream = response.async().contentLength(LARGE.length).stream();
              response.onClientClosed(() -> events.add(CLOSED));
              stream.write(LARGE, 0, LARGE.length - 1);
              events.add(stream);
            });
    RawClient client = servers.connect(server, 4096).get("/");
    ResponseStream stream = (ResponseStream) next();
    client.send(new byte[bytes]).halfClose();

    assertThat(next()).isEqualTo(CLOSED);
    stream.write(LARGE, LARGE.length - 1, 1).complete();
    assertThat(client.read().content()).isEqualTo(LARGE);
  }

  private HttpServer serverOf(Handler handler) {
    return servers.start(
        handler, Servers.LIMITS.toBuilder().pipelinedBytesMax(PIPELINED_BYTES_MAX).build());
  }

  private Object next() throws InterruptedException {
    Object event = events.poll(120, TimeUnit.SECONDS);
    if (event == null) {
      throw new AssertionError("nothing has happened");
    }
    return event;
  }

  @OnlyHttp1("pipelining")
  @ParameterizedTest
  @ValueSource(strings = {"GET / HT", "\r\n"})
  void endsAtOnceIfItsLastRequestIsCutShort(String begun) throws Exception {
    BlockingQueue<Response> closed = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> response.async().onClientClosed(() -> closed.add(response)));
    RawClient client = servers.connect(server).get("/").send(begun).halfClose();

    closed.take().text("answered");

    assertThat(client.read().text()).isEqualTo("answered");
    assertThat(client.read().status()).isEqualTo(400);
    client.expectEnd();
  }
}
