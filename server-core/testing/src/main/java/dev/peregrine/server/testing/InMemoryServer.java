package dev.peregrine.server.testing;

import dev.peregrine.base.TimeText;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.accept.CutShort;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.start.HttpProtocols;
import dev.peregrine.server.start.ServerObservers;
import dev.peregrine.server.start.ServerSettings;
import dev.peregrine.server.start.SettingsHandle;
import dev.peregrine.server.transport.heap.HeapSocket;
import dev.peregrine.server.transport.heap.HeapTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server without sockets, for tests of handlers. From the bytes of a request to those of its
 * response, all is as in a server: the event loop, the parser, the limits, the error responses.
 * {@code dev.peregrine.server.testing} has requests and responses for it.
 *
 * <p>It has one event loop, speaks HTTP/1 without TLS, and ignores endpoints, transport, health and
 * hand-over of its options. The address of all clients is port 0 of the loopback interface.
 * Thread-safe.
 *
 * <p>A client has sent all of its bytes before the server begins, and takes each response at once.
 * So it can't test what needs a client that goes on: upgrades and WebSockets, pipelined requests
 * that depend on a response, a client that sends or reads slowly or disconnects, and back pressure.
 * Use {@code HttpServer} on port 0 for these.
 */
public final class InMemoryServer implements AutoCloseable {
  private final Worker worker;
  private final ServerSettings options;
  private final ServerObservers observers;

  private InMemoryServer(ServerSettings options) throws IOException {
    this.options = options;
    HttpProtocols protocols = new HttpProtocols(options, options.parser(ScannerKind.SWAR));
    HeapTransport transport = new HeapTransport();
    worker =
        new Worker(
            options.name + "-loop-0",
            transport,
            options.memory(transport),
            options.limits,
            protocols,
            List.of(EndpointOptions.DEFAULT));
    try {
      observers = ServerObservers.attach(options, List.of(worker), protocols.contexts(), null);
    } catch (Throwable failure) {
      worker.abandon();
      throw failure;
    }
    worker.loop.start();
  }

  /**
   * Starts a server with those options.
   *
   * @throws IllegalStateException if no handler was set
   */
  public static InMemoryServer start(HttpServerBuilder options) {
    try {
      return new InMemoryServer(SettingsHandle.of(options));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Sends bytes on a connection of their own, and returns all bytes that the server has sent when
   * it closes that connection. The last request should have {@code Connection: close}, because the
   * server keeps the connection open otherwise.
   *
   * @param patience how long to wait for the end
   * @return empty if the server is closed
   * @throws IllegalStateException if the connection is still open then, which closes it; if it was
   *     upgraded; or if the server has sent more than 64 MiB
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public byte[] exchange(byte[] bytes, Duration patience) throws InterruptedException {
    HeapSocket socket = new HeapSocket(bytes.clone());
    worker.connections.count().reserve();
    worker.loop.execute(new Opening(socket));
    try {
      return socket.closed().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new IllegalStateException(
          "the response is not complete after " + TimeText.of(patience), late);
    } catch (ExecutionException failed) {
      Throwable reason = Objects.requireNonNullElse(failed.getCause(), failed);
      throw new IllegalStateException(reason.getMessage(), reason);
    } finally {
      worker.loop.execute(() -> socket.disconnect());
    }
  }

  /**
   * Ends the server; open connections are closed. Waits for its event loop, so it must not be
   * called by a handler.
   */
  @Override
  public void close() {
    observers.onEnd();
    worker.stop(new CutShort());
    try {
      worker.loop.join();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    options.features.close();
  }

  /** Opens a connection, or closes it if the loop has ended. */
  private final class Opening extends LoopTask {
    private final HeapSocket socket;

    Opening(HeapSocket socket) {
      this.socket = socket;
    }

    @Override
    protected void run() {
      worker.open(0, socket);
    }

    @Override
    protected void onRejected() {
      worker.discard(socket, false);
    }
  }
}
