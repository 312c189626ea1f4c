package dev.peregrine.testing;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A server of another project on loopback, with a configuration for one test. */
public final class Daemon implements AutoCloseable {
  private static final long END_SECONDS = 10;

  private final Process process;
  private final Path out;
  private final InetSocketAddress address;

  private Daemon(Process process, Path out, int port) {
    this.process = process;
    this.out = out;
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  public InetSocketAddress address() {
    return address;
  }

  /** Returns the messages of the server so far. */
  public String output() {
    return read(out);
  }

  /**
   * Starts nginx and waits until it listens. Skips the test if it isn't installed.
   *
   * @param dir for its files, emptied by the caller
   * @param http returns the content of the {@code http} block for a port
   */
  public static Daemon nginx(Path dir, IntFunction<String> http) throws IOException {
    int port = FreePort.ofLoopback();
    String config =
        """
        daemon off;
        master_process off;
        pid %1$s/nginx.pid;
        error_log %1$s/error.log;
        events { worker_connections 200; }
        http {
          access_log off;
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
        %2$s
        }
        """
            .formatted(dir, http.apply(port));
    Path file = Files.writeString(dir.resolve("nginx.conf"), config);
    return start(
        "nginx", dir, port, List.of("-p", "" + dir, "-c", "" + file, "-e", dir + "/error.log"));
  }

  /**
   * Starts nginx as a proxy of connections, and waits until it listens. Skips the test if it isn't
   * installed.
   *
   * @param stream returns the content of the {@code stream} block for a port
   */
  public static Daemon nginxStream(Path dir, IntFunction<String> stream) throws IOException {
    Path module = Path.of("/usr/lib/nginx/modules/ngx_stream_module.so");
    if (!Files.exists(module)) {
      abort("nginx can't proxy connections: apt-get install libnginx-mod-stream");
    }
    int port = FreePort.ofLoopback();
    String config =
        """
        daemon off;
        master_process off;
        pid %1$s/nginx.pid;
        load_module %2$s;
        events { worker_connections 200; }
        stream {
        %3$s
        }
        """
            .formatted(dir, module, stream.apply(port));
    Path file = Files.writeString(dir.resolve("nginx.conf"), config);
    return start(
        "nginx", dir, port, List.of("-p", "" + dir, "-c", "" + file, "-e", dir + "/error.log"));
  }

  /**
   * Starts HAProxy and waits until it listens. Skips the test if it isn't installed.
   *
   * @param config the configuration, for a port
   */
  public static Daemon haproxy(Path dir, IntFunction<String> config) throws IOException {
    int port = FreePort.ofLoopback();
    Path file = Files.writeString(dir.resolve("haproxy.conf"), config.apply(port));
    return start("haproxy", dir, port, List.of("-db", "-f", "" + file));
  }

  /**
   * Starts HAProxy in front of one server; see {@link #haproxy(Path, IntFunction)}.
   *
   * @param mode {@code http} or {@code tcp}
   * @param bind options of the address that it listens on
   * @param rules further lines, with the server's
   */
  public static Daemon haproxy(Path dir, String mode, String bind, String rules)
      throws IOException {
    return haproxy(
        dir,
        port ->
            """
            defaults
              mode %s
              timeout connect 5s
              timeout check 30s
              timeout client 30s
              timeout server 30s
            listen front
              bind 127.0.0.1:%d %s
            %s
            """
                .formatted(mode, port, bind, rules));
  }

  private static Daemon start(String name, Path dir, int port, List<String> arguments)
      throws IOException {
    Path out = dir.resolve(name + ".out");
    List<String> command = new ArrayList<>(List.of(program(name).toString()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    Daemon daemon = new Daemon(process, out, port);
    boolean listens = false;
    try {
      Await.until(
          name + " listens",
          () -> {
            if (!process.isAlive()) {
              throw new AssertionError(name + " has ended: " + read(out));
            }
            return daemon.listens();
          });
      listens = true;
    } finally {
      if (!listens) {
        daemon.close();
      }
    }
    return daemon;
  }

  private static Path program(String name) {
    for (String folder : List.of("/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin")) {
      Path program = Path.of(folder, name);
      if (Files.isExecutable(program)) {
        return program;
      }
    }
    return abort(name + " is not installed: apt-get install " + name); // shows the reason
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(address);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  @Override
  public void close() {
    process.destroy();
    Processes.awaitEnd(process, END_SECONDS);
  }
}
