package dev.peregrine.examples;

import static dev.peregrine.examples.FatJar.WITHOUT_VECTORS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** SIGHUP, as operators and {@code logrotate} send it. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class CliReloadIT {
  private static final String HANG_UP = "HUP";
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @TempDir Path folder;

  @BeforeEach
  void writeCertificate() throws IOException {
    Files.writeString(folder.resolve("cert.pem"), SampleCertificate.CHAIN);
    Files.writeString(folder.resolve("key.pem"), SampleCertificate.KEY);
  }

  /**
   * Returns the command for a server that SIGHUP reaches, also in a build that nohup has started.
   */
  private static List<String> command(String... options) throws Exception {
    List<String> reset = List.of("env", "--default-signal=HUP"); // GNU coreutils
    List<String> probe = List.of("env", "--default-signal=HUP", "true");
    boolean canReset = new ProcessBuilder(probe).start().waitFor() == 0;
    List<String> command = new ArrayList<>(canReset ? reset : List.of());
    command.addAll(FatJar.command(WITHOUT_VECTORS, options));
    return command;
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void readsTheCertificatesAndOpensTheAccessLogAgain() throws Exception {
    String[] options = {
      "--port",
      "0",
      "--tls-port",
      "0",
      "--access-log",
      path("log"),
      "--tls-cert",
      path("cert.pem"),
      "--tls-key",
      path("key.pem"),
    };
    try (FatJar jar = new FatJar(folder, Map.of(), command(options));
        Client client = new Client(jar.port())) {
      jar.signal(HANG_UP);
      assertThat(jar.line())
          .endsWith(" SIGHUP; the certificates stay; the access log is opened again");

      Files.delete(folder.resolve("key.pem"));
      jar.signal(HANG_UP);
      assertThat(jar.line()).contains(" SIGHUP; the certificates stay;");
      jar.awaitError("TLS certificates were not reloaded, the old ones stay");

      assertThat(client.get("/plaintext").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void readsTheSiteAgainOrKeepsIt() throws Exception {
    Files.createDirectory(folder.resolve("site"));
    Files.writeString(folder.resolve("site/a"), "a");
    Path config = Files.writeString(folder.resolve("c"), "redirect = /x=/1\n");
    String[] options = {"serve", path("site"), "--port", "0", "--config", config.toString()};
    try (FatJar jar = new FatJar(folder, Map.of(), command(options));
        Client client = new Client(jar.port())) {
      Files.writeString(config, "redirect = /x=/2\n");
      jar.signal(HANG_UP);
      assertThat(jar.line()).endsWith(" SIGHUP; the site is read again");
      assertThat(client.get("/x").headers().firstValue("Location")).hasValue("/2");

      Files.writeString(config, "\nredirect = /x=/x\n");
      jar.signal(HANG_UP);
      assertThat(jar.line())
          .contains(" SIGHUP; the site stays, because " + config + ", line 2: redirect is /x=/x");
      assertThat(client.get("/x").headers().firstValue("Location")).hasValue("/2");
    }
  }

  @Test
  void continuesWithoutAnythingToReload() throws Exception {
    try (FatJar jar = new FatJar(folder, Map.of(), command("--port", "0"));
        Client client = new Client(jar.port())) {
      jar.signal(HANG_UP);

      assertThat(jar.line()).endsWith(" SIGHUP");
      assertThat(client.get("/plaintext").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void ignoresTheSignalIfItWasStartedSo() throws Exception {
    List<String> nohup = List.of("sh", "-c", "trap '' HUP; exec \"$@\"", "sh");
    List<String> command = new ArrayList<>(nohup);
    command.addAll(FatJar.command(WITHOUT_VECTORS, "--port", "0"));
    try (FatJar jar = new FatJar(folder, Map.of(), command);
        Client client = new Client(jar.port())) {
      jar.signal(HANG_UP);
      assertThat(client.get("/plaintext").statusCode()).isEqualTo(200);

      jar.terminate();
      assertThat(jar.output()).singleElement().asString().matches(FatJar.COMPLETE_END);
    }
  }

  /** The terminal is one of {@code script}, whose end closes it. */
  @Test
  void endsIfItsTerminalIsClosed() throws Exception {
    assumeTrue(Files.isExecutable(SCRIPT), "script (util-linux) is absent");
    Path output = Files.createFile(folder.resolve("output"));
    String server = String.join(" ", command("--port", "0"));
    List<String> command =
        List.of(SCRIPT.toString(), "-qec", "exec " + server + " > " + output, "/dev/null");
    try (FatJar terminal = new FatJar(folder, Map.of(), command)) {
      FatJar.awaitLine(output, "Peregrine serves");
      terminal.signal("KILL");

      FatJar.awaitLine(output, "nothing was cut short");
      assertThat(Files.readString(output)).doesNotContain("SIGHUP");
    }
  }
}
