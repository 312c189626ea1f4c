package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.OwnCode;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.Repository;
import dev.peregrine.testing.RunItPage;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Name;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/RUN-IT.md: its names are those of the code, and its unit of systemd and its manifest of
 * Kubernetes are checked by the programs that know them, where they are installed.
 */
final class RunItPageTest {
  private static final int CLOSE_SECONDS = 5;
  private static final Pattern DRAIN =
      Pattern.compile(
          "drainOnExit\\(Duration.ofSeconds\\((\\d+)\\), Duration.ofSeconds\\((\\d+)\\)\\)");

  private static final Path OBSERVE =
      Repository.root().resolve("server-core/observe/src/main/java/dev/peregrine/server");
  private static final Pattern NAME = Pattern.compile("`([a-z]\\w*)`");
  private static final Pattern LOGGED = Pattern.compile("`([^`]+)`");

  @TempDir private Path dir;

  @Test
  void showsLogLinesThatTheCodeWrites() throws IOException {
    String code = code(OwnCode.mainFiles()) + code(example());
    String text = RunItPage.text();
    List<String> shown =
        text.substring(text.indexOf("### Log lines"), text.indexOf("### Situations"))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(row -> LOGGED.matcher(row.split("\\|", -1)[1]).results())
            .flatMap(line -> Stream.of(line.group(1).split("…", -1)))
            .toList();

    assertThat(shown).isNotEmpty().allMatch(code::contains);
  }

  @Test
  void showsTheMembersOfAnAccessLogInJson() throws IOException {
    String code = Files.readString(OBSERVE.resolve("accesslog/JsonFormat.java"));
    List<String> members =
        Pattern.compile("\\\\\"(\\w+)\\\\\":")
            .matcher(code)
            .results()
            .map(m -> m.group(1))
            .toList();
    String row = row("JSON");

    assertThat(names(row.substring(0, row.indexOf(';'))))
        .containsExactlyInAnyOrderElementsOf(
            members.stream().filter(name -> !name.matches("rejection|reason")).toList());
    assertThat(members).contains("rejection", "reason");
  }

  @Test
  void showsTheFieldsOfEachEventOfTheFlightRecorder() throws Exception {
    for (Class<?> event : events()) {
      String name = Objects.requireNonNull(event.getAnnotation(Name.class)).value();

      assertThat(names(row(name.substring(name.lastIndexOf('.') + 1)).split("\\|", -1)[3]))
          .as(name)
          .containsExactlyInAnyOrderElementsOf(fields(event));
    }
  }

  private static List<Class<?>> events() throws IOException, ClassNotFoundException {
    List<Class<?>> events = new ArrayList<>();
    try (Stream<Path> files = Files.list(OBSERVE.resolve("jfr"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        Class<?> type = Class.forName("dev.peregrine.server.jfr." + name);
        if (type.isAnnotationPresent(Name.class)) {
          events.add(type);
        }
      }
    }
    assertThat(events).isNotEmpty();
    return events;
  }

  private static List<String> fields(Class<?> event) {
    return Stream.of(event.getDeclaredFields())
        .filter(field -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
        .map(Field::getName)
        .toList();
  }

  /** Returns the row of a table that begins with a name. */
  private static String row(String name) {
    return RunItPage.text()
        .lines()
        .filter(line -> line.startsWith("| `" + name + "` |"))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the words in backticks that begin with a small letter. */
  private static List<String> names(String row) {
    return NAME.matcher(row).results().map(name -> name.group(1)).toList();
  }

  private static List<Path> example() throws IOException {
    Path folder = Repository.root().resolve("server-examples/src/main/java");
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static String code(List<Path> files) throws IOException {
    StringBuilder code = new StringBuilder();
    for (Path file : files) {
      code.append(Files.readString(file));
    }
    return code.toString();
  }

  @Test
  void givesTheDrainItsTime() {
    MatchResult drain = find(DRAIN, RunItPage.text());
    int seconds = Integer.parseInt(drain.group(1)) + Integer.parseInt(drain.group(2));

    assertThat(number("TimeoutStopSec=(\\d+)", RunItPage.block("ini", "[Service]")))
        .isGreaterThan(seconds + CLOSE_SECONDS);
    assertThat(
            number(
                "terminationGracePeriodSeconds: (\\d+)",
                RunItPage.block("yaml", "kind: Deployment")))
        .isGreaterThan(seconds + CLOSE_SECONDS);
  }

  private static int number(String pattern, String text) {
    return Integer.parseInt(find(Pattern.compile(pattern), text).group(1));
  }

  private static MatchResult find(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().orElseThrow();
  }

  @Test
  void showsAUnitThatSystemdAccepts() throws Exception {
    if (!Processes.succeeds("systemd-analyze", "--version")) {
      Repository.skip("systemd-analyze is not installed: apt-get install systemd");
    }
    String java = System.getProperty("java.home") + "/bin/java";
    Path unit =
        write("app.service", RunItPage.block("ini", "[Service]").replace("/usr/bin/java", java));

    assertThat(Processes.succeeds("systemd-analyze", "verify", "" + unit)).isTrue();
    Path wrong = write("wrong.service", "[Service]\nTimeoutStopSec=soon\n");
    assertThat(Processes.succeeds("systemd-analyze", "verify", "" + wrong)).isFalse();
  }

  @Test
  void showsAManifestThatKubernetesAccepts() throws Exception {
    if (!Processes.succeeds("kubernetes-validate", "--version")) {
      Repository.skip("kubernetes-validate is not installed: pip install kubernetes-validate");
    }
    String shown = RunItPage.block("yaml", "kind: Deployment");

    assertThat(isAccepted(write("app.yaml", shown))).isTrue();
    String wrong = shown.replace("readinessProbe", "readynessProbe");
    assertThat(isAccepted(write("wrong.yaml", wrong))).isFalse();
  }

  private static boolean isAccepted(Path manifest) throws InterruptedException {
    return Processes.succeeds("kubernetes-validate", "--strict", "" + manifest);
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(dir.resolve(name), content);
  }
}
