package dev.peregrine.proxy;

import dev.peregrine.base.Range;
import java.util.Objects;

/**
 * The proxies that a server believes when they report the client of a request by its fields, and
 * the field that they use: either {@code Forwarded} (RFC 7239), or {@code X-Forwarded-For} with its
 * companions. Only one of them is read, because a proxy that sets one passes a forged other one on.
 * Immutable.
 *
 * <pre>{@code
 * TrustedProxies proxies =
 *     TrustedProxies.xForwardedFor(TrustedPeers.of("10.0.0.0/8")).withXForwardedProto();
 * }</pre>
 *
 * <p>The fields count only if the connection comes from a trusted proxy. Each proxy adds the
 * address that it was called from, so the list is read from its end: as long as an address is a
 * trusted proxy's, the entry before it counts too. The first other address is the client's. If an
 * entry is malformed, {@code unknown} or obfuscated, or if there is none left, the last address
 * before it counts as the client's, and nothing before that entry is read.
 */
public final class TrustedProxies {
  private static final int HOPS_DEFAULT = 10;
  private static final int HOPS_MOST = 100;

  private final TrustedPeers peers;
  private final boolean standard;
  private final boolean proto;
  private final boolean host;
  private final int hopsMax;

  private TrustedProxies(
      TrustedPeers peers, boolean standard, boolean proto, boolean host, int hopsMax) {
    this.peers = Objects.requireNonNull(peers);
    this.standard = standard;
    this.proto = proto;
    this.host = host;
    this.hopsMax = Range.check("hopsMax", hopsMax, 1, HOPS_MOST);
  }

  /**
   * Returns proxies that add an element to {@code Forwarded}. Of its parameters, {@code for} is the
   * client, and {@code proto} and {@code host}, if present, are those of its request. Every one of
   * these proxies must add an element.
   */
  public static TrustedProxies forwarded(TrustedPeers peers) {
    return new TrustedProxies(peers, true, true, true, HOPS_DEFAULT);
  }

  /**
   * Returns proxies that add an address to {@code X-Forwarded-For}. Every one of these proxies must
   * add an address.
   */
  public static TrustedProxies xForwardedFor(TrustedPeers peers) {
    return new TrustedProxies(peers, false, false, false, HOPS_DEFAULT);
  }

  /**
   * Returns these proxies, believed in the scheme that {@code X-Forwarded-Proto} names: {@code
   * http} or {@code https}; {@code ws} and {@code wss} count as these. The last proxy must replace
   * the field that a client sends. A field with more than one value is ignored.
   *
   * @throws IllegalStateException if they use {@code Forwarded}
   */
  public TrustedProxies withXForwardedProto() {
    checkNotStandard();
    return new TrustedProxies(peers, false, true, host, hopsMax);
  }

  /**
   * Returns these proxies, believed in the host that {@code X-Forwarded-Host} names. The last proxy
   * must replace the field that a client sends. A field with more than one value is ignored.
   *
   * @throws IllegalStateException if they use {@code Forwarded}
   */
  public TrustedProxies withXForwardedHost() {
    checkNotStandard();
    return new TrustedProxies(peers, false, proto, true, hopsMax);
  }

  private void checkNotStandard() {
    if (standard) {
      throw new IllegalStateException("Forwarded is read, so that no X-Forwarded field can be");
    }
  }

  /**
   * Returns these proxies with another limit of entries that are read, 1 to 100; 10 by default. The
   * address in the last of them counts as the client's, even if it is a trusted proxy's.
   */
  public TrustedProxies withHopsMax(int count) {
    return new TrustedProxies(peers, standard, proto, host, count);
  }

  /** Returns the peers that are trusted. */
  public TrustedPeers peers() {
    return peers;
  }

  /** Returns true if {@code Forwarded} is read, and false if {@code X-Forwarded-For} is. */
  public boolean isForwarded() {
    return standard;
  }

  /** Returns true if the scheme is read too. */
  public boolean readsScheme() {
    return proto;
  }

  /** Returns true if the host is read too. */
  public boolean readsHost() {
    return host;
  }

  /** Returns the limit of entries that are read. */
  public int hopsMax() {
    return hopsMax;
  }
}
