package dev.peregrine.cli.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.cli.options.Invocation;
import dev.peregrine.server.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a site without rules costs: a JVM that serves a request of it uses no class of a rule, so it
 * runs none of their code.
 */
final class UnusedRulesIT {
  private static final String USED = " Initializing 'dev/peregrine/";

  @TempDir Path folder;

  /** Serves a request of a site. Its arguments are those of the command line. */
  static final class OneRequest {
    private OneRequest() {}

    public static void main(String[] args) throws IOException {
      Invocation invocation = Invocation.of(Map.of(), args);
      try (HttpServer server =
              Peregrine.builder().port(0).loops(1).handler(Site.of(invocation)).start();
          Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        client
            .getOutputStream()
            .write(
                "GET /a.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1));
        byte[] response = client.getInputStream().readAllBytes();
        System.out.println(new String(response, StandardCharsets.ISO_8859_1));
      }
    }
  }

  private String usedBy(String... options) throws Exception {
    Path site = Files.createDirectories(folder.resolve("site"));
    Files.writeString(site.resolve("a.txt"), "the file");
    File output = folder.resolve("output").toFile();
    String[] line = {
      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "--add-modules=jdk.incubator.vector",
      "-Xlog:class+init",
      "-cp",
      System.getProperty("java.class.path"),
      OneRequest.class.getName(),
      "serve",
      site.toString()
    };
    List<String> command = new ArrayList<>(List.of(line));
    command.addAll(List.of(options));
    ProcessBuilder java =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
    Process process = java.start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String used = Files.readString(output.toPath(), StandardCharsets.ISO_8859_1);
    assertThat(used).contains("the file").contains(USED + "cli/site/Site'");
    return used;
  }

  @Test
  void aSiteWithoutRulesUsesNoClassOfThem() throws Exception {
    assertThat(usedBy())
        .doesNotContain(
            USED + "cli/site/CacheRules",
            USED + "cli/site/Guard",
            USED + "cli/site/HeaderRules",
            USED + "cli/site/PasswordUsers",
            USED + "cli/site/RedirectRules",
            USED + "cli/site/RewriteRules",
            USED + "cli/site/SinglePage",
            USED + "cli/site/ToHttps",
            USED + "cli/rules/PathPattern",
            USED + "http/filter/");
  }

  @Test
  void aSiteWithARuleUsesItsClass() throws Exception {
    assertThat(usedBy("--header", "/*=X-Frame-Options: DENY"))
        .contains(USED + "cli/site/HeaderRules'", USED + "cli/rules/PathPattern'");
  }
}
