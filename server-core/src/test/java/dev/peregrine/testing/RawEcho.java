package dev.peregrine.testing;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;

/** Sends back what comes on a connection after HTTP, and ends it when the client does. */
public final class RawEcho implements RawListener {
  @Override
  public void onData(RawConnection connection, Bytes data) {
    connection.write(data);
  }

  @Override
  public void onEnd(RawConnection connection) {
    connection.end();
  }
}
