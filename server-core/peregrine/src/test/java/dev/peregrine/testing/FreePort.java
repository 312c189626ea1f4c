package dev.peregrine.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for programs that must be told theirs before they listen. */
public final class FreePort {
  private static final int FIRST = 20_000;

  /**
   * From here on systems give ports to whoever asks for any, which servers and clients of the tests
   * beside this one do all the time.
   */
  private static final int END = 32_768;

  private static final int ATTEMPTS_MAX = 100;

  private FreePort() {}

  /** Returns a port of an address, which is still free when a slow program listens on it. */
  public static int of(InetAddress address) throws IOException {
    for (int attempt = 1; ; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (ServerSocket _ = new ServerSocket(port, 1, address)) {
        return port;
      } catch (BindException taken) {
        if (attempt == ATTEMPTS_MAX) {
          throw taken;
        }
      }
    }
  }

  /** Returns a port of loopback; see {@link #of}. */
  public static int ofLoopback() throws IOException {
    return of(InetAddress.getLoopbackAddress());
  }
}
