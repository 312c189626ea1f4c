package dev.peregrine.bench.technique;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole server answers pipelined requests, with exchanges and the handler's views of them from
 * its pool, with views of their own, and with both of their own; each.
 */
@Fork(jvmArgsPrepend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"}) // no page faults
@Warmup(iterations = 15) // so that a whole server is compiled
public class ExchangeReuseBenchmark extends Technique {
  private static final int REQUESTS = 64;
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String CONTENT = "Hello, World!";

  /** The objects of a request. */
  public enum Kind {
    /** Those of an earlier request. */
    REUSED,
    /** New views of those of an earlier request. */
    NEW,
    /** New ones, because the handler may pass them to another thread. */
    ASYNC
  }

  @Param Kind form;

  private HttpServer server;
  private Client client;

  /** Starts the server and checks its responses. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    server =
        SettledServer.start(
            options -> options.loops(1).reuseExchanges(form != Kind.NEW).handler(this::answer));
    byte[] requests = GET.repeat(REQUESTS).getBytes(StandardCharsets.US_ASCII);
    client = new Client(server.address(), requests);
    String answers = client.learn(CONTENT, REQUESTS);
    check(answers.split("HTTP/1.1 200 OK", -1).length == REQUESTS + 1, answers);
    SettledServer.settle(client::exchange);
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    client.close();
    server.close();
  }

  /** Sends the requests, waits for the responses. */
  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public int exchange() throws IOException {
    return client.exchange();
  }

  private void answer(Request request, Response response) {
    if (form == Kind.ASYNC) {
      response.async();
    }
    response.text(CONTENT);
  }
}
