package dev.peregrine.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Builds and runs images by podman and runc, with storage of its own. Nothing is downloaded: the
 * base image has a shell and libraries of this machine, and the JDK is mounted into the build.
 */
final class Podman implements AutoCloseable {
  private static final String BASE = "localhost/base";

  private final Path folder;
  private final String jdk;
  private final List<String> command;
  private final String problem;

  Podman(Path folder, String jdk) throws IOException {
    this.folder = folder;
    this.jdk = jdk;
    command =
        List.of(
            "podman",
            "--root",
            folder.resolve("storage").toString(),
            "--runroot",
            folder.resolve("run").toString(),
            "--storage-driver",
            "vfs",
            "--cgroup-manager",
            "cgroupfs",
            "--runtime",
            "runc");
    problem = prepare();
  }

  /** Returns why images can't be built and run here; empty if they can. */
  String problem() {
    return problem;
  }

  private String prepare() throws IOException {
    if (Stream.of("/usr/bin/podman", "/usr/local/bin/podman")
        .noneMatch(path -> Files.isExecutable(Path.of(path)))) {
      return "not installed";
    }
    try {
      importBase();
      execute(run(BASE, Map.of(), "/bin/sh", "-c", "exit 0"));
      return "";
    } catch (IOException unusable) {
      return unusable.toString();
    }
  }

  /** Creates an image of a shell, the commands of the recipe, and what they and a JVM link. */
  private void importBase() throws IOException {
    Set<String> files = new TreeSet<>();
    List<String> programs = List.of("/bin/sh", "/bin/cp", "/bin/rm", "/bin/cat", "/bin/chmod");
    List<String> linked = new ArrayList<>(programs);
    linked.add(jdk + "/bin/java");
    linked.add(jdk + "/lib/server/libjvm.so");
    linked.add(jdk + "/lib/libnio.so");
    files.addAll(programs);
    for (String program : linked) {
      for (String word : execute(List.of("ldd", program)).split("\\s+", -1)) {
        if (word.startsWith("/") && !word.startsWith(jdk)) {
          files.add(word);
        }
      }
    }
    List<String> tar = new ArrayList<>(List.of("tar", "--dereference", "-cf"));
    Path archive = folder.resolve("base.tar");
    tar.add(archive.toString());
    tar.addAll(files);
    String ignored = execute(tar);
    ignored =
        podman(
            "import",
            "--change",
            "ENV JAVA_HOME=" + jdk,
            "--change",
            "ENV PATH=/bin",
            archive.toString(),
            BASE);
  }

  /** Builds the image from the module's directory. */
  void build(Path directory, String name) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("build", "--isolation", "chroot"));
    for (Path mounted : directoriesOfJdk()) {
      arguments.addAll(List.of("--volume", mounted + ":" + mounted + ":ro"));
    }
    arguments.addAll(List.of("--build-arg", "JDK=" + BASE, "--build-arg", "BASE=" + BASE));
    arguments.addAll(List.of("--file", directory.resolve("src/image/Containerfile").toString()));
    arguments.addAll(List.of("--tag", "localhost/" + name, directory.toString()));
    String ignored = podman(arguments.toArray(String[]::new));
  }

  /** Returns the JDK and the directories outside of it that its symbolic links lead to. */
  private Set<Path> directoriesOfJdk() throws IOException {
    Path root = Path.of(jdk).toRealPath();
    Set<Path> directories = new TreeSet<>(Set.of(Path.of(jdk)));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path link : files.filter(Files::isSymbolicLink).filter(Files::exists).toList()) {
        Path target = link.toRealPath();
        if (!target.startsWith(root)) {
          directories.add(target.resolveSibling(".").normalize());
          directories.add(
              link.resolveSibling(Files.readSymbolicLink(link)).resolveSibling(".").normalize());
        }
      }
    }
    return directories;
  }

  /** Returns a command that runs an image: nothing can be written, and there are no privileges. */
  List<String> run(String image, Map<String, String> environment, String... arguments) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("run", "--rm", "--network", "host"));
    // By default it raises the limits, which only a privileged user may.
    all.addAll(List.of("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"));
    all.addAll(List.of("--read-only", "--read-only-tmpfs=false", "--cap-drop", "ALL"));
    environment.forEach((name, value) -> all.addAll(List.of("--env", name + "=" + value)));
    all.add(image.contains("/") ? image : "localhost/" + image);
    all.addAll(List.of(arguments));
    return all;
  }

  private String podman(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(arguments));
    return execute(all);
  }

  private static String execute(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output;
    try (var reader = process.inputReader()) {
      output = String.join("\n", reader.lines().toList());
    }
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(command + " failed: " + output);
    }
    return output;
  }

  /** Removes the containers and images. */
  @Override
  public void close() throws IOException {
    if (!problem.equals("not installed")) {
      String ignored = podman("rmi", "--all", "--force");
    }
  }
}
