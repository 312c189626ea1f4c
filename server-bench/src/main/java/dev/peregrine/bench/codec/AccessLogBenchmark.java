package dev.peregrine.bench.codec;

import dev.peregrine.server.accesslog.AccessLog;
import dev.peregrine.server.accesslog.AccessLog.Format;
import dev.peregrine.server.observe.ExchangeListener;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Request to response without an operating system, with an access log: the difference to {@code
 * OBSERVED} is the cost of a line on the event loop. The log's thread writes to {@code /dev/null}
 * meanwhile. Lines above 64 MiB that wait for it are dropped, which costs less, so the number of
 * these is printed.
 */
public class AccessLogBenchmark extends RequestTurns {
  private static final int BUFFER_BYTES = 64 * 1024 * 1024;
  private static final byte[] REQUEST =
      """
      GET /users/42?fields=name,mail HTTP/1.1\r
      Host: www.example.org\r
      User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r
      Accept: text/html,application/xhtml+xml\r
      Referer: https://www.example.org/users?page=3\r
      traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r
      \r
      """
          .getBytes(StandardCharsets.US_ASCII);

  @Param LoggedRequests listener;

  private @Nullable AccessLog log;

  @Override
  Codec open() {
    return new Codec(REQUEST, depth, listeners());
  }

  private List<ExchangeListener> listeners() {
    Format format = listener.format;
    if (format != null) {
      AccessLog opened =
          AccessLog.builder(Path.of("/dev/null"))
              .format(format)
              .bufferBytesMax(BUFFER_BYTES)
              .build();
      log = opened;
      return List.of(opened);
    }
    return listener == LoggedRequests.UNOBSERVED ? List.of() : List.of(new ExchangeListener() {});
  }

  @Override
  void check(String answer) {
    if (answer.split("HTTP/1.1 200 OK", -1).length != 1 + depth) {
      throw new IllegalStateException("wrong answer: " + answer);
    }
  }

  /** Closes the log, and prints how many lines it has dropped. */
  @TearDown(Level.Trial)
  public void closeLog() {
    AccessLog opened = log;
    if (opened != null) {
      opened.close();
      System.out.println(listener + " dropped " + opened.droppedLines() + " lines");
    }
  }
}
