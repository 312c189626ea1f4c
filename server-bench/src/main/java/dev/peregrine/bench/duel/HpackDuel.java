package dev.peregrine.bench.duel;

import dev.peregrine.bench.corpus.FieldBlocks;
import dev.peregrine.bench.corpus.FieldList;
import dev.peregrine.bench.parse.FieldBlockLoop;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Our HPACK decoder and that of libnghttp2, which must be installed, measured in turns of about 2
 * ms in one process. The first argument is the number of rounds, 100 by default.
 *
 * <p>Ours also checks the fields' syntax and copies all text into one array. That of nghttp2
 * returns pointers, and its time is without that of the downcalls.
 */
public final class HpackDuel {
  private static final int ROUNDS = 100;
  private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final int WARM_UP_PASSES = 20;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final int rounds;
  private final PrintStream out;
  private final List<Case> cases = new ArrayList<>();
  private final NativeInflater nghttp2 = new NativeInflater();

  /** The blocks of a row. */
  private record Case(String name, FieldBlocks blocks) {}

  private HpackDuel(int rounds, PrintStream out) {
    this.rounds = rounds;
    this.out = out;
    for (FieldList list : FieldList.values()) {
      for (boolean warm : new boolean[] {false, true}) {
        cases.add(new Case(list + (warm ? " warm" : " cold"), FieldBlocks.of(list, warm)));
      }
    }
  }

  /** Measures and prints. */
  @SuppressWarnings("SystemOut") // a command
  public static void main(String[] args) {
    System.out.println(Environment.describe());
    new HpackDuel(args.length == 0 ? ROUNDS : Integer.parseInt(args[0]), System.out).run();
  }

  private void run() {
    var ours = new FieldBlockLoop();
    warmUp(n -> cases.stream().mapToLong(c -> ours.run(c.blocks(), n)).sum());
    warmUp(n -> cases.stream().mapToLong(c -> nghttp2.run(c.blocks(), n)).sum());
    double call = nghttp2.callNanos();
    out.printf("a downcall takes %.2f ns%n%n", call);
    out.println(
        "| ns per request | fields | bytes | ours, minimum | nghttp2 | ratio | ours, median"
            + " | nghttp2 | ratio |");
    out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    double minima = 0;
    double medians = 0;
    for (Case one : cases) {
      Samples own = new Samples(rounds);
      Samples peer = new Samples(rounds);
      duel(one.blocks(), ours, call, own, peer);
      print(one, own, peer);
      minima += Math.log(own.minimum() / peer.minimum());
      medians += Math.log(own.median() / peer.median());
    }
    out.printf(
        "| geometric mean | | | | | %.3f | | | %.3f |%n",
        Math.exp(minima / cases.size()), Math.exp(medians / cases.size()));
  }

  private static void warmUp(LongUnaryOperator work) {
    long end = System.nanoTime() + WARM_UP_NANOS;
    long fields = 1;
    while (System.nanoTime() - end < 0 && fields > 0) {
      fields = work.applyAsLong(WARM_UP_PASSES);
    }
  }

  /** Measures both in turns, per request. */
  private void duel(
      FieldBlocks blocks, FieldBlockLoop ours, double callNanos, Samples own, Samples peer) {
    int requests = blocks.count() - 1;
    double callsNanos = callNanos * NativeInflater.calls(blocks.fields() / requests);
    long ownPasses = passes(n -> ours.run(blocks, n), blocks);
    long nativePasses = passes(n -> nghttp2.run(blocks, n), blocks);
    for (int round = 0; round < rounds; round++) {
      own.add(nanos(n -> ours.run(blocks, n), ownPasses, blocks) / requests);
      peer.add(nanos(n -> nghttp2.run(blocks, n), nativePasses, blocks) / requests - callsNanos);
    }
  }

  private void print(Case one, Samples own, Samples peer) {
    FieldBlocks blocks = one.blocks();
    int requests = blocks.count() - 1;
    int bytes = (blocks.end(requests) - blocks.start(1)) / requests;
    out.printf(
        "| %s | %d | %d | %.1f | %.1f | %.3f | %.1f | %.1f | %.3f |%n",
        one.name(),
        blocks.fields() / requests,
        bytes,
        own.minimum(),
        peer.minimum(),
        own.minimum() / peer.minimum(),
        own.median(),
        peer.median(),
        own.median() / peer.median());
  }

  private static long passes(LongUnaryOperator work, FieldBlocks blocks) {
    long count = 1;
    while (count * nanos(work, count, blocks) < SAMPLE_NANOS) {
      count *= 2;
    }
    return count;
  }

  /** Returns the time of a pass, after a check that all fields were seen. */
  private static double nanos(LongUnaryOperator work, long passes, FieldBlocks blocks) {
    long begin = System.nanoTime();
    long fields = work.applyAsLong(passes);
    long nanos = System.nanoTime() - begin;
    if (fields != passes * blocks.fields()) {
      throw new IllegalStateException(fields + " fields instead of " + passes * blocks.fields());
    }
    return (double) nanos / passes;
  }
}
