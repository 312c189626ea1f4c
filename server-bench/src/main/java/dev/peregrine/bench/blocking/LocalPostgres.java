package dev.peregrine.bench.blocking;

import dev.peregrine.bench.compare.process.ChildProcesses;
import dev.peregrine.bench.compare.server.ServerMain;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL that listens on loopback only, with its data in a folder of its own. It has its
 * default configuration. It runs as the present user, or as nobody instead of root, whom PostgreSQL
 * rejects.
 */
final class LocalPostgres implements AutoCloseable {
  /** The number of rows of the table {@code item}. */
  static final int ITEMS = 1000;

  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final String USER = "bench";
  private static final String UNPRIVILEGED = "nobody";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 50;

  private final ChildProcesses processes = new ChildProcesses();
  private final Path programs;
  private final Path folder;
  private final int port;

  private LocalPostgres(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** Returns true if PostgreSQL is installed. */
  static boolean isInstalled() {
    return programs() != null;
  }

  /** Starts a database whose folder and port are the arguments, until its standard input ends. */
  @SuppressWarnings("SystemOut") // the channel to the process that started it
  public static void main(String[] args) throws Exception {
    try (LocalPostgres database = start(Path.of(args[0]), Integer.parseInt(args[1]))) {
      System.out.println(ServerMain.LISTENING + database.port);
      while (System.in.read() >= 0) {
        // the parent sends no bytes: this waits for the end
      }
    }
  }

  /**
   * Creates a database with its table.
   *
   * @param folder must exist, and be empty
   * @param port 0 for a free one
   * @throws IOException if it doesn't start; the folder has its log
   */
  static LocalPostgres start(Path folder, int port)
      throws IOException, SQLException, InterruptedException {
    Path programs = programs();
    if (programs == null) {
      throw new IOException("PostgreSQL is not installed: neither on the PATH nor in " + DEBIAN);
    }
    LocalPostgres database = new LocalPostgres(programs, folder, port == 0 ? freePort() : port);
    try {
      database.start();
    } catch (IOException | SQLException | InterruptedException | RuntimeException failure) {
      database.close();
      throw failure;
    }
    return database;
  }

  /** Returns the URL for JDBC. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
  }

  private void start() throws IOException, SQLException, InterruptedException {
    if (isRoot()) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    if (run("initdb", "-D", data(), "-A", "trust", "-U", USER, "--no-sync").waitFor() != 0) {
      throw new IOException("initdb has failed; see " + log());
    }
    Process server =
        run(
            "postgres",
            "-D",
            data(),
            "-p",
            Integer.toString(port),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=");
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE item (id int PRIMARY KEY, text text NOT NULL)");
      statement.execute(
          "INSERT INTO item SELECT n, 'Hello, World!' FROM generate_series(0, %d) n"
              .formatted(ITEMS - 1));
      statement.execute("ANALYZE item");
    }
  }

  private Connection connect(Process server)
      throws IOException, SQLException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return DriverManager.getConnection(url());
      } catch (SQLException notReady) {
        if (!server.isAlive() || System.nanoTime() > end) {
          throw new IOException("PostgreSQL doesn't start; see " + log(), notReady);
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  private Process run(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--regid=nogroup", "--clear-groups"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    return processes.start(
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log())));
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  private File log() {
    return folder.resolve("postgres.log").toFile();
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static @Nullable Path programs() {
    Stream<Path> onPath =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .map(Path::of);
    return Stream.concat(onPath, debians())
        .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
        .filter(folder -> Files.isExecutable(folder.resolve("postgres")))
        .findFirst()
        .orElse(null);
  }

  private static Stream<Path> debians() {
    File[] versions = DEBIAN.toFile().listFiles();
    return versions == null
        ? Stream.of()
        : Stream.of(versions).map(version -> version.toPath().resolve("bin"));
  }

  /** Ends it at once, without saving anything, and waits for its processes. */
  @Override
  public void close() throws IOException {
    try (processes) {
      run("pg_ctl", "stop", "-D", data(), "-m", "immediate").waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
