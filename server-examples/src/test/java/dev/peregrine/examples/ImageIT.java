package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The recipe of an image: its steps alone and, where podman works, the image itself. */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
class ImageIT {
  private static final Path BASE_DIRECTORY = Path.of(System.getProperty("basedir", "."));
  private static final String JDK = System.getProperty("java.home");

  /** With it, the JVM doesn't start without the archive. */
  private static final Map<String, String> ARCHIVE_REQUIRED =
      Map.of("JDK_JAVA_OPTIONS", "-Xshare:on -Xlog:class+load");

  private static final Map<String, String> ARCHIVE_LEFT = Map.of("PEREGRINE_ARCHIVE", "off");

  private static final String FROM_THE_ARCHIVE =
      "dev.peregrine.server.HttpServer source: shared objects file (top)";
  private static final int SIGTERM_STATUS = 143;

  @TempDir static Path shared;
  private static Path home;

  @TempDir Path folder;

  @BeforeAll
  static void build() throws Exception {
    home = shared.resolve("peregrine");
    run(
        BASE_DIRECTORY.resolve("src/image/build").toString(),
        FatJar.JAR.toString(),
        home.toString());
    run("chmod", "-R", "a-w", home.toString());
  }

  /** Temporary directories are closed to other users, whom a test starts the server as. */
  @BeforeEach
  void open() throws IOException {
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void servesAsAnyUserWithoutWriting() throws Exception {
    List<String> command = new ArrayList<>(FatJar.unprivileged());
    command.addAll(List.of(home.resolve("bin/peregrine").toString(), "hello", "--port", "0"));

    try (FatJar server = new FatJar(folder, ARCHIVE_REQUIRED, command)) {
      assertServesAndEnds(server);
    }
  }

  @Test
  void runsWithoutTheArchiveOfAnotherJarIfItMayNotMakeOne() throws Exception {
    Path copy = copyOfHome("without");
    run("touch", copy.resolve("peregrine.jar").toString());
    List<String> command = command(copy);

    try (FatJar server = new FatJar(folder, ARCHIVE_LEFT, command)) {
      assertThat(server.port()).isPositive();
    }
    try (FatJar server = new FatJar(folder, both(ARCHIVE_LEFT, ARCHIVE_REQUIRED), command)) {
      assertThat(server.exitValue()).isEqualTo(1);
    }
  }

  @Test
  void makesTheArchiveAnewForANewerJar() throws Exception {
    Path copy = copyOfHome("anew");
    run("touch", copy.resolve("peregrine.jar").toString());

    try (FatJar server = new FatJar(folder, ARCHIVE_REQUIRED, command(copy))) {
      assertServesAndEnds(server);
    }
    assertThat(archives(copy)).containsExactly("peregrine.jsa");
  }

  @Test
  void startsWithoutAnArchiveInADirectoryThatItMayNotWrite() throws Exception {
    Path copy = copyOfHome("closed");
    Files.delete(copy.resolve("peregrine.jsa"));
    run("chmod", "-R", "a-w", copy.toString());
    List<String> command = new ArrayList<>(FatJar.unprivileged());
    command.addAll(command(copy));
    command.add("--limit=loop-blocked-time=1m"); // or a slow machine is reported
    try (FatJar server = new FatJar(folder, Map.of(), command)) {
      assertThat(server.port()).isPositive();
      assertThat(server.errors()).isEmpty();
    }
    assertThat(archives(copy)).isEmpty();
  }

  @Test
  void startsThroughASymbolicLink() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("bin"));
    Path relative = elsewhere.toRealPath().relativize(home.resolve("bin/peregrine").toRealPath());
    Path first = Files.createSymbolicLink(elsewhere.resolve("first"), relative);
    Path second = Files.createSymbolicLink(elsewhere.resolve("second"), first);

    try (FatJar server =
        new FatJar(folder, ARCHIVE_REQUIRED, List.of(second.toString(), "--port", "0"))) {
      assertServesAndEnds(server);
    }
  }

  @Test
  void isAnImageThatNeedsNoRootAndWritesNothing() throws Exception {
    try (Podman podman = new Podman(folder, JDK)) {
      assumeThat(podman.problem()).as("podman").isEmpty();
      podman.build(BASE_DIRECTORY, "peregrine");

      List<String> command = podman.run("peregrine", ARCHIVE_REQUIRED, "hello", "--port", "0");
      try (FatJar server = new FatJar(folder, Map.of(), command)) {
        assertServesAndEnds(server);
      }
    }
  }

  private static Path copyOfHome(String name) throws Exception {
    Path copy = shared.resolve(name);
    run("cp", "-a", home.toString(), copy.toString());
    run("chmod", "-R", "u+w", copy.toString());
    return copy;
  }

  private static List<String> command(Path directory) {
    return List.of(directory.resolve("bin/peregrine").toString(), "hello", "--port", "0");
  }

  private static Map<String, String> both(Map<String, String> some, Map<String, String> others) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(others);
    return all;
  }

  /** Returns the names of all files that begin as the archive does. */
  private static List<String> archives(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("peregrine.jsa"))
          .toList();
    }
  }

  private static void assertServesAndEnds(FatJar server) throws Exception {
    List<String> lines = new ArrayList<>();
    int port = server.port(lines);
    assertThat(lines).anyMatch(line -> line.endsWith(FROM_THE_ARCHIVE));
    assertThat(lines.getLast()).contains("scanner swar");
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI ready = URI.create("http://127.0.0.1:" + port + "/readyz");
      var response = client.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
    }

    server.terminate();

    assertThat(server.exitValue()).isEqualTo(SIGTERM_STATUS);
    assertThat(server.output())
        .filteredOn(line -> !line.contains("[class,load]")) // of threads that are still at work
        .last()
        .asString()
        .matches(FatJar.COMPLETE_END);
  }

  private static void run(String... command) throws Exception {
    Path log = Files.createTempFile(shared, "command", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", JDK);
    int status = builder.start().waitFor();
    try (Stream<String> lines = Files.lines(log)) {
      assertThat(status).as(() -> lines.toList().toString()).isZero();
    }
  }
}
