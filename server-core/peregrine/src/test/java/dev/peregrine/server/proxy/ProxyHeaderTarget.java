package dev.peregrine.server.proxy;

import static dev.peregrine.testing.ProxyHeaders.addresses;
import static dev.peregrine.testing.ProxyHeaders.block;
import static dev.peregrine.testing.ProxyHeaders.line;
import static dev.peregrine.testing.ProxyHeaders.value;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.peregrine.testing.ProxyHeaders;
import dev.peregrine.testing.Requests;
import java.net.InetAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Checks that the reader of headers finds the same addresses, values and end as a plain decoder of
 * all bytes, at every division into two pieces, and byte by byte.
 */
public final class ProxyHeaderTarget {
  private static final int LIMIT = 600;
  private static final int LINE_MAX = 107;
  private static final byte[] SIGNATURE = Arrays.copyOf(block(), 12);
  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  private static final String IPV4 = OCTET + "(?:\\." + OCTET + "){3}";
  private static final String PORT = "(?:0|[1-9][0-9]{0,4})";
  private static final Pattern LINE =
      Pattern.compile(
          "PROXY (?:UNKNOWN(?: .*)?|TCP4 (%1$s) (%1$s) (%2$s) (%2$s)|TCP6 ([^ ]*) ([^ ]*) (%2$s) (%2$s))"
              .formatted(IPV4, PORT));

  private ProxyHeaderTarget() {}

  /** Returns headers of every kind, with a request after them. */
  public static List<byte[]> seeds() {
    byte[] request = Requests.get("/");
    return List.of(
            line(),
            line("PROXY TCP6 2001:db8::7 ::1 4711 443"),
            line("PROXY TCP6 1:2:3:4:5:6:7:8 ::ffff:1.2.3.4 0 65535"),
            line("PROXY UNKNOWN ffff::1 x"),
            block(),
            block(0x21, 0x21, addresses("2001:db8::7", "::1")),
            block(0x21, 0x12, addresses("1.2.3.4", "5.6.7.8")),
            block(0x21, 0x31, ProxyHeaders.paths("/run/a", "/run/b")),
            block(0x20, 0, new byte[0]),
            block(0x21, 0, new byte[12]),
            block(value(2, "a.example"), value(5, "id"), value(1, "h2"), value(0x30, "ns")),
            block(ProxyHeaders.tls(7, 0, value(0x21, "TLSv1.3"), value(0x22, "cn"))),
            ProxyHeaders.seal(block(value(2, "a.example"), ProxyHeaders.emptyChecksum())),
            ProxyHeaders.seal(block(ProxyHeaders.emptyChecksum())))
        .stream()
        .map(header -> Requests.join(header, request))
        .toList();
  }

  /** Checks one input. */
  public static void run(byte[] data) {
    String expected = decodePlainly(data);
    for (int cut = 0; cut <= Math.min(data.length, LIMIT); cut++) {
      compare(expected, read(data, 0, cut, data.length), data);
    }
    int[] all = new int[data.length + 1];
    Arrays.setAll(all, i -> i);
    compare(expected, read(data, all), data);
  }

  private static void compare(String expected, String actual, byte[] data) {
    if (!actual.equals(expected)) {
      throw new AssertionError(
          actual + ", not " + expected + ": " + HexFormat.of().formatHex(data));
    }
  }

  private static String read(byte[] data, int... bounds) {
    HeaderReader reader = new HeaderReader(LIMIT);
    try {
      for (int i = 1; i < bounds.length; i++) {
        ByteBuffer piece = ByteBuffer.wrap(data, bounds[i - 1], bounds[i] - bounds[i - 1]);
        ProxyHeader header = reader.read(piece);
        if (header != null) {
          return show(
              piece.position(),
              String.valueOf(header.remote()),
              String.valueOf(header.local()),
              header.info().isLocal(),
              shownValue(header, 1)
                  + shownValue(header, 2)
                  + shownValue(header, 5)
                  + shownValue(header, 0x20));
        }
      }
      return "incomplete";
    } catch (ProxyHeaderException invalid) {
      return "invalid";
    }
  }

  private static String shownValue(ProxyHeader header, int type) {
    byte[] value = header.info().value(type);
    return value == null ? "-" : HexFormat.of().formatHex(value) + ";";
  }

  private static String show(int end, String remote, String local, boolean isLocal, String values) {
    return end + " " + remote + " " + local + " " + isLocal + " " + values;
  }

  // ---- the plain decoder ----

  private static String decodePlainly(byte[] data) {
    String text = new String(data, ISO_8859_1);
    String begin = text.startsWith("P") ? "PROXY " : new String(SIGNATURE, ISO_8859_1);
    if (data.length < begin.length()) {
      return begin.startsWith(text) ? "incomplete" : "invalid";
    }
    if (!text.startsWith(begin)) {
      return "invalid";
    }
    return text.startsWith("P") ? decodeLine(text) : decodeBlock(ByteBuffer.wrap(data));
  }

  private static String decodeLine(String text) {
    Matcher end = Pattern.compile("[\r\n]").matcher(text);
    if (!end.find() || end.end() == text.length()) {
      boolean open = !text.endsWith("\n") && text.length() < LINE_MAX;
      return open ? "incomplete" : "invalid";
    }
    if (!text.startsWith("\r\n", end.start()) || end.start() + 2 > LINE_MAX) {
      return "invalid";
    }
    Matcher line = LINE.matcher(text.substring(0, end.start()));
    if (!line.matches()) {
      return "invalid";
    }
    int group = line.group(1) != null ? 1 : 5;
    String remote = "null";
    String local = "null";
    if (line.group(group) != null) {
      remote = address(line.group(group), line.group(group + 2), group == 5);
      local = address(line.group(group + 1), line.group(group + 3), group == 5);
    }
    boolean valid = !remote.isEmpty() && !local.isEmpty();
    return valid ? show(end.start() + 2, remote, local, false, "----") : "invalid";
  }

