package dev.peregrine.bench.duel;

import dev.peregrine.parser.ScannerKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@link ParserDuel}.
 *
 * @param library the native library, or null to run without one
 * @param corpora a folder whose .txt files are parsed besides the varied corpus; null for our own
 * @param scanners those of our scanners that take part
 * @param rounds samples of each contender on each corpus
 * @param warmUpMillis time for the compilation of each of ours, before the measurement
 */
record Options(
    @Nullable Path library,
    @Nullable Path corpora,
    List<ScannerKind> scanners,
    int rounds,
    int warmUpMillis) {
  static final String USAGE =
      """
      java --add-modules jdk.incubator.vector -cp benchmarks.jar dev.peregrine.bench.duel.ParserDuel
        --native PATH      library with httparse_loop and picohttpparser_loop; without it ours alone
        --corpus DIR       parse the .txt files of a folder instead of our own corpus
        --scanners A,B     of vector,swar,scalar; all by default
        --rounds N         samples of about 2 ms for each contender and file; 60 by default
        --warm-up MILLIS   for each of ours; 3000 by default""";

  private static final int ROUNDS = 60;
  private static final int WARM_UP_MILLIS = 3000;

  static Options parse(String[] args) {
    Path library = null;
    Path corpora = null;
    List<ScannerKind> scanners = List.of(ScannerKind.values());
    int rounds = ROUNDS;
    int warmUpMillis = WARM_UP_MILLIS;
    for (int i = 0; i + 1 < args.length; i += 2) {
      String value = args[i + 1];
      switch (args[i]) {
        case "--native" -> library = Path.of(value).toAbsolutePath();
        case "--corpus" -> corpora = Path.of(value);
        case "--scanners" -> scanners = scanners(value);
        case "--rounds" -> rounds = Integer.parseInt(value);
        case "--warm-up" -> warmUpMillis = Integer.parseInt(value);
        default -> throw new IllegalArgumentException("unknown option " + args[i] + "\n" + USAGE);
      }
    }
    if (args.length % 2 != 0) {
      throw new IllegalArgumentException("every option has a value\n" + USAGE);
    }
    return new Options(library, corpora, scanners, rounds, warmUpMillis);
  }

  private static List<ScannerKind> scanners(String names) {
    List<ScannerKind> scanners = new ArrayList<>();
    for (ScannerKind kind : ScannerKind.values()) {
      if (("," + names + ",").contains("," + kind.name().toLowerCase(Locale.ROOT) + ",")) {
        scanners.add(kind);
      }
    }
    return scanners;
  }
}
