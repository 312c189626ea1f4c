package dev.peregrine.examples;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Chromium without a window. */
final class Browser {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final int PATIENCE_SECONDS = 120;

  private final Path program;

  private Browser(Path program) {
    this.program = program;
  }

  /** Returns a browser of this machine; empty if no browser on the PATH opens a page. */
  static Optional<Browser> find() throws InterruptedException {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    List<Browser> browsers =
        NAMES.stream()
            .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(in -> Path.of(in, name)))
            .filter(Files::isExecutable)
            .map(Browser::new)
            .toList();
    for (Browser browser : browsers) {
      if (browser.works()) {
        return Optional.of(browser);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns true if the browser opens a page. The program on the PATH may only print how to install
   * it, or lack libraries.
   */
  private boolean works() throws InterruptedException {
    try {
      return open("data:text/html,works").contains("works");
    } catch (IOException failure) {
      return false;
    }
  }

  /** Returns the document after its scripts have run. */
  String open(String url) throws IOException, InterruptedException {
    // Not a @TempDir: processes of the browser may outlive it by a moment and still write.
    Path target = Path.of(System.getProperty("basedir", "."), "target");
    Path folder = Files.createTempDirectory(target, "browser");
    Path dump = folder.resolve("dump.html");
    Path profile = Files.createDirectory(folder.resolve("profile"));
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--ignore-certificate-errors", // those of certificates for a test
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
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the browser goes on");
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return Files.readString(dump, StandardCharsets.UTF_8);
  }
}
