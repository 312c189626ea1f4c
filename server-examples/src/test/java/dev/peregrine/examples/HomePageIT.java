package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.HttpServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Opens the page in a browser, where there is one. */
class HomePageIT {
  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final int PATIENCE_SECONDS = 120;

  @Test
  void showsTheRoutesAndWhatTheEchoAnswers() throws Exception {
    Optional<Path> browser = findBrowser();
    assumeTrue(browser.isPresent(), "no Chromium on the PATH");
    try (HttpServer server = ExampleServer.start("--port", "0")) {
      String page = open(browser.orElseThrow(), "http://127.0.0.1:" + server.port() + "/");

      assertThat(page).contains("/plaintext", "/json", "/echo");
      assertThat(page).contains(">Hello, falcon — ¡hola!</output>").contains("200 · 25 bytes");
    }
  }

  private static Optional<Path> findBrowser() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return BROWSERS.stream()
        .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(in -> Path.of(in, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The document after its scripts have run. */
  private String open(Path browser, String url) throws Exception {
    // Not a @TempDir: processes of the browser may outlive it by a moment and still write.
    Path target = Path.of(System.getProperty("basedir", "."), "target");
    Path folder = Files.createTempDirectory(target, "browser");
    Path dump = folder.resolve("dump.html");
    Path profile = Files.createDirectory(folder.resolve("profile"));
    Process process =
        new ProcessBuilder(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile,
                "--virtual-time-budget=10000",
                "--dump-dom",
                url)
            .redirectOutput(dump.toFile())
            .redirectError(folder.resolve("stderr.txt").toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return Files.readString(dump, StandardCharsets.UTF_8);
  }
}
