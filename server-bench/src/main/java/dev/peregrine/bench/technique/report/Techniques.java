package dev.peregrine.bench.technique.report;

import dev.peregrine.bench.duel.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures techniques and writes the results into the documents. Arguments: a regular expression
 * for the keys of {@link Group}s, milliseconds of an iteration, the directory of the documents. A
 * group is written as soon as it is measured; the other groups' pages stay as they are.
 */
public final class Techniques {
  private static final int ARGUMENTS = 3;
  private static final int FORKS = 3;
  private static final int FORKS_OF_CLOSE_FORMS = 5;

  private final TimeValue iteration;
  private final Path documents;
  private final String commit;

  private Techniques(TimeValue iteration, Path documents) {
    this.iteration = iteration;
    this.documents = documents;
    this.commit = commit();
  }

  /** Runs the measurement; see the class for the arguments. */
  public static void main(String... arguments) throws IOException {
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
    List<String> failed = new ArrayList<>();
    for (Group group : groups) {
      try {
        techniques.run(group);
      } catch (RunnerException failure) {
        System.out.println(group.key() + " fails: " + failure);
        failed.add(group.key());
      }
    }
    if (!failed.isEmpty()) {
      throw new IllegalStateException("not measured: " + String.join("|", failed));
    }
  }

  private void run(Group group) throws IOException, RunnerException {
    double load = Environment.load();
    long start = System.nanoTime();
    List<RunResult> runs = new ArrayList<>();
    Options options = options(group);
    List<Measured> all = List.of();
    int forks = 0;
    while (forks < FORKS || (forks < FORKS_OF_CLOSE_FORMS && group.hasCloseForms(all))) {
      runs.addAll(new Runner(options).run());
      all = Measured.of(runs);
      forks++;
    }
    BenchmarkParams params = runs.getFirst().getParams();
    List<String> environment = new ArrayList<>();
    environment.add(commit);
    environment.addAll(environment(runs));
    environment.add(
        "%s, %d forks in turn, each with %d warm-up and %d measured iterations of %s, JMH %s"
            .formatted(
                LocalDate.now(ZoneOffset.UTC),
                forks,
                params.getWarmup().getCount(),
                params.getMeasurement().getCount(),
                iteration,
                params.getJmhVersion()));
    environment.add("load average at the beginning " + String.format(Locale.ROOT, "%.1f", load));
    Path directory = Files.createDirectories(documents.resolve("techniques"));
    String page = Page.of(group, all, environment);
    Files.writeString(directory.resolve(group.key() + ".md"), page);
    Files.writeString(directory.resolve(group.key() + ".svg"), Plot.of(group, all));
    Path table = documents.resolve("TECHNIQUES.md");
    Files.writeString(table, Figures.replaced(Files.readString(table), group, all));
    System.out.println(page);
    System.out.println(Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s\n");
  }

  /** One fork of each form and input: the others come after all of these, when time has passed. */
  private Options options(Group group) {
    return new OptionsBuilder()
        .include("\\." + group.benchmark().getSimpleName() + "\\.")
        .addProfiler(GCProfiler.class)
        .forks(1)
        .warmupTime(iteration)
        .measurementTime(iteration)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT)
        .build();
  }

  /** Has a JVM with the flags of the forks describe itself. */
  private static List<String> environment(Collection<RunResult> runs) throws IOException {
    List<String> facts = new ArrayList<>();
    for (List<String> flags :
        runs.stream().map(run -> List.copyOf(run.getParams().getJvmArgs())).distinct().toList()) {
      String java = runs.iterator().next().getParams().getJvm();
      Stream<String> main =
          Stream.of("-cp", System.getProperty("java.class.path"), Environment.class.getName());
      List<String> command =
          Stream.of(Stream.of(java), flags.stream(), main).flatMap(part -> part).toList();
      facts.addAll(PrintedLines.of(Path.of("."), command));
    }
    return facts.stream().distinct().toList();
  }

  private String commit() {
    try {
      String hash = git("rev-parse", "HEAD").getFirst();
      List<String> changed = git("status", "--porcelain", "--", ":/", ":(exclude,top)docs");
      return "commit " + hash + (changed.isEmpty() ? ", no changes" : ", with changes");
    } catch (IOException noRepository) {
      return "commit unknown";
    }
  }

  private List<String> git(String... arguments) throws IOException {
    return PrintedLines.of(
        documents, Stream.concat(Stream.of("git"), Arrays.stream(arguments)).toList());
  }
}
