package dev.peregrine.http.host;

import dev.peregrine.base.Latin1;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Values by the host that requests name (RFC 9110 section 7.2).
 *
 * <pre>{@code
 * HostMap<Tenant> tenants = HostMap.of(Map.of("www.example.org", main, "*.example.org", others));
 * Tenant tenant = request.host(tenants); // null if the host is neither
 * }</pre>
 *
 * <p>A key is a name, an address ({@code 192.0.2.1}, {@code [2001:db8::1]}), or a pattern such as
 * {@code *.example.org}, which matches every name below {@code example.org}, but not that name
 * itself, and nothing that has other characters than letters, digits, hyphens and underscores
 * between its dots. The name counts first, then the longest pattern. Case, a port and a dot at the
 * end of the requested host don't matter. An IPv6 address matches in each of its spellings.
 *
 * <p>Immutable. {@code Request.host(HostMap)} allocates nothing, except for an IPv6 address in
 * another spelling than that of the key, and for a host that a proxy reports.
 *
 * @param <T> the type of the values
 */
public final class HostMap<T> {
  private static final String BELOW = "*.";
  private static final Pattern NAME = Pattern.compile("[a-z0-9_-]+(\\.[a-z0-9_-]+)*");
  private static final int HASH_FACTOR = 31;

  private final Table<T> exact;
  private final Table<T> below; // by the names after "*."
  private final Map<InetAddress, T> addresses = new HashMap<>(); // of IPv6

  private HostMap(Map<String, ? extends T> values) {
    Map<String, T> names = new HashMap<>();
    Map<String, T> patterns = new HashMap<>();
    values.forEach(
        (key, value) -> {
          String name = normalize(key);
          boolean isPattern = name.startsWith(BELOW);
          String bare = isPattern ? name.substring(BELOW.length()) : name;
          T other = (isPattern ? patterns : names).put(bare, value);
          InetAddress address = address(name);
          T same = address == null ? null : addresses.put(address, value);
          if (other != null || same != null) {
            throw new IllegalArgumentException("a host has two values: " + key);
          }
        });
    exact = new Table<>(names);
    below = new Table<>(patterns);
  }

  /**
   * Returns a map with those values.
   *
   * @param values by names, addresses and patterns; a name that isn't ASCII is written as in DNS
   *     ({@code xn--…})
   * @throws IllegalArgumentException if a key has another form, such as one with a port, or if two
   *     of them are the same host
   */
  public static <T> HostMap<T> of(Map<String, ? extends T> values) {
    return new HostMap<>(values);
  }

  private static String normalize(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    String bare = name.startsWith(BELOW) ? name.substring(BELOW.length()) : name;
    if (!NAME.matcher(bare).matches() && address(name) == null) {
      throw new IllegalArgumentException(
          "not a host: \""
              + key
              + "\": write a name in ASCII, *. and a name, or an address (of IPv6 in brackets),"
              + " without a port");
    }
    return name;
  }

