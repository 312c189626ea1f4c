package dev.peregrine.bench.duel;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.FixedHeads;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.bench.corpus.VariedHeads;
import dev.peregrine.parser.ScannerKind;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Our scanners and native parsers, measured in turns of about 2 ms in one process, in a new order
 * each round, so that changes of the machine's speed affect all of them alike. All parse the same
 * bytes at the same address. {@link Options#USAGE} describes how to start it.
 */
public final class ParserDuel {
  /** The corpus that is reported beside the files, but isn't part of their mean. */
  static final String VARIED = VariedHeads.NAME;

  private static final List<String> NATIVE_PARSERS = List.of("picohttpparser", "httparse");
  private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long ORDER_SEED = 1;

  private final Options options;
  private final PrintStream out;
  private final List<Corpus> corpora;
  private final List<NativeHeads> heads = new ArrayList<>();
  private final List<Contender> contenders = new ArrayList<>();

  private ParserDuel(Options options, PrintStream out) throws IOException {
    this.options = options;
    this.out = out;
    corpora = corpora(options);
    for (Corpus corpus : corpora) {
      heads.add(NativeHeads.of(corpus.bytes()));
    }
    for (ScannerKind kind : options.scanners()) {
      contenders.add(new OwnParser(kind));
    }
    if (options.library() != null) {
      SymbolLookup library = NativeParser.open(options.library());
      for (String name : NATIVE_PARSERS) {
        contenders.add(new NativeParser(name, library));
      }
    }
  }

  /** Measures and prints. */
  @SuppressWarnings("SystemOut") // a command
  public static void main(String[] args) throws IOException {
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    new ParserDuel(options, System.out).run();
  }

  private void run() {
    out.println(Environment.describe());
    describeCorpora();
    check();
    for (Contender contender : contenders) {
      warmUp(contender);
    }
    Samples[][] samples = new Samples[contenders.size()][corpora.size()];
    long[][] passes = calibrate(samples);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < contenders.size(); i++) {
      order.add(i);
    }
    Random random = new Random(ORDER_SEED);
    for (int round = 0; round < options.rounds(); round++) {
      for (int j = 0; j < corpora.size(); j++) {
        Collections.shuffle(order, random);
        for (int i : order) {
          samples[i][j].add((double) time(i, j, passes[i][j]) / passes[i][j]);
        }
      }
    }
    printCallCost();
    new Report(out, corpora.stream().map(Corpus::name).toList(), contenders, samples).print();
  }

  private void describeCorpora() {
    for (Corpus corpus : corpora) {
      out.printf(
          "%s: %d bytes, %d heads%n", corpus.name(), corpus.text().length(), corpus.heads().size());
    }
  }

  /** Checks that all see the same, correct number of fields. */
  private void check() {
    for (int j = 0; j < corpora.size(); j++) {
      long expected =
          corpora.get(j).heads().stream().mapToLong(head -> head.lines().count() - 2).sum();
      for (Contender contender : contenders) {
        long fields = contender.run(heads.get(j), 1);
        if (fields != expected) {
          throw new IllegalStateException(
              contender.name()
                  + " sees "
                  + fields
                  + " fields in "
                  + corpora.get(j).name()
                  + ", which has "
                  + expected);
        }
      }
    }
  }

  /**
   * Parses small slices of every corpus in turn, so that no single corpus determines the compiled
   * code.
   */
  private void warmUp(Contender contender) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.warmUpMillis());
    while (System.nanoTime() - end < 0) {
      for (NativeHeads corpus : heads) {
        contender.run(corpus, 1 + 16_384 / corpus.length());
      }
    }
  }

  private long[][] calibrate(Samples[][] samples) {
    long[][] passes = new long[contenders.size()][corpora.size()];
    for (int i = 0; i < contenders.size(); i++) {
      for (int j = 0; j < corpora.size(); j++) {
        samples[i][j] = new Samples(options.rounds());
        long count = 1;
        while (time(i, j, count) < SAMPLE_NANOS / 2) {
          count *= 2;
        }
        passes[i][j] = Math.max(1, count * SAMPLE_NANOS / time(i, j, count));
      }
    }
    return passes;
  }

  private long time(int contender, int corpus, long passes) {
    long begin = System.nanoTime();
    long fields = contenders.get(contender).run(heads.get(corpus), passes);
    long nanos = System.nanoTime() - begin;
    if (fields < 0) {
      throw new IllegalStateException(contenders.get(contender).name() + " rejected a head");
    }
    return nanos;
  }

  /** Prints the time of a sample without passes: a call and the two clock reads around it. */
  private void printCallCost() {
    for (int i = 0; i < contenders.size(); i++) {
      long least = Long.MAX_VALUE;
      for (int n = 0; n < 20_000; n++) {
        least = Math.min(least, time(i, 0, 0));
      }
      out.printf(
          "%s: %d ns per call with no pass (not subtracted; a sample is one call of about 2 ms)%n",
          contenders.get(i).name(), least);
    }
  }

  private static List<Corpus> corpora(Options options) throws IOException {
    List<Corpus> corpora = new ArrayList<>();
    Path folder = options.corpora();
    if (folder == null) {
      corpora.addAll(FixedHeads.all());
    } else {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".txt")).sorted().toList()) {
          String name = file.getFileName().toString().replace(".txt", "");
          corpora.add(new Corpus(name, Files.readString(file, StandardCharsets.ISO_8859_1)));
        }
      }
    }
    corpora.add(VariedHeads.corpus());
    return corpora;
  }
}
