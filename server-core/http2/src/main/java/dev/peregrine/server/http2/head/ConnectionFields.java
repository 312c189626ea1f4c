package dev.peregrine.server.http2.head;

/** The fields of a connection, which HTTP/2 doesn't have (RFC 9113 section 8.2.2). */
public final class ConnectionFields {
  private static final String[] NAMES = {
    "connection", "transfer-encoding", "keep-alive", "upgrade", "proxy-connection", "te"
  };
  private static final int CASE_BIT = 0x20;

  private ConnectionFields() {}

  /** Returns true if a name in any case is the name of such a field. */
  public static boolean isOne(String text) {
    for (String name : NAMES) {
      if (name.equalsIgnoreCase(text)) {
        return true;
      }
    }
    return false;
  }

  /** Like {@link #isOne(String)}, for a token. */
  public static boolean isOne(byte[] bytes, int from, int to) {
    for (String name : NAMES) {
      if (name.length() == to - from && isEqual(name, bytes, from)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEqual(String name, byte[] bytes, int from) {
    for (int i = 0; i < name.length(); i++) {
      if ((bytes[from + i] | CASE_BIT) != (name.charAt(i) | CASE_BIT)) {
        return false;
      }
    }
    return true;
  }
}
