package dev.peregrine.server.tls.layer;

import dev.peregrine.server.tls.hello.ClientHello;
import java.time.Instant;
import java.util.List;

/**
 * All options of an engine, complete and checked.
 *
 * @param profiles certificates and requirements on clients. An engine uses the list, not the names
 * @param versions names of the JDK, the best one first: {@code TLSv1.3}, {@code TLSv1.2}
 * @param suites standard names such as {@code TLS_AES_128_GCM_SHA256}, of both versions, in the
 *     server's order, which decides
 * @param groups names of the JDK, in the server's order: {@code x25519}, {@code secp256r1}
 * @param applicationProtocols names for ALPN, in the server's order. Clients that offer only others
 *     are rejected; clients that offer none aren't
 */
public record TlsSettings(
    TlsProfiles profiles,
    List<String> versions,
    List<String> suites,
    List<String> groups,
    List<String> applicationProtocols) {
  /** TLS 1.3. */
  public static final String TLS_1_3 = ClientHello.TLS_1_3;

  /** TLS 1.2. */
  public static final String TLS_1_2 = ClientHello.TLS_1_2;

  /** The versions that are offered by default. */
  public static final List<String> VERSIONS = List.of(TLS_1_3, TLS_1_2);

  /** Suites with forward secrecy and authenticated encryption, and no others. */
  public static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /** Groups for the exchange of keys. */
  public static final List<String> GROUPS = List.of("x25519", "secp256r1", "secp384r1");

  /** Copies the lists. */
  public TlsSettings {
    versions = List.copyOf(versions);
    suites = List.copyOf(suites);
    groups = List.copyOf(groups);
    applicationProtocols = List.copyOf(applicationProtocols);
  }

  /** Returns the same settings with other application protocols. */
  TlsSettings offering(List<String> protocols) {
    return new TlsSettings(profiles, versions, suites, groups, protocols);
  }

  /** Returns true if the suites are those of the server, without those that an engine lacks. */
  public boolean hasDefaultSuites() {
    return suites.equals(SUITES);
  }

  /** Returns true if the groups are those of the server, to which an engine may add better ones. */
  public boolean hasDefaultGroups() {
    return groups.equals(GROUPS);
  }

  /** Returns true if it has the same certificates, keys and authorities as the other. */
  public boolean hasSameContent(TlsSettings other) {
    return profiles.list().equals(other.profiles.list());
  }

  /** Returns true if the time of an OCSP response is over. */
  public boolean hasExpiredStaple(Instant now) {
    for (TlsProfile profile : profiles.list()) {
      TlsCredential credential = profile.credential();
      Staple staple = credential == null ? null : credential.staple();
      if (staple != null && !staple.end().isAfter(now)) {
        return true;
      }
    }
    return false;
  }
}
