package dev.peregrine.examples;

import static dev.peregrine.examples.FatJar.WITHOUT_VECTORS;
import static dev.peregrine.examples.FatJar.WITH_VECTORS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class FatJarIT {
  private static final String FLAG = "--add-modules jdk.incubator.vector";
  private static final String MAIN = "dev.peregrine.cli.Start";
  private static final String MAIN_FILE = "dev/peregrine/cli/Start.class";
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");
  private static final int SIGTERM_STATUS = 143;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The bundled packages, with their names in the notice. */
  private static final Map<String, String> BUNDLED =
      Map.of(
          "dev/peregrine", "Peregrine",
          "io/avaje", "avaje-jsonb",
          "picocli", "picocli");

  @TempDir Path folder;

  static boolean hasSigterm() {
    return ProcessHandle.current().supportsNormalTermination();
  }

  @Test
  void servesWithVectors() throws Exception {
    try (FatJar jar = new FatJar(folder, WITH_VECTORS, "--port", "0")) {
      assertServes(jar.port());

      assertThat(jar.errors()).noneMatch(line -> line.contains(FLAG));
    }
  }

  @Test
  void servesWithoutVectorsAndNamesTheFlagOnce() throws Exception {
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--port", "0", "--verbose")) {
      assertServes(jar.port());

      // logged by a thread of its own, for which requests don't wait
      jar.awaitError(FLAG);
      assertThat(jar.errors()).filteredOn(line -> line.contains(FLAG)).hasSize(1);
    }
  }

  @Test
  void logsNoInformationUnlessAsked() throws Exception {
    // A slow machine must not report a loop that loads classes.
    String patient = "--limit=loop-blocked-time=1m";
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--port", "0", patient)) {
      assertServes(jar.port());

      assertThat(jar.errors()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"vector", "swar", "scalar"})
  void servesWithEachScanner(String scanner) throws Exception {
    try (FatJar jar = new FatJar(folder, WITH_VECTORS, "--port", "0", "--scanner", scanner)) {
      assertServes(jar.port());
    }
  }

  @Test
  void stopsByItselfAfterItsTraining() throws Exception {
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--port", "0", "--train")) {
      assertThat(jar.exitValue()).isZero();
      assertThat(jar.output()).last().asString().matches(FatJar.COMPLETE_END);
    }
  }

  @Test
  @EnabledIf(value = "hasSigterm", disabledReason = "this system has no SIGTERM")
  void stopsOnSigterm() throws Exception {
    try (FatJar jar = new FatJar(folder, WITH_VECTORS, "--port", "0");
        Socket idle = new Socket(InetAddress.getLoopbackAddress(), jar.port())) {
      jar.terminate();

      assertThat(jar.exitValue()).isEqualTo(SIGTERM_STATUS);
      assertThat(idle.getInputStream().read()).isEqualTo(-1);
      assertThat(jar.output()).last().asString().matches(FatJar.COMPLETE_END);
      awaitFree(idle.getPort());
    }
  }

  @Test
  @EnabledIf(value = "hasSigterm", disabledReason = "this system has no SIGTERM")
  void completesRequestsUnderWayBeforeItStops() throws Exception {
    try (FatJar jar = new FatJar(folder, WITH_VECTORS, "--port", "0");
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), jar.port())) {
      OutputStream out = socket.getOutputStream();
      BufferedReader in = reader(socket);
      out.write(
          ascii("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\nfirst\n"));
      assertThat(in.lines().takeWhile(line -> !line.isEmpty())).contains("Content-Length: 12");
      assertThat(in.readLine()).isEqualTo("first");

      jar.terminate();
      out.write(ascii("second"));

      assertThat(in.readLine()).isEqualTo("second");
      assertThat(jar.exitValue()).isEqualTo(SIGTERM_STATUS);
      assertThat(jar.output()).last().asString().matches(FatJar.COMPLETE_END);
    }
  }

  @Test
  void reportsInOneLineThatThePortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--port", port, "--scanner", "swar")) {
        assertThat(jar.exitValue()).isEqualTo(1);
        assertThat(jar.errors()).singleElement().asString().contains("can't listen on", port);
      }
    }
  }

  @Test
  void namesAnUnknownOptionInOneLine() throws Exception {
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--prot", "8080")) {
      assertThat(jar.exitValue()).isEqualTo(2);
      assertThat(jar.errors()).singleElement().asString().contains("--prot");
    }
  }

  @Test
  void namesTheFlagThatTheVectorScannerNeeds() throws Exception {
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--scanner", "vector")) {
      assertThat(jar.exitValue()).isEqualTo(2);
      assertThat(jar.errors()).singleElement().asString().contains("--scanner vector", FLAG);
    }
  }

  @Test
  void listsItsOptions() throws Exception {
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--help")) {
      assertThat(String.join("\n", jar.output()))
          .contains("--host", "--port", "--loops", "--scanner", "--reuse-port", "--train")
          .contains("--version", "--help");
      assertThat(jar.exitValue()).isZero();
    }
  }

  @Test
  void printsItsVersion() throws Exception {
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--version")) {
      assertThat(jar.output())
          .first()
          .asString()
          .matches("Peregrine [0-9]\\S+ \\(commit (unknown|[0-9a-f]{12}(-dirty)?)\\)");
      assertThat(jar.exitValue()).isZero();
    }
  }

  @Test
  void printsAnAddressThatCanBeOpened() throws Exception {
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, "--port=0", "--host=0.0.0.0")) {
      assertServes(jar.port());
    }
  }

  @Test
  void containsTheLicencesOfItsLibraries() throws Exception {
    try (JarFile jar = new JarFile(FatJar.JAR.toFile())) {
      assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
      assertThat(packages(jar)).as("whose classes are there").isEqualTo(BUNDLED.keySet());
      assertThat(text(jar, "META-INF/NOTICE")).contains(BUNDLED.values());
    }
  }

  @Test
  void declaresInItsManifestWhatTheVmNeedsToKnow() throws Exception {
    try (JarFile jar = new JarFile(FatJar.JAR.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();

      assertThat(manifest.getValue("Main-Class")).isEqualTo(MAIN);
      assertThat(manifest.getValue("Enable-Native-Access")).isEqualTo("ALL-UNNAMED");
      assertThat(manifest.getValue("Implementation-Version")).isNotBlank();
    }
  }

  /** A JVM that finds any links a lambda for them, before it loads the first class. */
  @Test
  void hasNoVersionsOfClasses() throws Exception {
    try (JarFile jar = new JarFile(FatJar.JAR.toFile())) {
      assertThat(jar.isMultiRelease()).isFalse();
      assertThat(jar.stream()).noneMatch(entry -> entry.getName().startsWith("META-INF/versions/"));
    }
  }

  /** The main class, which a JVM before ours can load too. */
  private static final class OldMain extends ClassLoader {
    private static final int MAJOR_VERSION = 7; // the offset of its last byte
    private static final int OF_JAVA_8 = 52;

    Class<?> define() throws IOException {
      try (JarFile jar = new JarFile(FatJar.JAR.toFile());
          InputStream in = jar.getInputStream(jar.getJarEntry(MAIN_FILE))) {
        byte[] bytes = in.readAllBytes();
        assertThat(bytes[MAJOR_VERSION]).isEqualTo((byte) OF_JAVA_8);
        return defineClass(MAIN, bytes, 0, bytes.length);
      }
    }
  }

  @Test
  void saysOnAnOlderJvmThatItNeedsANewerOne() throws Exception {
    Method problem = new OldMain().define().getDeclaredMethod("problem");
    problem.setAccessible(true);

    assertThat(problem.invoke(null))
        .isEqualTo(
            "Peregrine needs Java 25, this is %s (%s)"
                .formatted(Runtime.version().feature(), System.getProperty("java.home")));
  }

  @Test
  void endsOnAnOlderJvmWithOneLine() throws Exception {
    Optional<Path> old = oldJava();
    assumeTrue(old.isPresent(), "no Java 8 to 24 in " + INSTALLED);
    List<String> command = List.of(old.orElseThrow().toString(), "-jar", FatJar.JAR.toString());
    try (FatJar jar = new FatJar(folder, Map.of(), command)) {
      assertThat(jar.exitValue()).isEqualTo(1);
      assertThat(jar.errors())
          .singleElement()
          .asString()
          .matches("peregrine: Peregrine needs Java 25, this is \\d+ \\(/.*\\)");
    }
  }

  private static Optional<Path> oldJava() throws IOException {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> installed = Files.list(INSTALLED)) {
      return installed
          .filter(home -> home.getFileName().toString().matches(".*\\b(8|11|17|21)\\b.*"))
          .map(home -> home.resolve("bin/java"))
          .filter(Files::isExecutable)
          .findFirst();
    }
  }

  /** Returns the first two parts of the names of all packages with classes. */
  private static Set<String> packages(JarFile jar) {
    return jar.stream()
        .map(JarEntry::getName)
        .filter(name -> name.endsWith(".class"))
        .map(name -> name.replaceFirst("(picocli|[^/]+/[^/]+)/.*", "$1"))
        .collect(Collectors.toSet());
  }

  private static String text(JarFile jar, String entry) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getJarEntry(entry))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void assertServes(int port) throws IOException, InterruptedException {
    try (Client client = new Client(port)) {
      assertThat(client.get("/plaintext").body()).isEqualTo("Hello, World!");
      assertThat(client.get("/json").body()).isEqualTo("{\"message\":\"Hello, World!\"}");
      assertThat(client.post("/echo", "content").body()).isEqualTo("content");
      assertThat(client.get("/").body()).contains("</html>");
    }
  }

  /** Listens on a port, which another program may have for a moment. */
  private static void awaitFree(int port) throws IOException {
    long start = System.nanoTime();
    boolean isFree = false;
    while (!isFree) {
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        isFree = true;
      } catch (BindException taken) {
        assertThat(System.nanoTime() - start).as("%s", taken).isLessThan(PATIENCE_NANOS);
      }
    }
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
