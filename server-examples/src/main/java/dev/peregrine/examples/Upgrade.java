package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;

/**
 * Leaves HTTP for another protocol: one that sends every byte back. Try {@code curl -iN -H
 * 'Connection: Upgrade' -H 'Upgrade: echo' http://127.0.0.1:8080/}.
 */
public final class Upgrade {
  private static final String PROTOCOL = "echo";

  private Upgrade() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).handler(Upgrade::handle).start();
  }

  private static void handle(Request request, Response response) {
    if (request.isUpgrade() && PROTOCOL.equalsIgnoreCase(request.header("Upgrade"))) {
      response.upgrade(PROTOCOL, new Mirror());
    } else {
      response.status(HttpStatus.UPGRADE_REQUIRED).header("Upgrade", PROTOCOL);
      response.text("This server speaks the protocol " + PROTOCOL + ".\n");
    }
  }

  private static final class Mirror implements RawListener {
    @Override
    public void onData(RawConnection connection, Bytes data) {
      connection.write(data);
      if (!connection.isWritable()) {
        connection.pause();
        connection.onWritable(connection::resume);
      }
    }

    @Override
    public void onEnd(RawConnection connection) {
      connection.end();
    }
  }

  public static void main(String[] args) {
    start(8080);
  }
}
