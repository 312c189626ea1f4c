package dev.peregrine.testing.http2;

import java.util.HashMap;
import java.util.Map;

/**
 * A model of the flow-control windows in both directions, of the connection (stream 0) and of each
 * stream (RFC 9113, section 6.9). Whatever the server does against it fails the test.
 */
public final class Http2Windows {
  public static final int DEFAULT = 65_535;
  private static final long MAX = Integer.MAX_VALUE;

  private final Map<Integer, Long> toServer = new HashMap<>();
  private final Map<Integer, Long> fromServer = new HashMap<>();
  private long serversInitial = DEFAULT;
  private long ownInitial = DEFAULT;
  private long ownDeclared = DEFAULT; // not acknowledged until ownInitial is the same

  Http2Windows() {
    toServer.put(0, (long) DEFAULT);
    fromServer.put(0, (long) DEFAULT);
  }

  /** Notes a stream of the client. */
  synchronized void open(int stream) {
    toServer.put(stream, serversInitial);
    fromServer.put(stream, ownInitial);
  }

  // ---- what the client may send ----

  /** Returns the bytes that may be sent on a stream; 0 or less for none. */
  public synchronized long sendable(int stream) {
    return Math.min(window(toServer, 0), window(toServer, stream));
  }

  /** Returns the window for bytes to the server; stream 0 is the connection. */
  public synchronized long toServer(int stream) {
    return window(toServer, stream);
  }

  /** Notes bytes to the server, which a test may send against the windows. */
  synchronized void sent(int stream, int bytes) {
    toServer.merge(0, (long) -bytes, Long::sum);
    toServer.merge(stream, (long) -bytes, Long::sum);
  }

  synchronized void grantedByServer(int stream, int increment) {
    require(increment > 0, "WINDOW_UPDATE of " + increment + " on stream " + stream);
    if (toServer.containsKey(stream)) {
      long window = toServer.merge(stream, (long) increment, Long::sum);
      require(window <= MAX, "the window of stream " + stream + " overflows: " + window);
    }
  }

  /** Follows the settings of the server. */
  void onSettings(Http2Frame settings) {
    for (int i = 0; i < settings.payload().length / 6; i++) {
      if (settings.settingId(i) == Http2Frame.INITIAL_WINDOW_SIZE) {
        serversInitial(settings.settingValue(i));
      }
    }
  }

  private synchronized void serversInitial(int bytes) {
    require(bytes >= 0, "SETTINGS_INITIAL_WINDOW_SIZE of " + (bytes & 0xFFFFFFFFL));
    long change = bytes - serversInitial;
    serversInitial = bytes;
    toServer.replaceAll((stream, window) -> stream == 0 ? window : window + change);
  }

  // ---- what the server may send ----

  /** Returns the window for bytes of the server; stream 0 is the connection. */
  public synchronized long fromServer(int stream) {
    return window(fromServer, stream);
  }

  /** Notes bytes of a DATA frame, with its padding. */
  synchronized void received(int stream, int bytes) {
    long connection = fromServer.merge(0, (long) -bytes, Long::sum);
    require(connection >= 0, "DATA beyond the connection's window: " + connection);
    long window = fromServer.merge(stream, (long) -bytes, Long::sum);
    long notYet = Math.max(0, ownDeclared - ownInitial);
    require(window + notYet >= 0, "DATA beyond the window of stream " + stream + ": " + window);
  }

  synchronized void granted(int stream, int increment) {
    fromServer.computeIfPresent(stream, (number, window) -> window + increment);
  }

  synchronized void declareInitial(int bytes) {
    ownDeclared = bytes;
  }

  synchronized void acknowledged() {
    long change = ownDeclared - ownInitial;
    ownInitial = ownDeclared;
    fromServer.replaceAll((stream, window) -> stream == 0 ? window : window + change);
  }

  private static long window(Map<Integer, Long> windows, int stream) {
    Long window = windows.get(stream);
    if (window == null) {
      throw new AssertionError("stream " + stream + " was never opened");
    }
    return window;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
