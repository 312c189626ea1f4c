package dev.peregrine.server;

import dev.peregrine.Peregrine;
import dev.peregrine.server.handover.InheritedSockets;
import dev.peregrine.testing.Servers;
import java.io.IOException;

/** A server on inherited sockets in a JVM of its own. Prints its addresses; ends with its input. */
public final class ActivatedProgram {
  private ActivatedProgram() {}

  /**
   * Starts the server.
   *
   * @param args its endpoints: {@code fd:NUMBER}, the name of a socket, or {@code all}
   */
  public static void main(String... args) throws IOException {
    HttpServerBuilder builder =
        Peregrine.builder()
            .loops(2)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .handler((request, response) -> response.text("activated"));
    for (String endpoint : args) {
      builder.endpoint(
          endpoint.startsWith("fd:")
              ? Endpoint.of(InheritedSockets.descriptor(Integer.parseInt(endpoint.substring(3))))
              : endpoint.equals("all")
                  ? Endpoint.of(InheritedSockets.activated())
                  : Endpoint.of(InheritedSockets.activated(endpoint)));
    }
    try (HttpServer server = builder.start()) {
      System.out.println(server.addresses());
      int ignored = System.in.read();
    }
  }
}
