package dev.peregrine.http;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.LeakGuard;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.tck.TestEnvironment;

/**
 * A server whose handler passes the object to be verified on to the TCK, with the clients of its
 * exchanges. Log lines of failing exchanges are recorded and not printed.
 *
 * @param <T> the type that is verified
 */
final class VerifiedServer<T> implements AutoCloseable {
  private static final long BOUND_MILLIS = 120_000; // for signals that must arrive
  private static final long SILENCE_MILLIS = 20; // for signals that must not arrive

  private static final ServerLimits LIMITS =
      ServerLimits.builder()
          .loopBlockedTime(Servers.LIMITS.loopBlockedTime())
          .requestBytesPerSecondMin(0)
          .build();

  private final BlockingQueue<T> passedOn = new LinkedBlockingQueue<>();
  private final List<RawClient> clients = new CopyOnWriteArrayList<>();
  private final ServerLog log = new ServerLog();
  private final HttpServer server;

  VerifiedServer(Exchange<T> exchange) {
    LeakGuard.check(); // JUnit's extensions don't do it for TestNG
    this.server =
        Peregrine.builder()
            .port(0)
            .loops(2)
            .limits(LIMITS)
            .transport(Servers.TRANSPORT)
            .handler((request, response) -> exchange.handle(request, response, passedOn))
            .start();
  }

  /** A handler that passes an object on. */
  @FunctionalInterface
  interface Exchange<T> {
    void handle(Request request, Response response, BlockingQueue<T> passedOn) throws Exception;
  }

  static TestEnvironment environment() {
    return new TestEnvironment(BOUND_MILLIS, SILENCE_MILLIS, SILENCE_MILLIS);
  }

  RawClient connect() {
    RawClient client =
        Servers.HTTP_2
            ? RawClient.connectByHttp2(server.address(), false, 0)
            : RawClient.connect(server.address());
    clients.add(client);
    return client;
  }

  /** Waits for the object that the handler of the last request passes on. */
  T take() {
    try {
      T one = passedOn.poll(BOUND_MILLIS, TimeUnit.MILLISECONDS);
      if (one == null) {
        throw new AssertionError("the handler has passed on nothing");
      }
      return one;
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  @Override
  public void close() {
    clients.forEach(RawClient::close);
    server.close();
    log.close();
    LeakGuard.check();
  }
}
