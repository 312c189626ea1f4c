package dev.peregrine.testing;

import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.TcpSource;
import dev.peregrine.server.start.Bootstrap;
import dev.peregrine.server.start.RunningServer;
import dev.peregrine.server.start.ServerSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;

/** A request to a server without optional parts. */
public final class BareServer implements Callable<String> {
  /** Starts the server, sends the request, closes the server, and returns the response. */
  @Override
  public String call() throws IOException {
    ServerSettings.Builder settings = new ServerSettings.Builder();
    settings.handler = (request, response) -> response.text("bare");
    settings.endpoints = List.of(new TcpSource("127.0.0.1", 0, false, EndpointOptions.DEFAULT));
    settings.loops = 1;
    Bootstrap bound = Bootstrap.bind(settings.build());
    InetSocketAddress address = (InetSocketAddress) bound.addresses().getFirst();
    RunningServer server = RunningServer.start(bound, null);
    server.complete();
    try (Socket client = new Socket(address.getAddress(), address.getPort())) {
      client
          .getOutputStream()
          .write(Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
      return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } finally {
      server.close();
    }
  }
}
