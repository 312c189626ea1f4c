package dev.peregrine.bench.technique;

import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.http1.ResponsePreamble;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.NioTransport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Puts the value of Date into a response: formatted each time, or once a second. */
public class DateBenchmark extends Technique {
  private static final int NAME_BYTES = "Date: ".length();
  private static final int BYTES = HttpDate.BYTES;

  private final MemorySegment target = Arena.ofAuto().allocate(BYTES);
  private EventLoop loop;
  private ResponsePreamble preamble;

  /** Checks that both forms write dates. */
  @Setup
  public void setUp() throws IOException {
    loop = new EventLoop("date", new NioTransport());
    preamble = new ResponsePreamble(loop, "Peregrine");
    checkDate(formatted());
    checkDate(cached());
  }

  /** Releases all memory. */
  @TearDown
  public void tearDown() {
    loop.abandon();
  }

  /** Reads the clock and formats it for each response. */
  @Benchmark
  public MemorySegment formatted() {
    String date = HttpDate.format(System.currentTimeMillis() / 1000);
    byte[] bytes = date.getBytes(StandardCharsets.ISO_8859_1);
    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, BYTES);
    return target;
  }

  /** The server's way: compares the turn's clock, and copies the last date. */
  @Benchmark
  public MemorySegment cached() {
    preamble.refresh();
    byte[] line = preamble.dateLine();
    MemorySegment.copy(line, NAME_BYTES, target, ValueLayout.JAVA_BYTE, 0, BYTES);
    return target;
  }

  private static void checkDate(MemorySegment bytes) {
    String date = StandardCharsets.ISO_8859_1.decode(bytes.asByteBuffer()).toString();
    check(date.charAt(3) == ',' && date.endsWith(" GMT"), date);
  }
}
