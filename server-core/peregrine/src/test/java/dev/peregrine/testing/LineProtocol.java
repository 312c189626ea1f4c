package dev.peregrine.testing;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import java.lang.foreign.ValueLayout;

/** A protocol that isn't HTTP: sends each line back, in upper case. */
public final class LineProtocol implements Protocol {
  private boolean draining;

  @Override
  public void onInput(Connection connection, InboundBuffer in) {
    StringBuilder line = new StringBuilder();
    for (int i = in.from(); i < in.to(); i++) {
      char c = (char) (in.segment().get(ValueLayout.JAVA_BYTE, i) & 0xFF);
      line.append(Character.toUpperCase(c));
      if (c == '\n') {
        in.consumeTo(i + 1);
        send(connection, line.toString());
        line.setLength(0);
        if (draining) {
          connection.closeAfterFlush(CloseReason.SHUTDOWN);
          return;
        }
      }
    }
  }

  private static void send(Connection connection, String text) {
    byte[] bytes = Requests.bytes(text);
    connection.out().append(bytes, 0, bytes.length);
  }

  @Override
  public void onOverload(Connection connection, int connectionsMax) {
    send(connection, "FULL\n");
    connection.closeAfterFlush(CloseReason.OVERLOADED);
  }

  @Override
  public void onDrain(long idleNanos) {
    draining = true;
  }

  @Override
  public void onShutdown(Connection connection) {
    connection.execute(
        () -> {
          if (connection.isOpen()) {
            send(connection, "BYE\n");
            connection.closeAfterFlush(CloseReason.SHUTDOWN);
          }
        });
  }
}
