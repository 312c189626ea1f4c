package dev.peregrine.testing;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;

/** Sends the bytes of a connection after HTTP back, and ends it when the client does. */
public class RawEcho implements RawListener {
  @Override
  public void onData(RawConnection connection, Bytes data) {
    connection.write(data);
  }

  @Override
  public void onEnd(RawConnection connection) {
    connection.end();
  }
}
