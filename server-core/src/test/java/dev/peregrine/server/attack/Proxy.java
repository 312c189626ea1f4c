package dev.peregrine.server.attack;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A reverse proxy of another maker's on loopback, with a configuration made for one test. It marks
 * every request that it passes on, with a field that no client can guess.
 */
final class Proxy implements AutoCloseable {
  private static final long END_SECONDS = 10;

  private final Process process;
  private final InetSocketAddress address;

  private Proxy(Process process, int port) {
    this.process = process;
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  InetSocketAddress address() {
    return address;
  }

  static Proxy start(String name, Path dir, int serverPort) throws IOException {
    Path program = program(name);
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path config = dir.resolve(name + ".conf");
    boolean nginx = name.equals("nginx");
    Files.writeString(config, nginx ? nginx(dir, port, serverPort) : haproxy(port, serverPort));
    List<String> command =
        nginx
            ? List.of("" + program, "-p", "" + dir, "-c", "" + config, "-e", dir + "/error.log")
            : List.of("" + program, "-db", "-f", "" + config);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve(name + ".out").toFile())
            .start();
    Proxy proxy = new Proxy(process, port);
    Await.until(
        name + " listens",
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError(name + " has ended: " + read(dir.resolve(name + ".out")));
          }
          return proxy.listens();
        });
    return proxy;
  }

  private static Path program(String name) {
    for (String folder : List.of("/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin")) {
      Path program = Path.of(folder, name);
      if (Files.isExecutable(program)) {
        return program;
      }
    }
    assumeTrue(false, name + " is not installed: apt-get install " + name);
    throw new AssertionError();
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

  /** Passes on as much as it can of what it was sent, over connections that all clients share. */
  private static String haproxy(int port, int serverPort) {
    return """
    global
      maxconn 200
    defaults
      mode http
      timeout connect 5s
      timeout client 10s
      timeout server 10s
      option accept-invalid-http-request
      http-reuse always
      unique-id-format %%{+X}o%%pid-%%rt-%%Ts
    listen front
      bind 127.0.0.1:%d
      http-request set-header X-Vouched %%[unique-id]
      server peregrine 127.0.0.1:%d
    """
        .formatted(port, serverPort);
  }

  private static String nginx(Path dir, int port, int serverPort) {
    return """
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
      ignore_invalid_headers off;
      underscores_in_headers on;
      upstream peregrine {
        server 127.0.0.1:%3$d;
        keepalive 4;
      }
      server {
        listen 127.0.0.1:%2$d;
        location / {
          proxy_pass http://peregrine;
          proxy_http_version 1.1;
          proxy_request_buffering off;
          proxy_set_header Connection "";
          proxy_set_header X-Vouched $request_id;
        }
      }
    }
    """
        .formatted(dir, port, serverPort);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
