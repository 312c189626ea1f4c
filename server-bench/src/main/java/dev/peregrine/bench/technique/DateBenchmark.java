package dev.peregrine.bench.technique;

import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.http1.ResponsePreamble;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.nio.NioTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Makes the value of Date for a response: formatted each time, or once a second. */
public class DateBenchmark extends Technique {
  private static final int NAME_BYTES = "Date: ".length();
  private static final int MILLIS_PER_SECOND = 1000;

  private EventLoop loop;
  private ResponsePreamble preamble;
  private byte[] bySecond = encoded(0);
  private long second;

  /** Checks that all forms write the date of the same second. */
  @Setup
  public void setUp() throws IOException {
    loop = new EventLoop("date", new NioTransport());
    preamble = new ResponsePreamble(loop, "Peregrine");
    String before;
    do {
      before = text(formatted());
      check(text(comparedClock()).equals(before) || isPast(before), "by the clock, " + before);
      String line = text(comparedTurn());
      check(line.startsWith("Date: ") && line.endsWith(" GMT\r\n"), line);
      String value = line.substring(NAME_BYTES, NAME_BYTES + HttpDate.BYTES);
      check(value.equals(before) || isPast(before), "by the turn, " + value);
    } while (isPast(before));
  }

  /** Releases all memory. */
  @TearDown
  public void tearDown() {
    loop.abandon();
  }

  /** Reads the clock and formats it for each response. */
  @Benchmark
  public byte[] formatted() {
    return encoded(System.currentTimeMillis() / MILLIS_PER_SECOND);
  }

  /** Reads the clock for each response, and formats it if another second has begun. */
  @Benchmark
  public byte[] comparedClock() {
    long now = System.currentTimeMillis() / MILLIS_PER_SECOND;
    if (now != second) {
      second = now;
      bySecond = encoded(now);
    }
    return bySecond;
  }

  /** The server's way: compares the turn's time, which is read once for all responses of a turn. */
  @Benchmark
  public byte[] comparedTurn() {
    preamble.refresh();
    return preamble.dateLine();
  }

  private static boolean isPast(String date) {
    return !text(encoded(System.currentTimeMillis() / MILLIS_PER_SECOND)).equals(date);
  }

  private static byte[] encoded(long second) {
    return HttpDate.format(second).getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
