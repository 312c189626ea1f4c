package dev.peregrine.bench.technique;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.http1.ResponsePreamble;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.nio.NioTransport;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Makes the value of Date for a response: formatted each time, or once a second. */
public class DateBenchmark extends Technique {
  private static final int NAME_BYTES = "Date: ".length();
  private static final int MILLIS_PER_SECOND = 1000;
  private static final VarHandle LOOP_NANOS = loopNanos();

  /** Responses of the server for which its loop reads the clock once. */
  @Param({"1", "16"})
  int responsesPerTurn;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private EventLoop loop;
  private ResponsePreamble preamble;
  private byte[] bySecond = encoded(0);
  private long second;
  private volatile byte[] byTimer = bySecond;
  private int leftOfTurn;

  /** Checks that all forms write the date of the same second. */
  @Setup
  public void setUp() throws IOException {
    loop = new EventLoop("date", new NioTransport());
    var _ = timer.scheduleAtFixedRate(this::renew, 1, 1, TimeUnit.SECONDS);
    String before;
    do {
      preamble = new ResponsePreamble(loop, "Peregrine"); // its first date isn't older than this
      before = text(formatted());
      check(text(comparedClock()).equals(before) || isPast(before), "by the clock, " + before);
      String line = text(comparedTurn());
      check(line.startsWith("Date: ") && line.endsWith(" GMT\r\n"), line);
      String value = line.substring(NAME_BYTES, NAME_BYTES + HttpDate.BYTES);
      check(value.equals(before) || isPast(before), "by the turn, " + value);
      renew();
      check(text(renewedByTimer()).equals(before) || isPast(before), "by the timer, " + before);
    } while (isPast(before));
  }

  /** Ends the timer and releases all memory. */
  @TearDown
  public void tearDown() {
    timer.close();
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

  /** Takes what a timer formats once a second. */
  @Benchmark
  public byte[] renewedByTimer() {
    return byTimer;
  }

  /** The server's way: compares the turn's time, which is read once for all responses of a turn. */
  @Benchmark
  public byte[] comparedTurn() {
    if (--leftOfTurn < 0) {
      leftOfTurn = responsesPerTurn - 1;
      LOOP_NANOS.setOpaque(loop, loop.readClock()); // as the loop does after each wait
    }
    preamble.refresh();
    return preamble.dateLine();
  }

  private void renew() {
    byTimer = encoded(System.currentTimeMillis() / MILLIS_PER_SECOND);
  }

  private static VarHandle loopNanos() {
    try {
      MethodHandles.Lookup inLoop =
          MethodHandles.privateLookupIn(EventLoop.class, MethodHandles.lookup());
      return FieldHandle.of(inLoop, "nanos", long.class);
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
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
