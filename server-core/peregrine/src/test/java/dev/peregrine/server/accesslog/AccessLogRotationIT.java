package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Repository;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.RunItPage;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An access log whose file is renamed, removed or truncated under load, and by logrotate. */
final class AccessLogRotationIT {
  private static final int ROTATIONS = 3;
  private static final int CLIENTS = 2;
  private static final Path LOGROTATE = Path.of("/usr/sbin/logrotate");
  private static final Pattern CONFIGURATION =
      Pattern.compile("```logrotate\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINE =
      Pattern.compile(".* \"GET /number/([0-9]+) HTTP/[12]\\.[01]\" 200 0 \"-\" \"-\"");

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path dir;
  @TempDir private Path elsewhere;

  private final Handler handler = (request, response) -> response.send();

  private Path file() {
    return dir.resolve("access.log");
  }

  private HttpServer serve(AccessLog log) {
    return servers.start(handler, options -> options.exchangeListener(log));
  }

  @Test
  void losesNoLineWhenTheFileIsRenamed() throws Exception {
    try (AccessLog log = AccessLog.builder(file()).build()) {
      LoadedClients clients = new LoadedClients(servers, serve(log), CLIENTS);
      for (int i = 1; i <= ROTATIONS; i++) {
        awaitLines();
        Files.move(file(), dir.resolve("access.log." + i));
        Await.until("there is a new file", () -> Files.exists(file()));
      }
      expectAll(clients.stop(), log);
    }
  }

  @Test
  void reopensTheFileWhenAsked() throws Exception {
    try (AccessLog log = AccessLog.builder(file()).build()) {
      LoadedClients clients = new LoadedClients(servers, serve(log), CLIENTS);
      for (int i = 1; i <= ROTATIONS; i++) {
        awaitLines();
        Files.move(file(), dir.resolve("access.log." + i));
        log.reopen();
        Await.until("there is a new file", () -> Files.exists(file()));
      }
      expectAll(clients.stop(), log);
    }
  }

  @Test
  void continuesInANewFileWhenTheFileIsRemoved() throws Exception {
    try (AccessLog log = AccessLog.builder(file()).build()) {
      HttpServer server = serve(log);
      servers.connect(server).send(Requests.get("/first")).read();
      assertThat(LogLines.await(file(), 1)).hasSize(1);
      Files.delete(file());
      servers.connect(server).send(Requests.get("/second")).read();
      Await.until("there is a new file", () -> Files.exists(file()));

      assertThat(LogLines.await(file(), 1)).singleElement().asString().contains("/second");
    }
  }

  @Test
  void appendsAfterTheFileIsTruncated() throws Exception {
    try (AccessLog log = AccessLog.builder(file()).build()) {
      HttpServer server = serve(log);
      servers.connect(server).send(Requests.get("/first")).read();
      assertThat(LogLines.await(file(), 1)).hasSize(1);
      Files.write(file(), new byte[0]); // as copytruncate does
      servers.connect(server).send(Requests.get("/second")).read();

      assertThat(LogLines.await(file(), 1).getFirst()).startsWith("127").contains("/second");
    }
  }

  /** Between requests, because logrotate loses lines that are written while it works. */
  @Test
  void appendsAfterLogrotateHasTruncatedTheFile() throws Exception {
    requireLogrotate();
    Path configuration = elsewhere.resolve("logrotate.conf");
    Files.writeString(configuration, file() + " {\n  rotate 3\n  copytruncate\n}\n");
    try (AccessLog log = AccessLog.builder(file()).build()) {
      HttpServer server = serve(log);
      servers.connect(server).send(Requests.get("/first")).read();
      assertThat(LogLines.await(file(), 1)).hasSize(1);
      rotate(configuration);
      servers.connect(server).send(Requests.get("/second")).read();

      assertThat(LogLines.await(file(), 1)).singleElement().asString().contains("GET /second ");
      assertThat(LogLines.read(dir.resolve("access.log.1")))
          .singleElement()
          .asString()
          .contains("GET /first ");
      assertThat(log.fileFailures()).isZero();
    }
  }

  private static void requireLogrotate() {
    if (!Files.isExecutable(LOGROTATE)) {
      Repository.skip("logrotate is not installed: apt-get install logrotate");
    }
  }

  @Test
  void losesNoLineToLogrotate() throws Exception {
    requireLogrotate();
    Path configuration = elsewhere.resolve("logrotate.conf");
    Files.writeString(configuration, documentedConfiguration());
    try (AccessLog log = AccessLog.builder(file()).build()) {
      LoadedClients clients = new LoadedClients(servers, serve(log), CLIENTS);
      for (int i = 0; i < ROTATIONS; i++) {
        awaitLines();
        rotate(configuration);
      }
      expectAll(clients.stop(), log);
    }
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).hasSize(1 + ROTATIONS);
    }
  }

  private void rotate(Path configuration) throws Exception {
    Path output = elsewhere.resolve("output");
    int code =
        new ProcessBuilder(
                LOGROTATE.toString(),
                "--force",
                "--state",
                elsewhere.resolve("state").toString(),
                configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    assertThat(code).as(() -> LogLines.read(output).toString()).isZero();
  }

  /** Returns the configuration that the documentation shows, for the file of this test. */
  private String documentedConfiguration() {
    String page = RunItPage.text();
    Matcher block = CONFIGURATION.matcher(page);
    assertThat(block.find()).isTrue();
    return block.group(1).replace("/var/log/app/access.log", file().toString());
  }

  /** Waits until the present file has lines. */
  private void awaitLines() {
    Await.until("lines are written", () -> file().toFile().length() > 0);
  }

  /** Fails unless the files have each request once, in whole lines. */
  private void expectAll(int requests, AccessLog log) throws Exception {
    List<Integer> found = new ArrayList<>();
    Await.until(
        () -> found.size() + " of " + requests + " lines are written",
        () -> {
          found.clear();
          found.addAll(numbers());
          return found.size() >= requests;
        });
    // Sorted: in any order, a comparison of the lines of slow rotations would take minutes.
    assertThat(found.stream().sorted().toList())
        .isEqualTo(IntStream.range(0, requests).boxed().toList());
    assertThat(log.droppedLines()).isZero();
    assertThat(log.fileFailures()).isZero();
  }

  private List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    try (Stream<Path> files = Files.list(dir)) {
      for (Path one : files.toList()) {
        for (String line : text(one).lines().toList()) {
          Matcher matcher = LINE.matcher(line);
          assertThat(matcher.matches()).as(line).isTrue();
          numbers.add(Integer.parseInt(matcher.group(1)));
        }
      }
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
    return numbers;
  }

  private static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
      String text = new String(plain.readAllBytes(), StandardCharsets.US_ASCII);
      return text.substring(0, text.lastIndexOf('\n') + 1); // a write may be under way
    }
  }
}
