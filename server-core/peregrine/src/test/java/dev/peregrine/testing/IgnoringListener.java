package dev.peregrine.testing;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;

/** Ignores the bytes of a connection after HTTP, and their end. Tests override what they need. */
public class IgnoringListener implements RawListener {
  @Override
  public void onData(RawConnection connection, Bytes data) {}

  @Override
  public void onEnd(RawConnection connection) {}
}
