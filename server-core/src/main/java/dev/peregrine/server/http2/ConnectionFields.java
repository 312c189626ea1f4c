package dev.peregrine.server.http2;

import java.nio.charset.StandardCharsets;

/** The fields of a connection, which HTTP/2 doesn't have (RFC 9113 section 8.2.2). */
final class ConnectionFields {
  private static final byte[][] NAMES = {
    name("connection"),
    name("transfer-encoding"),
    name("keep-alive"),
    name("upgrade"),
    name("proxy-connection"),
    name("te")
  };
  private static final int CASE_BIT = 0x20;

  private ConnectionFields() {}

  private static byte[] name(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns true if a token in any case is the name of such a field. */
  static boolean isOne(byte[] bytes, int from, int to) {
    for (byte[] name : NAMES) {
      if (name.length == to - from && isEqual(name, bytes, from)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEqual(byte[] name, byte[] bytes, int from) {
    for (int i = 0; i < name.length; i++) {
      if ((bytes[from + i] | CASE_BIT) != (name[i] | CASE_BIT)) {
        return false;
      }
    }
    return true;
  }
}
