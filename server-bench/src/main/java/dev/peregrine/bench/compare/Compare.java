package dev.peregrine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Measures Peregrine and other servers in turn and writes a report. {@link CompareOptions#USAGE}
 * describes how to start it.
 */
public final class Compare {
  private static final int FAILED = 1;
  private static final int USED_WRONGLY = 2;

  private Compare() {}

  /** Measures; the argument is the folder of the report. */
  @SuppressWarnings("SystemOut") // a command
  public static void main(String[] args) throws InterruptedException {
    CompareOptions options;
    try {
      options = CompareOptions.of(System.getProperties(), Path.of(args[0]));
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage() + "\n\n" + CompareOptions.USAGE);
      System.exit(USED_WRONGLY);
      return;
    }
    Consumer<String> out = System.out::println;
    try (Comparison comparison = new Comparison(options, out)) {
      Path report = comparison.run();
      out.accept("\n" + report.toUri());
    } catch (IOException failure) {
      System.err.println("compare: " + failure.getMessage());
      System.exit(FAILED);
    }
  }
}
