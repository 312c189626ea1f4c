package dev.peregrine.bench.technique;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A whole server answers requests over a loopback connection: on its event loop, or elsewhere. */
@Fork(
    jvmArgsAppend = {
      "--add-modules",
      "jdk.incubator.vector",
      "--enable-native-access=ALL-UNNAMED",
      "--add-opens=java.base/java.lang=ALL-UNNAMED" // so that the loop carries virtual threads
    })
@Warmup(iterations = 15) // so that a whole server is compiled
public class HandlerBenchmark extends Technique {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String CONTENT = "Hello, World!";

  /** The threads that the handler runs on. */
  public enum Kind {
    /** On a thread of a pool. */
    POOL,
    /** On a virtual thread per request, by the JDK's scheduler. */
    VIRTUAL,
    /** On a virtual thread per request that the event loop carries: {@code Handlers.blocking}. */
    BLOCKING,
    /** On the event loop. */
    INLINE
  }

  @Param Kind form;

  /** Requests that are sent at a time. */
  @Param({"1", "16"})
  int depth;

  private ExecutorService pool;
  private HttpServer server;
  private Client client;

  /** Starts the server and checks its responses. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    pool = Executors.newFixedThreadPool(1);
    Handler handler =
        switch (form) {
          case POOL -> this::handOver;
          case VIRTUAL -> HandlerBenchmark::startThread;
          case BLOCKING -> Handlers.blocking(HandlerBenchmark::answer);
          case INLINE -> HandlerBenchmark::answer;
        };
    server = SettledServer.start(handler);
    client = new Client(server.address(), GET.repeat(depth).getBytes(StandardCharsets.US_ASCII));
    String answers = client.learn(CONTENT, depth);
    check(answers.split("HTTP/1.1 200 OK", -1).length == depth + 1, answers);
    SettledServer.settle(client::exchange);
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    client.close();
    server.close();
    pool.close();
  }

  /** Sends the requests, waits for the responses. */
  @Benchmark
  public int exchange() throws IOException {
    return client.exchange();
  }

  private void handOver(Request request, Response response) {
    response.async();
    pool.execute(() -> response.text(CONTENT));
  }

  private static void startThread(Request request, Response response) {
    response.async();
    Thread.ofVirtual().start(() -> response.text(CONTENT));
  }

  private static void answer(Request request, Response response) {
    response.text(CONTENT);
  }
}
