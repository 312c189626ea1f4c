package dev.peregrine.bench.blocking;

import dev.peregrine.bench.compare.process.ChildProcesses;
import dev.peregrine.bench.compare.server.ServerMain;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL that listens on loopback only, with its data in a folder of its own. Otherwise it
 * has its default configuration. It runs as the present user, or as nobody instead of root, whom
 * PostgreSQL rejects.
 */
final class LocalPostgres implements AutoCloseable {
  /** The number of rows of the table {@code item}. */
  static final int ITEMS = 1000;

  private static final int CONNECTIONS_MAX = 400; // those of the pools of all servers
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final String USER = "bench";
  private static final String UNPRIVILEGED = "nobody";
  private static final String READY = "database system is ready to accept connections";
  private static final long PATIENCE_SECONDS = 120;
  private static final int ATTEMPTS_MAX = 100;

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
    ProcessBuilder server =
        command(
            "postgres",
            "-D",
            data(),
            "-p",
            Integer.toString(port),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
            "-c",
            "max_connections=" + CONNECTIONS_MAX);
    awaitReady(processes.start(server));
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE item (id int PRIMARY KEY, text text NOT NULL)");
      statement.execute(
          "INSERT INTO item SELECT n, 'Hello, World!' FROM generate_series(0, %d) n"
              .formatted(ITEMS - 1));
      statement.execute("ANALYZE item");
    }
  }

  private void awaitReady(Process server) throws IOException, InterruptedException {
    CompletableFuture<String> ready = new CompletableFuture<>();
    Thread reader = Thread.ofPlatform().daemon().unstarted(() -> keepLog(server, ready));
    reader.start();
    try {
      String ignored = ready.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException failure) {
      throw new IOException("PostgreSQL doesn't start; see " + log(), failure);
    }
  }

  /** Appends the output of the server to the log until it ends. */
  private void keepLog(Process server, CompletableFuture<String> ready) {
    try (BufferedReader lines = server.inputReader();
        PrintWriter log =
            new PrintWriter(new FileWriter(log(), StandardCharsets.UTF_8, true), true)) {
      String line = lines.readLine();
      while (line != null) {
        log.println(line);
        if (line.contains(READY)) {
          ready.complete(line);
        }
        line = lines.readLine();
      }
      throw new IOException("the server has ended");
    } catch (IOException failure) {
      ready.completeExceptionally(failure);
    }
  }

  private Process run(String program, String... arguments) throws IOException {
    return processes.start(command(program, arguments).redirectOutput(Redirect.appendTo(log())));
  }

  private ProcessBuilder command(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--regid=nogroup", "--clear-groups"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C"); // for the text that READY is
    return builder;
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

  /** Returns a port below those that systems give to whoever asks for any. */
  private static int freePort() throws IOException {
    for (int attempt = 1; ; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_768);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException taken) {
        if (attempt == ATTEMPTS_MAX) {
          throw taken;
        }
      }
    }
  }

  private static @Nullable Path programs() {
    if (ChildProcesses.isInstalled("initdb") && ChildProcesses.isInstalled("postgres")) {
      return Path.of(""); // the system finds them
    }
    return debians()
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
