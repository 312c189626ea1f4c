package dev.peregrine.bench.technique;

import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.util.zip.CRC32;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of a request, 64 at a time on as many connections, client included, by the number of
 * event loops.
 */
@Warmup(iterations = 15) // so that a whole server is compiled
public class LoopsBenchmark extends Technique {
  private static final String CONTENT = "Hello, World!";
  private static final int AT_A_TIME = 64;

  /** The numbers of event loops. */
  public enum Kind {
    /** One for all processors. */
    ONE,
    /** One for each processor, the default. */
    PER_PROCESSOR,
    /** One for each processor, and one. */
    ONE_MORE
  }

  @Param Kind form;

  /** Bytes of which the handler computes a checksum. */
  @Param({"0", "1048576"})
  int checkedBytes;

  private HttpServer server;
  private Connections client;

  /** Starts the server and checks its responses. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    byte[] checked = new byte[checkedBytes];
    CRC32 expected = new CRC32();
    expected.update(checked);
    long value = expected.getValue();
    server =
        SettledServer.start(
            options ->
                options
                    .host("0.0.0.0")
                    .loops(
                        switch (form) {
                          case ONE -> 1;
                          case PER_PROCESSOR -> processors;
                          case ONE_MORE -> processors + 1;
                        })
                    .handler(
                        (request, response) -> {
                          CRC32 sum = new CRC32();
                          sum.update(checked);
                          response.text(sum.getValue() == value ? CONTENT : "wrong");
                        }));
    client = new Connections(server.port(), AT_A_TIME);
    String answer = client.learn(CONTENT);
    check(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
    client.open();
    checkEqual(AT_A_TIME, requests());
    SettledServer.settle(this::requests);
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    client.close();
    server.close();
  }

  /** Sends the requests, waits for the responses. */
  @Benchmark
  @OperationsPerInvocation(AT_A_TIME)
  public int requests() throws IOException {
    return client.exchange();
  }
}
