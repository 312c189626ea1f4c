package dev.peregrine.server;

import dev.peregrine.base.Log;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Gets the vector scanner compiled before any request meets it: until then its code runs hundreds
 * of times slower than the other scanners and allocates. A separate thread parses sample heads with
 * both parsers until the vector one is the faster. Meanwhile the server uses the other one.
 *
 * <p>That takes a second of processor time, mostly the compiler's, and a vector parser saves some
 * 100 ns per head. So it begins only after as many heads as show that the server is a busy one, and
 * the code of its loops is compiled by then. The thread rests most of the time: requests have the
 * processor, and the compiler follows before much is allocated.
 */
final class ScannerWarmUp implements Runnable {
  /** The heads of all loops together after which a warm-up pays. Arbitrary in its order of size. */
  static final long HEADS_BEFORE = 1 << 21;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int FASTER_SAMPLES_IN_A_ROW = 16;
  private static final int PASSES_PER_SAMPLE = 4; // the least counts
  private static final int RESTS_PER_SAMPLE = 4; // each as long as the sample
  private static final long REST_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int SLACK_BYTES = 64;

  // Lines of heads end in CRLF once they are used.

  /** Common heads, for which the compiler optimises. */
  private static final String USUAL =
      """
      GET /plaintext HTTP/1.1
      Host: localhost:8080
      Accept: text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7
      Connection: keep-alive

      %%
      GET / HTTP/1.1
      Host: www.example.org
      Connection: keep-alive
      User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Firefox/140
      Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
      Accept-Encoding: gzip, deflate, br
      Accept-Language: en-US,en;q=0.5
      Cookie: session=0123456789abcdef; theme=dark
      Sec-Fetch-Mode: navigate

      %%
      POST /api/v1/orders?dry_run=true&page=2 HTTP/1.1
      Host: api.example.org:8443
      Content-Type: application/json
      Content-Length: 17
      Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789._-ABCDEFGHIJ
      X-Request-Id: 7d1c9b

      """;

  /** Heads of every other kind, so that the compiler keeps the branches for them. */
  private static final String ODD =
      """
      PUT /files/%C3%A4.txt HTTP/1.1
      host: h
      transfer-encoding: chunked
      Expect: 100-continue
      TE: trailers

      %%
      GET /legacy HTTP/1.1
      Host: api.example.org
      x_legacy_name: a\tb
      X-Name: J\u00fcrgen

      %%
      GET /chat HTTP/1.1
      Host: [::1]:8080
      Upgrade: websocket
      Connection: Upgrade
      Sec-WebSocket-Version: 13
      Empty:
      Spaces:   x

      %%
      GET http://example.org/a/b/c HTTP/1.1
      Host: example.org

      %%
      OPTIONS * HTTP/1.1
      Host: a

      %%
      GET / HTTP/1.0
      Connection: close

      %%
      GET /bad HTTP/1.1
      Host: a
      Broken : x

      %%
      GET /part HTTP/1.1
      Host: a
      Not-Finis\
      """;

  /** The number of parses from one odd head to the next; a sample has each odd head once. */
  private static final int PARSES_PER_ODD_HEAD = 8;

  private final RequestParser vector;
  private final RequestParser other;
  private final BooleanSupplier stopped;
  private final Consumer<RequestParser> whenFaster;
  private final List<MemorySegment> usual = heads(USUAL);
  private final List<MemorySegment> odd = heads(ODD);
  private final RequestHead head = new RequestHead();

  /**
   * A warm-up of a parser, for a thread of its own.
   *
   * @param other the parser that is used meanwhile
   * @param stopped returns true once the parser isn't needed any more
   * @param whenFaster takes the parser, on the thread of the warm-up, once, if it got faster
   */
  ScannerWarmUp(
      RequestParser vector,
      RequestParser other,
      BooleanSupplier stopped,
      Consumer<RequestParser> whenFaster) {
    this.vector = vector;
    this.other = other;
    this.stopped = stopped;
    this.whenFaster = whenFaster;
  }

  @Override
  public void run() {
    if (becomesFaster()) {
      whenFaster.accept(vector);
      Log.add(Level.DEBUG, "request heads are scanned with vectors from now on");
    } else if (!stopped.getAsBoolean()) {
      Log.add(
          Level.INFO,
          "the vector scanner did not get faster than the other in "
              + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)
              + " s, so request heads are scanned without vectors");
    }
  }

  private boolean becomesFaster() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    int faster = 0;
    while (faster < FASTER_SAMPLES_IN_A_ROW) {
      long start = System.nanoTime();
      if (stopped.getAsBoolean() || start - end >= 0) {
        return false;
      }
      faster = isFaster() ? faster + 1 : 0;
      long sampleNanos = System.nanoTime() - start;
      LockSupport.parkNanos(this, Math.max(REST_NANOS_MIN, RESTS_PER_SAMPLE * sampleNanos));
    }
    return true;
  }

  private boolean isFaster() {
    try {
      return leastNanos(vector) <= leastNanos(other);
    } catch (OutOfMemoryError full) {
      return false; // vector code allocates until it is compiled
    }
  }

  /** Returns the shortest of some passes: others find cold caches or lose the processor. */
  private long leastNanos(RequestParser parser) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < PASSES_PER_SAMPLE; i++) {
      least = Math.min(least, nanos(parser));
    }
    return least;
  }

  private long nanos(RequestParser parser) {
    long start = System.nanoTime();
    for (int i = 0; i < odd.size(); i++) {
      for (int j = 1; j < PARSES_PER_ODD_HEAD; j++) {
        parse(parser, usual.get(j % usual.size()));
      }
      parse(parser, odd.get(i));
    }
    return System.nanoTime() - start;
  }

  private void parse(RequestParser parser, MemorySegment bytes) {
    head.reset();
    parser.parse(bytes, 0, (int) bytes.byteSize() - SLACK_BYTES, head);
  }

  /** Returns copies of heads, each followed by bytes that the scanner may load. */
  private static List<MemorySegment> heads(String samples) {
    List<MemorySegment> heads = new ArrayList<>();
    for (String sample : List.of(samples.replace("\n", "\r\n").split("%%\r\n"))) {
      byte[] bytes = sample.getBytes(StandardCharsets.ISO_8859_1);
      MemorySegment segment =
          MemorySegment.ofBuffer(ByteBuffer.allocateDirect(bytes.length + SLACK_BYTES));
      MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
      heads.add(segment);
    }
    return heads;
  }
}
