package dev.peregrine.jdk.httpserver.users;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.SocketFactory;

/** Says which server is under a program: each test fails on another one than Peregrine. */
final class Provider {
  private static final int MILLIS_MAX = 120_000;

  private Provider() {}

  /** Fails unless a server that is created in this JVM is Peregrine. */
  static void requirePeregrine() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try {
      assertThat(server.getClass().getPackageName()).isEqualTo("dev.peregrine.jdk.httpserver");
    } finally {
      server.stop(0);
    }
  }

  /** Fails unless the server that listens on a port is Peregrine. */
  static void requirePeregrine(int port) throws IOException {
    requirePeregrine(port, SocketFactory.getDefault());
  }

  /** Sends a request without the Host that RFC 9112 demands: the JDK's server answers it. */
  static void requirePeregrine(int port, SocketFactory sockets) throws IOException {
    try (Socket socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(MILLIS_MAX);
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 400");
    }
  }
}
