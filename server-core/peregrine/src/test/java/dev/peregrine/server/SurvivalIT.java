package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Response;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.accept.Acceptor;
import dev.peregrine.server.accept.CutShort;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.FirstConnections;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.start.HttpProtocols;
import dev.peregrine.server.start.ServerSettings;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.server.transport.Transport;
import dev.peregrine.server.transport.epoll.EpollTransport;
import dev.peregrine.server.transport.epoll.MappedMemory;
import dev.peregrine.server.transport.nio.NioTransport;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.Faults;
import dev.peregrine.testing.FaultyTransport;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every call on an event loop throws, once, twice or for a while, while the log throws too.
 * Afterwards the loop serves, keeps its deadlines, and has leaked nothing.
 */
final class SurvivalIT {
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.server");
  private static final int CALLS = 2;
  private static final int LOST_MILLIS = 20; // wait for a response that a fault has prevented
  private static final List<Supplier<Throwable>> FAILURES =
      List.of(
          () -> new OutOfMemoryError("intended"),
          () -> new StackOverflowError("intended"),
          () -> new NoClassDefFoundError("intended"),
          () -> new Throwable("intended"),
          () -> new IOException("intended"));

  private final Faults faults = new Faults();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "poll",
        "polled",
        "wakeUp",
        "accept",
        "listening",
        "attach",
        "attached",
        "interest",
        "read",
        "have read",
        "write",
        "have written",
        "shutdownOutput",
        "keepAddresses",
        "reset",
        "close",
        "handler",
        "log"
      })
  void servesAfterAFailureOf(String point) throws Exception {
    new Socket().close(); // opens the descriptors that the JDK keeps
    List<String> before = Descriptors.areVisible() ? Descriptors.ofTransports() : List.of();
    java.util.logging.Handler log = failingLog();
    LOGGER.addHandler(log);
    LOGGER.setUseParentHandlers(false);
    try (Server server = new Server()) {
      server.assertServes();
      for (Supplier<Throwable> failure : FAILURES) {
        for (int call = 1; call <= CALLS; call++) {
          faults.plan(point, call, 1, failure);
          server.use();
          faults.clear();
          server.assertServes();
        }
        faults.plan(point, 1, Integer.MAX_VALUE, failure);
        server.use();
        faults.clear();
        server.assertServes();
      }
    } finally {
      LOGGER.removeHandler(log);
      LOGGER.setUseParentHandlers(true);
    }
    if (Descriptors.areVisible()) {
      Descriptors.awaitNoMoreThan(before);
    }
  }

  private java.util.logging.Handler failingLog() {
    return new java.util.logging.Handler() {
      @Override
      public void publish(LogRecord record) {
        faults.at("log");
        if (record.getThrown() instanceof Error also) {
          throw also; // as a log does without memory
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  /** The parts of a server, with one loop, on the transport that fails. */
  private final class Server implements AutoCloseable {
    private static final ServerLimits LIMITS =
        Servers.LIMITS.toBuilder().requestHeadTime(Duration.ofMillis(10)).build();

    private final Worker worker;
    private final InetSocketAddress address;
    private final long idleBytes;

    Server() throws IOException {
      Handler handler =
          (request, response) -> {
            faults.at("handler");
            if (request.pathIs("/async")) {
              response.async();
              Thread.ofVirtual().start(() -> complete(response));
            } else {
              response.text("at once");
            }
          };
      ServerSettings options =
          Servers.onMemory(Peregrine.builder()).limits(LIMITS).handler(handler).options();
      FaultyTransport transport = new FaultyTransport(open(Servers.TRANSPORT), faults);
      worker =
          new Worker(
              "surviving",
              transport,
              options.memory(transport),
              LIMITS,
              new HttpProtocols(options, options.parser(ScannerKind.SWAR)),
              List.of(EndpointOptions.DEFAULT));
      Listener listener =
          transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024, false);
      address = (InetSocketAddress) listener.localAddress();
      FirstConnections first = new FirstConnections(() -> 0);
      worker.accept(new Acceptor(worker.loop, listener, this::open, first, () -> false));
      idleBytes = worker.loop.bufferPool().bytesInUse();
      worker.loop.start();
    }

    private static Transport open(TransportKind kind) {
      return kind == TransportKind.EPOLL
          ? EpollTransport.open()
          : new NioTransport(new MappedMemory());
    }

    private void complete(Response response) {
      try {
        response.text("later");
      } catch (Throwable planned) {
        // The response is sent all the same.
      }
    }

    private void open(StreamSocket socket) {
      worker.connections.count().reserve();
      worker.open(0, socket);
    }

    /** Uses all parts of the server. Calls may fail at present, but no client may wait for ever. */
    void use() {
      request("GET /async HTTP/1.1\r\nHost: a\r\n\r\n");
      request("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
      request("no request\r\n\r\n");
      request("GET / HT");
    }

    private void request(String request) {
      try (Socket client = new Socket(address.getAddress(), address.getPort())) {
        client.setSoTimeout(LOST_MILLIS);
        client.getOutputStream().write(Requests.bytes(request));
        int ignored = client.getInputStream().read();
      } catch (IOException lost) {
        // The planned fault.
      }
    }

    void assertServes() {
      try (RawClient client = RawClient.connect(address)) {
        assertThat(client.get("/").read().text()).isEqualTo("at once");
        assertThat(client.get("/async").read().text()).isEqualTo("later");
        client.send("GET / HT");
        assertThat(client.read().status()).isEqualTo(408);
      }
      Await.until(
          () -> "no connection is open: " + worker.connections.count().reserved(),
          () -> worker.connections.count().reserved() == 0);
      Await.until(
          () -> "idle at " + idleBytes + " bytes: " + worker.loop.bufferPool().bytesInUse(),
          () -> worker.loop.bufferPool().bytesInUse() <= idleBytes);
    }

    @Override
    public void close() {
      worker.stop(new CutShort());
      Await.until("the loop has ended", () -> !worker.loop.thread().isAlive());
      assertThat(worker.loop.bufferPool().bytesInUse()).isZero();
    }
  }
}
