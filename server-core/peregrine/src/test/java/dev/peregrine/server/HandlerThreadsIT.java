package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.ServingJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log lines about the threads of blocking handlers at the start of a server. */
final class HandlerThreadsIT {
  private static final String CARRIED = "blocking handlers are carried by the event loops";
  private static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  @TempDir Path folder;

  /** Serves a request in a JVM of its own. Returns its log, down to the level DEBUG. */
  private String log(String... options) throws Exception {
    Path log = folder.resolve("log");
    Path settings = folder.resolve("logging.properties");
    Files.write(
        settings,
        List.of(
            "handlers=java.util.logging.FileHandler",
            "java.util.logging.FileHandler.pattern=" + log,
            "java.util.logging.FileHandler.formatter=java.util.logging.SimpleFormatter",
            "java.util.logging.FileHandler.level=ALL",
            "dev.peregrine.server.level=ALL"));
    String[] all = new String[options.length + 4];
    System.arraycopy(options, 0, all, 0, options.length);
    all[options.length] = ServingJvm.NATIVE;
    all[options.length + 1] = "-Djava.util.logging.config.file=" + settings;
    all[options.length + 2] = "-cp";
    all[options.length + 3] = ServingJvm.classPath();
    String ignored = ServingJvm.run(folder, all);
    return Files.readString(log);
  }

  @Test
  void namesTheOptionThatLetsTheLoopsCarryThem() throws Exception {
    assertThat(log())
        .contains("blocking handlers run by the JDK's scheduler")
        .contains("--add-opens java.base/java.lang=ALL-UNNAMED")
        .doesNotContain(CARRIED);
  }

  @Test
  void saysThatTheLoopsCarryThem() throws Exception {
    assertThat(log(OPEN)).contains(CARRIED).doesNotContain("the JDK's scheduler");
  }
}
