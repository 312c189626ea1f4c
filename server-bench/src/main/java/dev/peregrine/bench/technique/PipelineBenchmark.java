package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.http.ContentType;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http1.ResponseEncoder;
import dev.peregrine.server.http1.ResponsePreamble;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.transport.nio.NioTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Answers batches of 16 pipelined requests on an event loop without an operating system; per
 * request. The next head is parsed when a request has been answered, or all heads are parsed first.
 * Responses keep the order of the requests.
 */
public class PipelineBenchmark extends Technique {
  private static final int DEPTH = 16;
  private static final int BATCHES = 64;
  private static final byte[] CONTENT = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

  /** When heads are parsed. */
  public enum Kind {
    /** One after the response to the other. */
    ONE_AT_A_TIME,
    /** All of a batch before the first response. */
    PARSE_ALL
  }

  @Param Kind form;

  private final RequestParser parser =
      new RequestParser(ParserLimits.DEFAULT, ScannerKind.best()); // this and all below: the loop's
  private final RequestHead[] heads = new RequestHead[DEPTH];
  private final boolean[] handled = new boolean[DEPTH];
  private final FieldLines noFields = new FieldLines();
  private final DiscardingChannel channel = new DiscardingChannel();
  private NativeHeads batch;
  private EventLoop loop;
  private OutboundQueue out;
  private ResponseEncoder encoder;
  private int from;
  private int parsed;
  private int answered;
  private int batchesLeft;
  private long bytesSent;

  /** Starts the loop, and checks that the form sends all responses. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    byte[] one = Corpus.named("small").bytes();
    byte[] all = new byte[DEPTH * one.length];
    for (int i = 0; i < DEPTH; i++) {
      heads[i] = new RequestHead();
      System.arraycopy(one, 0, all, i * one.length, one.length);
    }
    batch = NativeHeads.of(all);
    channel.keepNothing();
    loop = new EventLoop("pipeline", new NioTransport());
    out = new OutboundQueue(loop.bufferPool());
    encoder = new ResponseEncoder(new ResponsePreamble(loop, "Peregrine"));
    loop.start();
    long expected = BATCHES * DEPTH * responseBytes();
    checkEqual(expected, onLoop(), onThreads());
  }

  private long responseBytes() {
    CompletableFuture<Long> bytes = new CompletableFuture<>();
    loop.execute(
        () -> {
          answer(heads[0]);
          bytes.complete(out.pendingBytes());
          out.clear();
        });
    return bytes.join();
  }

  /** Ends the loop. */
  @TearDown(Level.Trial)
  public void tearDown() throws InterruptedException {
    loop.stop(out::clear);
    loop.join();
  }

  /** The handler runs on the loop. */
  @Benchmark
  @OperationsPerInvocation(BATCHES * DEPTH)
  public long onLoop() {
    return run(
        end -> {
          for (int i = 0; i < BATCHES; i++) {
            serveOnLoop();
          }
          end.complete(bytesSent);
        });
  }

  /** The handler runs on a virtual thread for each request. */
  @Benchmark
  @OperationsPerInvocation(BATCHES * DEPTH)
  public long onThreads() {
    return run(
        end -> {
          batchesLeft = BATCHES;
          begin(end);
        });
  }

  private long run(Consumer<CompletableFuture<Long>> work) {
    CompletableFuture<Long> end = new CompletableFuture<>();
    loop.execute(
        () -> {
          bytesSent = 0;
          work.accept(end);
        });
    return end.join();
  }

  private void serveOnLoop() {
    from = 0;
    if (form == Kind.ONE_AT_A_TIME) {
      for (int i = 0; i < DEPTH; i++) {
        parse(heads[0]);
        answer(heads[0]);
      }
    } else {
      for (RequestHead head : heads) {
        parse(head);
      }
      for (RequestHead head : heads) {
        answer(head);
      }
    }
    send();
  }

  private void begin(CompletableFuture<Long> end) {
    from = 0;
    parsed = 0;
    answered = 0;
    int first = form == Kind.ONE_AT_A_TIME ? 1 : DEPTH;
    for (int i = 0; i < first; i++) {
      parse(heads[i]);
      handled[i] = false;
    }
    for (int i = 0; i < first; i++) {
      handOver(parsed++, end);
    }
  }

  private void handOver(int request, CompletableFuture<Long> end) {
    Thread.ofVirtual().start(() -> loop.execute(() -> onHandled(request, end)));
  }

  private void onHandled(int request, CompletableFuture<Long> end) {
    handled[request] = true;
    while (answered < parsed && handled[answered]) {
      answer(heads[answered++]);
    }
    if (answered == DEPTH) {
      send();
      if (--batchesLeft == 0) {
        end.complete(bytesSent);
      } else {
        begin(end);
      }
    } else if (answered == parsed) {
      parse(heads[parsed]);
      handled[parsed] = false;
      handOver(parsed++, end);
    }
  }

  private void parse(RequestHead head) {
    int length = parser.parse(batch.segment(), from, batch.length(), head);
    check(length > 0, "head");
    from += length;
  }

  private void answer(RequestHead head) {
    boolean close = head.isPartial();
    encoder.head(out, 200, ContentType.TEXT_PLAIN, noFields, CONTENT.length, CONTENT, close, false);
  }

  private void send() {
    bytesSent += out.pendingBytes();
    try {
      out.writeTo(channel);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