  private static String address(String host, String port, boolean isIpv6) {
    boolean isShaped = !isIpv6 || (host.matches("[0-9a-fA-F:.]+") && host.contains(":"));
    if (!isShaped || Integer.parseInt(port) > 0xFFFF) {
      return "";
    }
    Matcher tail = Pattern.compile("(.*:)([^:]*\\..*)").matcher(host);
    if (tail.matches() && !tail.group(2).matches(IPV4)) {
      return "";
    }
    try {
      return shown(InetAddress.ofLiteral(host)) + ":" + port;
    } catch (IllegalArgumentException invalid) {
      return "";
    }
  }

  /** Shows an address as an {@code InetSocketAddress} does, which has brackets for IPv6. */
  private static String shown(InetAddress address) {
    boolean isIpv6 = address.getAddress().length == 16;
    return isIpv6 ? "/[" + address.getHostAddress() + "]" : "/" + address.getHostAddress();
  }

  private static String decodeBlock(ByteBuffer data) {
    if (data.limit() < 16) {
      return "incomplete";
    }
    int command = data.get(12);
    int end = 16 + (data.getShort(14) & 0xFFFF);
    if ((command != 0x20 && command != 0x21) || end > LIMIT) {
      return "invalid";
    }
    if (data.limit() < end) {
      return "incomplete";
    }
    int family = (data.get(13) >> 4) & 15;
    int transport = data.get(13) & 15;
    if (command == 0x20) {
      return show(end, "null", "null", true, "----");
    }
    if (family > 3 || transport > 2) {
      return "invalid";
    }
    if (family == 0) {
      return show(end, "null", "null", false, "----");
    }
    int size = new int[] {0, 4, 16, 108}[family];
    int values = 16 + 2 * size + (family == 3 ? 0 : 4);
    if (values > end || !isListRight(data, values, end) || !isChecksumRight(data, values, end)) {
      return "invalid";
    }
    String shown =
        find(data, values, end, 1)
            + find(data, values, end, 2)
            + find(data, values, end, 5)
            + find(data, values, end, 0x20);
    if (transport == 0) {
      return show(end, "null", "null", false, shown);
    }
    String remote = family == 3 ? path(data, 16) : inet(data, 16, size, 16 + 2 * size);
    String local = family == 3 ? path(data, 124) : inet(data, 16 + size, size, 18 + 2 * size);
    return show(end, remote, local, false, shown);
  }

  private static byte[] bytes(ByteBuffer data, int from, int length) {
    byte[] bytes = new byte[length];
    data.get(from, bytes);
    return bytes;
  }

  private static String inet(ByteBuffer data, int at, int size, int port) {
    try {
      InetAddress address = InetAddress.getByAddress(bytes(data, at, size));
      return shown(address) + ":" + (data.getShort(port) & 0xFFFF);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static String path(ByteBuffer data, int at) {
    String path = new String(bytes(data, at, 108), UTF_8);
    String named = path.indexOf('\0') < 0 ? path : path.substring(0, path.indexOf('\0'));
    try {
      return UnixDomainSocketAddress.of(named).toString();
    } catch (InvalidPathException foreign) {
      return "";
    }
  }

  private static boolean isListRight(ByteBuffer data, int from, int end) {
    int at = from;
    boolean first = true;
    while (at < end) {
      if (end - at < 3 || end - at - 3 < (data.getShort(at + 1) & 0xFFFF)) {
        return false;
      }
      int type = data.get(at) & 0xFF;
      int length = data.getShort(at + 1) & 0xFFFF;
      if ((type == 2 && length > 255) || (type == 5 && length > 128)) {
        return false;
      }
      if (type == 0x20 && first) {
        first = false; // only the first one is used
        if (length < 5 || !areValuesRight(data, at + 8, at + 3 + length)) {
          return false;
        }
      }
      at += 3 + length;
    }
    return true;
  }

  private static boolean areValuesRight(ByteBuffer data, int from, int end) {
    int at = from;
    while (at < end) {
      if (end - at < 3) {
        return false;
      }
      at += 3 + (data.getShort(at + 1) & 0xFFFF);
    }
    return at == end;
  }

  private static boolean isChecksumRight(ByteBuffer data, int from, int end) {
    int found = -1;
    for (int at = from; at < end; at += 3 + (data.getShort(at + 1) & 0xFFFF)) {
      if (data.get(at) == 3) {
        if (found >= 0 || data.getShort(at + 1) != 4) {
          return false;
        }
        found = at + 3;
      }
    }
    if (found < 0) {
      return true;
    }
    byte[] zeroed = bytes(data, 0, end);
    Arrays.fill(zeroed, found, found + 4, (byte) 0);
    CRC32C computed = new CRC32C();
    computed.update(zeroed);
    return (int) computed.getValue() == data.getInt(found);
  }

  private static String find(ByteBuffer data, int from, int end, int type) {
    for (int at = from; at < end; at += 3 + (data.getShort(at + 1) & 0xFFFF)) {
      if ((data.get(at) & 0xFF) == type) {
        byte[] found = bytes(data, at + 3, data.getShort(at + 1) & 0xFFFF);
        return HexFormat.of().formatHex(found) + ";";
      }
    }
    return "-";
  }
}
