package dev.peregrine.server;

import static dev.peregrine.testing.ServingJvm.NATIVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.OwnCode;
import dev.peregrine.testing.ServingJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Flight Recorder's module in other JVMs: absent, unused and used. */
final class FlightModulesIT {
  @TempDir Path folder;

  private String run(String... options) throws Exception {
    return ServingJvm.run(folder, options);
  }

  @Test
  void servesWithoutTheModule() throws Exception {
    String output =
        run(
            NATIVE,
            "--limit-modules",
            "java.base",
            "-Xlog:class+load",
            "-cp",
            ServingJvm.classPath());

    assertThat(output).doesNotContain("jdk.jfr.");
  }

  @Test
  void loadsNoEventWithoutARecording() throws Exception {
    String output = run(NATIVE, "-Xlog:class+load", "-cp", ServingJvm.classPath());

    assertThat(output)
        .contains("dev.peregrine.server.jfr.FlightEvents ")
        .doesNotContain("jdk.jfr.Event ")
        .doesNotContain("dev.peregrine.server.jfr.LoopRecorder")
        .doesNotContain("Event source: file:");
  }

  @Test
  void recordsOnTheClassPath() throws Exception {
    expectEvents(NATIVE, "-cp", ServingJvm.classPath());
  }

  @Test
  void recordsAsAModule() throws Exception {
    expectEvents(
        "--enable-native-access=dev.peregrine.linux,dev.peregrine.parser",
        "--module-path",
        OwnCode.path(OwnCode.origins()),
        "--add-modules",
        "dev.peregrine",
        "-cp",
        ServingJvm.programPath());
  }

  private void expectEvents(String... options) throws Exception {
    Path file = folder.resolve("recording.jfr");
    List<String> all = new ArrayList<>(List.of(options));
    all.addFirst("-XX:StartFlightRecording:+dev.peregrine.Request#threshold=0ms,filename=" + file);

    String output = run(all.toArray(String[]::new));

    assertThat(output).contains("200 OK");
    assertThat(RecordingFile.readAllEvents(file))
        .extracting(event -> event.getEventType().getName())
        .contains("dev.peregrine.Request", "dev.peregrine.ConnectionClosed");
  }
}
