package dev.peregrine.server.exchange.text;

import dev.peregrine.base.Latin1;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.TargetForm;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.tls.TlsInfo;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The check of the host that a request names against its connection, which serves only some hosts
 * if they differ in their requirements on clients.
 */
public final class TargetHost {
  private TargetHost() {}

  /**
   * Returns why a request must be rejected for its host (RFC 9110 section 7.4), or null. A target
   * with an authority overrides Host, but an application may read the field itself, so both are
   * checked.
   *
   * @param from where the head starts
   * @param head a complete head
   */
  public static @Nullable Rejection check(
      MemorySegment bytes, int from, RequestHead head, Connection connection) {
    TlsInfo tls = connection.facts().tls();
    String own = tls == null ? null : tls.serverName();
    int start = from + head.hostStart();
    int end = from + head.hostEnd();
    boolean served = isOwn(bytes, start, end, own) || serves(connection, bytes, start, end);
    if (served && head.targetForm() != TargetForm.ORIGIN) {
      head.index(bytes, from);
      int host = head.indexOf(KnownHeader.HOST);
      served =
          host < 0
              || serves(
                  connection, bytes, from + head.valueStart(host), from + head.valueEnd(host));
    }
    return served ? null : Rejection.HOST_MISDIRECTED;
  }

  /** Returns true for the name that the connection is for; the usual case, without an object. */
  private static boolean isOwn(MemorySegment bytes, int start, int end, @Nullable String own) {
    if (own == null || end - start < own.length()) {
      return false;
    }
    int nameEnd = start + own.length();
    return Latin1.equalsIgnoreCase(bytes, start, nameEnd, own)
        && (nameEnd == end || bytes.get(ValueLayout.JAVA_BYTE, nameEnd) == ':');
  }

  private static boolean serves(Connection connection, MemorySegment bytes, int start, int end) {
    String authority = Latin1.string(bytes, start, end);
    // A server that decodes such a name could find one that this comparison doesn't.
    return authority.indexOf('%') < 0 && connection.facts().servesHost(name(authority));
  }

  /**
   * Returns the host name of an authority in lower case, without port and final dots. Returns null
   * if there is none or an address, because a client that connects to an address requests no name.
   */
  static @Nullable String name(String authority) {
    int colon = authority.indexOf(':');
    int end = colon < 0 ? authority.length() : colon;
    while (end > 0 && authority.charAt(end - 1) == '.') {
      end--;
    }
    if (end == 0 || authority.charAt(0) == '[' || isAddress(authority, end)) {
      return null;
    }
    return authority.substring(0, end).toLowerCase(Locale.ROOT);
  }

  /** Returns true if the last label has only digits, as that of an IPv4 address, and of no name. */
  private static boolean isAddress(String authority, int end) {
    int i = end - 1;
    while (i >= 0 && authority.charAt(i) >= '0' && authority.charAt(i) <= '9') {
      i--;
    }
    return i < end - 1 && (i < 0 || authority.charAt(i) == '.');
  }
}
