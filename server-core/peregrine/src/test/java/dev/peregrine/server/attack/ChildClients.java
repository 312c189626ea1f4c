package dev.peregrine.server.attack;

import dev.peregrine.testing.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Sends half a request on many connections, and holds them until its standard input ends. */
final class ChildClients {
  private ChildClients() {}

  public static void main(String[] args) throws IOException {
    InetSocketAddress server =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    int count = Integer.parseInt(args[1]);
    List<RawClient> held = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      held.add(RawClient.connect(server).send("GET / HTTP/1.1\r\nHost: a\r\nX: half"));
    }
    System.out.println(held.size());
    while (System.in.read() >= 0) {
      // Until the parent closes it.
    }
  }
}
