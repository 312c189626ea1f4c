package dev.peregrine.bench.technique.report;

import dev.peregrine.bench.duel.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures techniques and writes the results into the documents. Arguments: a regular expression
 * for the keys of {@link Group}s, milliseconds of an iteration, the directory of the documents.
 */
public final class Techniques {
  private static final int ARGUMENTS = 3;

  private final TimeValue iteration;
  private final Path documents;

  private Techniques(TimeValue iteration, Path documents) {
    this.iteration = iteration;
    this.documents = documents;
  }

  /** Runs the measurement; see the class for the arguments. */
  public static void main(String... arguments) throws IOException, RunnerException {
    if (arguments.length != ARGUMENTS) {
      throw new IllegalArgumentException("wants: GROUPS MILLISECONDS DOCUMENTS");
    }
    List<Group> groups =
        Arrays.stream(Group.values()).filter(group -> group.key().matches(arguments[0])).toList();
    if (groups.isEmpty()) {
      throw new IllegalArgumentException(
          arguments[0] + " is none of " + Arrays.stream(Group.values()).map(Group::key).toList());
    }
    TimeValue iteration = TimeValue.milliseconds(Long.parseLong(arguments[1]));
    Techniques techniques = new Techniques(iteration, Path.of(arguments[2]));
    for (Group group : groups) {
      techniques.run(group);
    }
  }

  private void run(Group group) throws IOException, RunnerException {
    String environment =
        Environment.describe()
            + "\n\n"
            + LocalDate.now(ZoneOffset.UTC)
            + ", iterations of "
            + iteration
            + ", load average at the beginning "
            + String.format(Locale.ROOT, "%.1f", Environment.load());
    long start = System.nanoTime();
    List<Measured> all = Measured.of(new Runner(options(group)).run());
    Path directory = Files.createDirectories(documents.resolve("techniques"));
    String page = Page.of(group, all, environment);
    Files.writeString(directory.resolve(group.key() + ".md"), page);
    Files.writeString(directory.resolve(group.key() + ".svg"), Plot.of(group, all));
    Path table = documents.resolve("TECHNIQUES.md");
    Files.writeString(table, Figures.replaced(Files.readString(table), group, all));
    System.out.println(page);
    System.out.println(Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s\n");
  }

  private Options options(Group group) {
    return new OptionsBuilder()
        .include("\\." + group.benchmark().getSimpleName() + "\\.")
        .addProfiler(GCProfiler.class)
        .warmupTime(iteration)
        .measurementTime(iteration)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT)
        .build();
  }
}