  /** Returns the IPv6 address of a literal in brackets; null if it isn't one. */
  private static @Nullable InetAddress address(String literal) {
    boolean isIpv6 = literal.startsWith("[") && literal.endsWith("]") && literal.indexOf(':') > 0;
    if (!isIpv6 || literal.indexOf('%') >= 0 || literal.startsWith("[v")) {
      return null;
    }
    try {
      return Inet6Address.ofLiteral(literal.substring(1, literal.length() - 1));
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  /**
   * Returns the value for a host.
   *
   * @param host as {@code Request.host()} returns it, with or without a port; null for none
   * @return null if the map has no value for it
   */
  public @Nullable T get(@Nullable String host) {
    if (host == null) {
      return null;
    }
    byte[] bytes = host.getBytes(StandardCharsets.ISO_8859_1);
    return get(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  /** Like {@link #get(String)}, for a host in bytes, of which no String is created. */
  public @Nullable T get(MemorySegment bytes, long from, long to) {
    if (from == to) {
      return null;
    }
    boolean isLiteral = bytes.get(ValueLayout.JAVA_BYTE, from) == '[';
    long end = isLiteral ? literalEnd(bytes, from, to) : nameEnd(bytes, from, to);
    int hash = 0;
    T found = null;
    for (long at = end - 1; at >= from; at--) {
      int c = lowerCase(bytes.get(ValueLayout.JAVA_BYTE, at));
      boolean isDot = c == '.' && !isLiteral;
      if (isDot ? at == from || isDot(bytes, at - 1) : !isLiteral && !isInName(c)) {
        return null; // not a name, so that a pattern must not match it
      }
      if (isDot) {
        T longer = below.get(hash, bytes, at + 1, end);
        found = longer == null ? found : longer;
      }
      hash = HASH_FACTOR * hash + c;
    }
    T own = exact.get(hash, bytes, from, end);
    if (own != null) {
      return own;
    }
    return isLiteral && !addresses.isEmpty() ? byAddress(bytes, from, end) : found;
  }

  private @Nullable T byAddress(MemorySegment bytes, long from, long to) {
    InetAddress address =
        address(Latin1.string(bytes, (int) from, (int) to).toLowerCase(Locale.ROOT));
    return address == null ? null : addresses.get(address);
  }

  /** Returns the end of a name, before its port and the dot at its end. */
  private static long nameEnd(MemorySegment bytes, long from, long to) {
    long end = from;
    while (end < to && bytes.get(ValueLayout.JAVA_BYTE, end) != ':') {
      end++;
    }
    return end > from && bytes.get(ValueLayout.JAVA_BYTE, end - 1) == '.' ? end - 1 : end;
  }

  private static long literalEnd(MemorySegment bytes, long from, long to) {
    long end = from;
    while (end < to && bytes.get(ValueLayout.JAVA_BYTE, end) != ']') {
      end++;
    }
    return Math.min(end + 1, to);
  }

  private static boolean isDot(MemorySegment bytes, long at) {
    return bytes.get(ValueLayout.JAVA_BYTE, at) == '.';
  }

  private static boolean isInName(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  }

  private static int lowerCase(byte c) {
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
  }

  /** Values by names in lower case, with open addressing; at least half empty. */
  private static final class Table<T> {
    private final byte[] @Nullable [] names;
    private final int[] hashes;
    private final Object[] values;

    Table(Map<String, T> entries) {
      int size = Integer.highestOneBit(Math.max(entries.size(), 1)) * 4;
      names = new byte[size][];
      hashes = new int[size];
      values = new Object[size];
      entries.forEach((name, value) -> put(name.getBytes(StandardCharsets.US_ASCII), value));
    }

    private void put(byte[] name, Object value) {
      int hash = 0;
      for (int i = name.length - 1; i >= 0; i--) {
        hash = HASH_FACTOR * hash + name[i];
      }
      int slot = slot(hash);
      while (names[slot] != null) {
        slot = slot + 1 & names.length - 1;
      }
      names[slot] = name;
      hashes[slot] = hash;
      values[slot] = value;
    }

    private int slot(int hash) {
      return (hash ^ hash >>> 16) & names.length - 1;
    }

    /**
     * Returns the value for a name in any case.
     *
     * @param hash of the name in lower case, from its end
     */
    @SuppressWarnings("unchecked")
    @Nullable T get(int hash, MemorySegment bytes, long from, long to) {
      for (int slot = slot(hash); ; slot = slot + 1 & names.length - 1) {
        byte[] name = names[slot];
        if (name == null) {
          return null;
        }
        if (hashes[slot] == hash && is(name, bytes, from, to)) {
          return (T) values[slot];
        }
      }
    }

    private static boolean is(byte[] name, MemorySegment bytes, long from, long to) {
      if (name.length != to - from) {
        return false;
      }
      for (int i = 0; i < name.length; i++) {
        if (lowerCase(bytes.get(ValueLayout.JAVA_BYTE, from + i)) != name[i]) {
          return false;
        }
      }
      return true;
    }
  }
}
