package dev.peregrine.testing;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A program that serves one request, by the exported packages and java.base alone. It ends when the
 * server has done all that belongs to its start.
 */
public final class FlightProgram {
  private FlightProgram() {}

  /**
   * Prints the response.
   *
   * @param args the transport
   */
  public static void main(String... args) throws IOException {
    try (HttpServer server =
            Peregrine.builder()
                .port(0)
                .loops(1) // the classes of a lambda that two loops link at a time are loaded twice
                .transport(TransportKind.valueOf(args[0]))
                .handler((request, response) -> response.text("served"))
                .start();
        Socket client = new Socket(server.address().getAddress(), server.port())) {
      String request = "GET /secret HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n";
      client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = client.getInputStream();
      System.out.println(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
      awaitEnd(server.name() + "-start");
    }
  }

  /** Waits until the thread that does the rest of the start has ended. */
  private static void awaitEnd(String name) {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      while (thread.getName().equals(name) && thread.isAlive()) {
        Thread.onSpinWait();
      }
    }
  }
}
