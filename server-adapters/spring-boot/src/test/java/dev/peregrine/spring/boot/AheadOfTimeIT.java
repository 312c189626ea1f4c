package dev.peregrine.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.web.reactive.socket.server.RequestUpgradeStrategy;
import org.springframework.web.reactive.socket.server.upgrade.StandardWebSocketUpgradeStrategy;

/** An application whose configuration is turned into code at build time. */
@Timeout(300)
class AheadOfTimeIT {
  private static final Pattern STARTED = Pattern.compile("Peregrine started on port ([0-9]+)");

  @TempDir Path folder;

  /** Processes the shop as Boot's plugins do, and compiles what that has written. */
  private Path process() throws Exception {
    Path sources = folder.resolve("sources");
    Path classes = Files.createDirectories(folder.resolve("classes"));
    SpringApplicationAotProcessor.main(
        new String[] {
          Shop.class.getName(),
          sources.toString(),
          folder.resolve("resources").toString(),
          classes.toString(),
          "com.example",
          "shop",
          "--server.port=0"
        });
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-nowarn",
                "-d",
                classes.toString(),
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path")));
    try (Stream<Path> files = Files.walk(sources)) {
      files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
    }
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(failed).isZero();
    return classes;
  }

  /** Spring creates it at build time, too, unless another server is on the class path. */
  @Test
  void hasTheClassesOfTheStrategyThatSpringAssumes() {
    assertThat(new StandardWebSocketUpgradeStrategy()).isInstanceOf(RequestUpgradeStrategy.class);
  }

  @Test
  void servesWithGeneratedConfiguration() throws Exception {
    Process shop =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dspring.aot.enabled=true",
                "-cp",
                process() + File.pathSeparator + System.getProperty("java.class.path"),
                Shop.class.getName(),
                "--server.port=0",
                "--server.address=127.0.0.1")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader log = shop.inputReader()) {
      List<String> lines = new ArrayList<>();
      Matcher started = STARTED.matcher("");
      while (!started.find()) {
        String line = log.readLine();
        assertThat(line).as("after %s", lines).isNotNull();
        lines.add(line);
        started.reset(line);
      }
      assertThat(lines).anyMatch(line -> line.contains("Starting AOT-processed Shop"));
      assertThat(get(Integer.parseInt(started.group(1)))).isEqualTo("{\"id\":\"7\"}");
    } finally {
      shop.destroyForcibly().waitFor();
    }
  }

  private static String get(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + "/items/7");
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }
}
