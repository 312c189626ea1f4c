package dev.peregrine.bench.duel;

import com.sun.management.ThreadMXBean;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.LongUnaryOperator;

/**
 * The costs of single elements for one scanner: a field line, a rare byte, a rejection, a piece;
 * and the times of the first parses of a VM. Times are minima. Bytes are the allocation of a parse
 * once its code is compiled. The one argument is the scanner's name.
 */
public final class ParserCosts {
  private static final int FEW_LINES = 10;
  private static final int MANY_LINES = 50;
  private static final int SAMPLES = 300;
  private static final int PARSES = 2_000;
  private static final int LONG_HEAD_BYTES = 8_192;
  private static final int CURVE_PARSES = 1_000;
  private static final int CURVE_SAMPLES = 60;
  private static final String START = "GET /a/path HTTP/1.1\r\nHost: www.example.org\r\n";

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final RequestParser parser;
  private final PrintStream out;
  private final RequestHead head = new RequestHead();

  private ParserCosts(ScannerKind kind, PrintStream out) {
    parser = new RequestParser(ParserLimits.DEFAULT, kind);
    this.out = out;
  }

  /** Measures and prints. */
  @SuppressWarnings("SystemOut") // a command
  public static void main(String[] args) {
    var kind = ScannerKind.valueOf(args.length == 0 ? "VECTOR" : args[0].toUpperCase(Locale.ROOT));
    System.out.println(Environment.describe());
    new ParserCosts(kind, System.out).run();
  }

  private void run() {
    warmUp();
    perLine("unknown names", "X-Hd-", ": v01dITZm");
    perLine("known names", "Accept", ": v01dITZm");
    compare("plain", "x-name: abcdefgh");
    compare("HTAB in the value", "x-name: abc\tefgh");
    compare("obs-text in the value", "x-name: abc\u00fcefgh");
    compare("underscore in the name", "x_name: abcdefgh");
    compare("digit in the name", "x1name: abcdefgh");
    compare("rejected for a space before a colon", "x-name : abcdefg");
    compare("rejected for a bare CR", "x-name: abc\refgh");
    compare("plain, after all that", "x-name: abcdefgh");
    pieces();
  }

  /** Times the first parses of the VM, a thousand at a time. */
  private void warmUp() {
    NativeHeads heads = heads(START + "Accept: */*\r\nUser-Agent: curl/8.5.0\r\n\r\n");
    long begin = System.nanoTime();
    long last = begin;
    out.printf("warm-up: ms since the first parse, ns per parse%n");
    for (int i = 0; i < CURVE_SAMPLES; i++) {
      parse(heads, CURVE_PARSES);
      long now = System.nanoTime();
      if (i < 8 || i % 10 == 9) {
        out.printf("%8.1f %10.1f%n", (now - begin) / 1e6, (now - last) / (double) CURVE_PARSES);
      }
      last = now;
    }
  }

  private void perLine(String what, String name, String rest) {
    NativeHeads few = heads(START + lines(name, rest, FEW_LINES) + "\r\n");
    NativeHeads many = heads(START + lines(name, rest, MANY_LINES) + "\r\n");
    int more = MANY_LINES - FEW_LINES;
    double parsed = (nanos(n -> parse(many, n)) - nanos(n -> parse(few, n))) / more;
    double indexed = (nanos(n -> index(many, n)) - nanos(n -> index(few, n))) / more;
    out.printf("a line, %s: %.2f ns parsed, %.2f ns with the index%n", what, parsed, indexed);
  }

  private void compare(String what, String line) {
    NativeHeads heads = heads(START + (line + "\r\n").repeat(FEW_LINES) + "\r\n");
    double nanos = nanos(n -> parse(heads, n));
    long before = threads.getCurrentThreadAllocatedBytes();
    parse(heads, PARSES);
    double bytes = (threads.getCurrentThreadAllocatedBytes() - before) / (double) PARSES;
    out.printf("%d lines, %s: %.1f ns, %.1f B%n", FEW_LINES, what, nanos, bytes);
  }

  private void pieces() {
    String line = "x-name: " + "v".repeat(54) + "\r\n";
    NativeHeads heads = heads(START + line.repeat(LONG_HEAD_BYTES / line.length()) + "\r\n");
    double whole = nanos(n -> parse(heads, n));
    double bytewise = nanos(n -> grow(heads, n / 100 + 1)) * PARSES / (PARSES / 100 + 1);
    out.printf(
        "%d bytes whole: %.1f ns; in pieces of one byte: %.2f ns a piece%n",
        heads.length(), whole, bytewise / heads.length());
  }

  private static String lines(String name, String rest, int count) {
    return (name + rest + "\r\n").repeat(count);
  }

  private static NativeHeads heads(String text) {
    return NativeHeads.of(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private double nanos(LongUnaryOperator work) {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < SAMPLES; i++) {
      long start = System.nanoTime();
      long sum = work.applyAsLong(PARSES);
      least = Math.min(least, (System.nanoTime() - start) / (double) PARSES);
      if (sum == 0) {
        throw new IllegalStateException("nothing was parsed");
      }
    }
    return least;
  }

  private long parse(NativeHeads heads, long rounds) {
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
      sum += parser.parse(heads.segment(), 0, heads.length(), head);
    }
    return sum;
  }

  private long index(NativeHeads heads, long rounds) {
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
      sum += parser.parse(heads.segment(), 0, heads.length(), head);
      head.index(heads.segment(), 0);
    }
    return sum;
  }

  private long grow(NativeHeads heads, long rounds) {
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
      for (int to = 1; to <= heads.length(); to++) {
        sum += parser.parse(heads.segment(), 0, to, head);
      }
    }
    return sum;
  }
}
