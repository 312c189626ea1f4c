package dev.peregrine.bench.technique;

import dev.peregrine.server.http1.EncoderAccess;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.NioTransport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Puts the value of Date into a response: formatted each time, or once a second. */
public class DateBenchmark extends Technique {
  private static final int BYTES = EncoderAccess.DATE_BYTES;

  private final byte[] target = new byte[BYTES];
  private EventLoop loop;
  private EncoderAccess encoder;

  /** Makes sure that both forms write dates. */
  @Setup
  public void setUp() throws IOException {
    loop = new EventLoop("date", new NioTransport());
    encoder = new EncoderAccess(loop, "Peregrine");
    checkDate(formatted());
    checkDate(cached());
  }

  /** Gives all memory back. */
  @TearDown
  public void tearDown() {
    encoder.close();
    loop.abandon();
  }

  /** The clock read and formatted for each response. */
  @Benchmark
  public byte[] formatted() {
    String date = EncoderAccess.date(System.currentTimeMillis() / 1000);
    byte[] bytes = date.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, target, 0, BYTES);
    return target;
  }

  /** The server's way: the turn's clock compared, the last date copied. */
  @Benchmark
  public byte[] cached() {
    MemorySegment preamble = encoder.freshPreamble();
    MemorySegment.copy(
        preamble, ValueLayout.JAVA_BYTE, encoder.dateValueFrom(), target, 0, BYTES);
    return target;
  }

  private static void checkDate(byte[] bytes) {
    String date = new String(bytes, 0, BYTES, StandardCharsets.ISO_8859_1);
    check(date.charAt(3) == ',' && date.endsWith(" GMT"), date);
  }
}
