package dev.peregrine.http.filter;

import dev.peregrine.http.Request;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that stand for clients. They depend on a secret, so that no client can choose names of
 * the same number as another's. Immutable.
 */
final class ClientKeys {
  private static final int KNOWN_MAX = 16 * 1024;
  private static final int HASH_SHIFT = 16;
  private static final int IPV4_BYTES = 4;
  private static final long NAMED = 1;
  private static final long IPV4 = 2;
  private static final long IPV6 = 3;
  private static final long OTHER = 4;

  private record Known(InetAddress address, long number) {}

  private final long secret0;
  private final long secret1;
  private final @Nullable Function<? super Request, ? extends @Nullable String> name;
  private final long ipv6Mask;

  /** Recent addresses by their hash, because the bytes of an address are a new array each time. */
  private final AtomicReferenceArray<@Nullable Known> recent =
      new AtomicReferenceArray<>(KNOWN_MAX);

  /**
   * Creates keys with a secret of their own.
   *
   * @param name names a client; null for its address
   * @param ipv6PrefixBits 1 to 64
   */
  ClientKeys(
      @Nullable Function<? super Request, ? extends @Nullable String> name, int ipv6PrefixBits) {
    SecureRandom random = new SecureRandom();
    this.secret0 = random.nextLong();
    this.secret1 = random.nextLong();
    this.name = name;
    this.ipv6Mask = -1L << (Long.SIZE - ipv6PrefixBits);
  }

  /** Returns the number of a request's client. */
  long of(Request request) {
    String own = name == null ? null : name.apply(request);
    return own == null ? numberOf(request.remoteAddress()) : ofName(own);
  }

  /** Returns the number of a name. */
  long ofName(String text) {
    Sip sip = new Sip(secret0, secret1);
    sip.add(NAMED);
    int length = text.length();
    for (int i = 0; i < length; i += 4) {
      long word = 0;
      for (int j = i; j < Math.min(length, i + 4); j++) {
        word = word << Character.SIZE | text.charAt(j);
      }
      sip.add(word);
    }
    sip.add(length);
    return sip.end();
  }

  /** Returns the number of an address. */
  long numberOf(SocketAddress address) {
    InetAddress ip = address instanceof InetSocketAddress inet ? inet.getAddress() : null;
    if (ip == null) {
      return number(OTHER, 0);
    }
    int hash = ip.hashCode();
    int slot = (hash ^ hash >>> HASH_SHIFT) & KNOWN_MAX - 1;
    Known known = recent.get(slot);
    if (known != null && known.address.equals(ip)) {
      return known.number;
    }
    long number = number(ip);
    recent.set(slot, new Known(ip, number));
    return number;
  }

  private long number(InetAddress ip) {
    byte[] bytes = ip.getAddress();
    return ip instanceof Inet6Address
        ? number(IPV6, first(bytes, Long.BYTES) & ipv6Mask)
        : number(IPV4, first(bytes, IPV4_BYTES));
  }

  private static long first(byte[] bytes, int count) {
    long number = 0;
    for (int i = 0; i < count; i++) {
      number = (number << Byte.SIZE) | (bytes[i] & 0xFF);
    }
    return number;
  }

  private long number(long kind, long value) {
    Sip sip = new Sip(secret0, secret1);
    sip.add(kind);
    sip.add(value);
    return sip.end();
  }

  /** SipHash-2-4 of 64-bit words (Aumasson and Bernstein, 2012). */
  private static final class Sip {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    Sip(long k0, long k1) {
      v0 = k0 ^ 0x736f6d6570736575L;
      v1 = k1 ^ 0x646f72616e646f6dL;
      v2 = k0 ^ 0x6c7967656e657261L;
      v3 = k1 ^ 0x7465646279746573L;
    }

    void add(long word) {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    long end() {
      v2 ^= 0xFF;
      round();
      round();
      round();
      round();
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
