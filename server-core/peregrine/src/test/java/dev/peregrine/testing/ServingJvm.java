package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link FlightProgram} in a JVM of its own. */
public final class ServingJvm {
  /** Permits the system calls of a server on the class path. */
  public static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

  private ServingJvm() {}

  /**
   * Runs the program, which must serve its request. Returns its output.
   *
   * @param folder an empty directory
   * @param options those of the JVM, with a class path or a module path
   */
  public static String run(Path folder, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.add(FlightProgram.class.getName());
    command.add(Servers.TRANSPORT.name());
    String output = Processes.run(folder, command);
    assertThat(output).contains("200 OK").contains("served");
    return output;
  }

  /** Returns a class path with all of Peregrine and the program. */
  public static String classPath() {
    return OwnCode.path(OwnCode.origins()) + File.pathSeparator + programPath();
  }

  /** Returns a class path with the program alone. */
  public static String programPath() {
    return OwnCode.path(OwnCode.origins(List.of(FlightProgram.class)));
  }
}
