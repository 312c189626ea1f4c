package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A project of three files that has the server as a dependency: built by Maven outside of this
 * build, as after {@code ./mvnw install}, and run. Its local repository has the artifacts of this
 * build, and links to the repository that this build has used for all others. So the build is
 * offline and leaves no files elsewhere.
 */
@Timeout(300)
@EnabledIf(value = "canLink", disabledReason = "this user can't create symbolic links")
class ConsumerIT {
  private static final Path PROJECT = Path.of("src/consumer");
  private static final Path USED = Path.of(System.getProperty("localRepository"));
  private static final Path MAVEN = Path.of(System.getProperty("maven.home"), "bin", "mvn");
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final String VERSION = System.getProperty("project.version");
  private static final String GROUP = "dev/peregrine";

  @TempDir Path folder;

  static boolean canLink() throws IOException {
    Path place = Files.createTempDirectory("links");
    Path link = place.resolve("link");
    try {
      Files.createSymbolicLink(link, place);
      return true;
    } catch (IOException | UnsupportedOperationException notPermitted) {
      return false;
    } finally {
      Files.deleteIfExists(link);
      Files.delete(place);
    }
  }

  @AfterEach
  void unlink() throws IOException {
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void compilesAndRuns(boolean modular) throws Exception {
    Path repository = repository();
    Path project = project(modular);

    compile(project, repository);

    String path = path(project, repository);
    List<String> run =
        modular
            ? List.of("--module-path", path, "--module", "app/app.Main")
            : List.of("--class-path", path, "app.Main");
    Path errors = folder.resolve("errors.txt");
    Process program = process(folder, JAVA, run).redirectError(errors.toFile()).start();
    try (BufferedReader out = program.inputReader(UTF_8);
        Client client = new Client(port(out, errors))) {
      assertThat(client.get("/hello/you").body()).isEqualTo("Hello, you");
      assertThat(client.post("/echo", "content").body()).isEqualTo("content");
      assertThat(client.get("/module").body()).isEqualTo(modular ? "module app" : unnamed(client));
      program.getOutputStream().close();
      assertThat(program.waitFor()).isZero();
    } finally {
      program.destroyForcibly();
    }
  }

  private static int port(BufferedReader out, Path errors) throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new AssertionError("no server: " + Files.readString(errors));
    }
    return Integer.parseInt(line);
  }

  private static String unnamed(Client client) throws Exception {
    assertThat(client.get("/module").body()).startsWith("unnamed module");
    return client.get("/module").body();
  }

  /** Returns a copy of the project, in a folder that isn't below another project. */
  private Path project(boolean modular) throws IOException {
    Path copy = folder.resolve("app");
    try (Stream<Path> files = Files.walk(PROJECT)) {
      for (Path file : files.toList()) {
        if (modular || !file.endsWith("module-info.java")) {
          Files.copy(file, copy.resolve(PROJECT.relativize(file).toString()));
        }
      }
    }
    return copy;
  }

  /** Returns a local repository with the artifacts that {@code ./mvnw install} would put there. */
  private Path repository() throws IOException {
    Path repository = Files.createDirectory(folder.resolve("repository"));
    link(USED, repository, "dev");
    Path dev = Files.createDirectory(repository.resolve("dev"));
    if (Files.exists(USED.resolve("dev"))) {
      link(USED.resolve("dev"), dev, "peregrine");
    }
    install(repository, "peregrine-parent", Path.of("../pom.xml"), null);
    install(repository, "peregrine-bom", Path.of("../server-adapters/bom/pom.xml"), null);
    install(repository, "peregrine-parser", Path.of("../server-parser"));
    install(repository, "peregrine-core", Path.of("../server-core/pom.xml"), null);
    try (Stream<Path> modules = Files.list(Path.of("../server-core"))) {
      for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        String name = module.getFileName().toString();
        install(repository, name.equals("peregrine") ? name : "peregrine-" + name, module);
      }
    }
    return repository;
  }

  private static void link(Path from, Path to, String except) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        if (!entry.endsWith(except)) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry.toAbsolutePath());
        }
      }
    }
  }

  private static void install(Path repository, String artifact, Path module) throws IOException {
    Path jar = module.resolve("target/" + artifact + "-" + VERSION + ".jar");
    install(repository, artifact, module.resolve("pom.xml"), jar);
  }

  private static void install(Path repository, String artifact, Path pom, @Nullable Path jar)
      throws IOException {
    Path target = Files.createDirectories(installed(repository, artifact).getParent());
    Files.copy(pom, target.resolve(artifact + "-" + VERSION + ".pom"));
    if (jar != null) {
      Files.copy(jar, installed(repository, artifact));
    }
  }

  private static Path installed(Path repository, String artifact) {
    String name = artifact + "-" + VERSION + ".jar";
    return repository.resolve(GROUP).resolve(artifact).resolve(VERSION).resolve(name);
  }

  private void compile(Path project, Path repository) throws Exception {
    Process maven =
        process(project, MAVEN, List.of("-B", "-o", "-Dmaven.repo.local=" + repository, "compile"))
            .redirectErrorStream(true)
            .start();
    String said = new String(maven.getInputStream().readAllBytes(), UTF_8);
    assertThat(maven.waitFor()).as(said).isZero();
  }

  /** Returns a path of the program and the artifacts of this build: the server needs no others. */
  private static String path(Path project, Path repository) throws IOException {
    List<String> path = new ArrayList<>();
    path.add(project.resolve("target/classes").toString());
    try (Stream<Path> files = Files.walk(repository.resolve(GROUP))) {
      files.map(Path::toString).filter(file -> file.endsWith(".jar")).forEach(path::add);
    }
    return String.join(File.pathSeparator, path);
  }

  private static ProcessBuilder process(Path folder, Path program, List<String> args) {
    List<String> command = new ArrayList<>(args);
    command.addFirst(program.toString());
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("MAVEN_OPTS");
    return builder;
  }
}
