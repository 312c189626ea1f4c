package dev.peregrine.server.tls.config;

import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.layer.TlsSettings;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of versions, cipher suites and groups that may be configured: only secure ones. Whether
 * an engine supports them is known when it is loaded.
 */
public final class TlsAlgorithms {
  private static final Set<String> SUITES_1_3 =
      Set.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_AES_128_CCM_SHA256");

  private static final List<String> GROUPS =
      List.of(
          "x25519",
          "x448",
          "secp256r1",
          "secp384r1",
          "secp521r1",
          "ffdhe2048",
          "ffdhe3072",
          "ffdhe4096",
          "X25519MLKEM768",
          "SecP256r1MLKEM768",
          "SecP384r1MLKEM1024");

  private TlsAlgorithms() {}

  /** Returns the versions, the newest first. */
  public static List<String> versions(String... names) {
    List<String> wanted = distinct("versions", names);
    for (String name : wanted) {
      TlsConfig.require(
          TlsSettings.VERSIONS.contains(name),
          "version " + name + " is refused: write TLSv1.3 or TLSv1.2; older ones aren't secure");
    }
    return TlsSettings.VERSIONS.stream().filter(wanted::contains).toList();
  }

  /** Returns the suites. */
  public static List<String> suites(String... names) {
    List<String> wanted = distinct("cipher suites", names);
    for (String name : wanted) {
      String problem = problem(name);
      TlsConfig.require(problem == null, "cipher suite " + name + " is refused: " + problem);
    }
    return wanted;
  }

  /** Returns why a suite isn't accepted; null if it is. */
  private static @Nullable String problem(String suite) {
    if (SUITES_1_3.contains(suite)) {
      return null;
    }
    if (!suite.matches("TLS_[0-9A-Za-z_]+_WITH_[0-9A-Z_]+")) {
      return "it isn't the standard name of a suite, such as TLS_AES_128_GCM_SHA256";
    }
    if (suite.contains("_NULL_")) {
      return "it doesn't encrypt";
    }
    if (suite.contains("_anon_")) {
      return "it doesn't authenticate the server";
    }
    if (suite.matches(".*_(EXPORT|RC4|RC2|DES|DES40|3DES|IDEA|SEED)_.*") || suite.endsWith("MD5")) {
      return "its cipher or its hash is broken";
    }
    if (suite.contains("_CBC_")) {
      return "CBC is not authenticated encryption";
    }
    if (suite.endsWith("_CCM_8")) {
      return "its authentication tags are too short";
    }
    if (suite.startsWith("TLS_DHE_")) {
      return "clients can make a server compute too much with it; use one with ECDHE";
    }
    if (!suite.startsWith("TLS_ECDHE_RSA_") && !suite.startsWith("TLS_ECDHE_ECDSA_")) {
      return "it has no forward secrecy; use one with ECDHE";
    }
    return null;
  }

  /** Returns the groups, by their standard names. */
  public static List<String> groups(String... names) {
    List<String> known = List.of(names).stream().map(TlsAlgorithms::group).toList();
    return distinct("groups", known.toArray(String[]::new));
  }

  private static String group(String name) {
    for (String known : GROUPS) {
      if (known.equalsIgnoreCase(name)) {
        return known;
      }
    }
    throw new IllegalArgumentException(
        "group " + name + " isn't known, or isn't secure; known are " + String.join(", ", GROUPS));
  }

  private static List<String> distinct(String what, String... names) {
    List<String> list = List.of(names);
    TlsConfig.require(!list.isEmpty(), "no " + what + " are given");
    TlsConfig.require(
        Set.copyOf(list).size() == list.size(), "one of the " + what + " is given twice: " + list);
    return list;
  }

  /** Checks that each version has a suite. */
  static void checkComplete(List<String> versions, List<String> suites) {
    for (String version : versions) {
      boolean newest = version.equals(TlsSettings.TLS_1_3);
      TlsConfig.require(
          suites.stream().anyMatch(suite -> SUITES_1_3.contains(suite) == newest),
          "no cipher suite of " + version + " is given; add one, or set the versions without it");
    }
  }

  /**
   * Checks that the key of a certificate can be used with one of the suites of TLS 1.2; those of
   * TLS 1.3 are for all keys.
   */
  static void checkFits(List<String> versions, List<String> suites, TlsCredential credential)
      throws GeneralSecurityException {
    String algorithm = credential.key().getAlgorithm();
    String wanted = algorithm.startsWith("RSA") ? "_RSA_" : "_ECDSA_";
    if (versions.contains(TlsSettings.TLS_1_2)
        && suites.stream().noneMatch(suite -> suite.contains(wanted))) {
      throw new GeneralSecurityException(
          "no cipher suite of TLSv1.2 is for the "
              + algorithm
              + " key of "
              + credential.chain().getFirst().getSubjectX500Principal());
    }
  }
}
