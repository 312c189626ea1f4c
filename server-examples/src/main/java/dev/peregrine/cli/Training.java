package dev.peregrine.cli;

import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.epoll.Epoll;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A short run that shows the VM which classes and code to keep in an AOT cache or a class data
 * archive: requests of each kind that the commands answer.
 */
final class Training {
  private static final int WAITS_MAX = 4000; // of a few milliseconds each

  // Requests, enough for the VM to profile the code of each kind. Arbitrary.
  private static final int CONNECTIONS_PER_REQUEST = 100;

  private static final String HOST = "Host: localhost\r\n";
  private static final String[] REQUESTS = {
    "GET /plaintext HTTP/1.1\r\n" + HOST + "Accept: */*\r\n\r\n",
    "GET /json HTTP/1.1\r\n" + HOST + "Accept: application/json\r\n\r\n",
    "POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 7\r\n\r\ncontent",
    "GET / HTTP/1.1\r\n" + HOST + "Accept-Encoding: gzip\r\n\r\n",
    "GET /index.html HTTP/1.1\r\n" + HOST + "Range: bytes=0-9\r\n\r\n",
  };

  private Training() {}

  /**
   * Sends the requests, waits for the responses, and closes the server.
   *
   * @param moves whether the server may begin on another transport than the one that it keeps: then
   *     there are requests on both
   * @throws UncheckedIOException if a response doesn't arrive
   */
  static void run(HttpServer server, boolean moves) {
    try (server) {
      for (String request : REQUESTS) {
        String last = request.replace(HOST, HOST + "Connection: close\r\n");
        byte[] both = (request + last).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < CONNECTIONS_PER_REQUEST; i++) {
          ask(server, both);
        }
        if (moves) {
          awaitMove(server);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("training failed: " + failure.getMessage(), failure);
    }
  }

  private static void awaitMove(HttpServer server) {
    boolean isDue = Epoll.knownProblem() == null;
    for (int i = 0; i < WAITS_MAX && isDue && server.transport() == TransportKind.NIO; i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private static void ask(HttpServer server, byte[] requests) throws IOException {
    try (Socket socket = new Socket(server.address().getAddress(), server.port())) {
      socket.getOutputStream().write(requests);
      if (socket.getInputStream().readAllBytes().length == 0) {
        throw new IOException("no answer");
      }
    }
  }
}
