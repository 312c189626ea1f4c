package dev.peregrine.server.attack;

import dev.peregrine.testing.Daemon;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reverse proxies of other projects, on loopback. They mark every request that they pass on, with a
 * field that no client can guess.
 */
final class Proxy {
  private Proxy() {}

  static Daemon start(String name, Path dir, int serverPort) throws IOException {
    return name.equals("nginx")
        ? Daemon.nginx(dir, port -> nginx(port, serverPort))
        : Daemon.haproxy(dir, port -> haproxy(port, serverPort));
  }

  /**
   * Returns a configuration that passes on as much as possible of each request, over connections
   * that all clients share.
   */
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

  private static String nginx(int port, int serverPort) {
    return """
      ignore_invalid_headers off;
      underscores_in_headers on;
      upstream peregrine {
        server 127.0.0.1:%2$d;
        keepalive 4;
      }
      server {
        listen 127.0.0.1:%1$d;
        location / {
          proxy_pass http://peregrine;
          proxy_http_version 1.1;
          proxy_request_buffering off;
          proxy_set_header Connection "";
          proxy_set_header X-Vouched $request_id;
        }
      }
    """
        .formatted(port, serverPort);
  }
}
