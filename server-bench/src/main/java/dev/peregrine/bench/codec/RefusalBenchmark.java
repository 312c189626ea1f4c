package dev.peregrine.bench.codec;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * The cost of a connection that is opened, sends one request, gets its response and is closed,
 * without an operating system: valid requests beside rejected ones.
 */
public class RefusalBenchmark extends Turns {
  private static final int CONNECTIONS = 4096;
  private static final int CONTENT_BYTES_MAX = 1000;
  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

  @Param ScriptedRequest request;

  @Override
  Codec open() {
    return new Codec(RefusalBenchmark::answer, request.bytes());
  }

  @Override
  int turns() {
    return CONNECTIONS;
  }

  /** Checks the response and the close of the connection. */
  @Override
  void check(String answer) {
    if (!answer.startsWith("HTTP/1.1 " + request.status() + " ")
        || !answer.contains("\r\nConnection: close\r\n")) {
      throw new IllegalStateException("wrong answer: " + answer);
    }
  }

  private static void answer(Request asked, Response response) {
    if (asked.body().length() == 0) {
      response.send(HELLO);
    } else {
      asked.body().receiveAll(CONTENT_BYTES_MAX, ignored -> response.send(HELLO));
    }
  }

  /** Serves connections. */
  @Benchmark
  @OperationsPerInvocation(CONNECTIONS)
  public long serve() {
    return run();
  }
}
