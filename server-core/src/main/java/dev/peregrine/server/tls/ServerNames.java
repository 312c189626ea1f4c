package dev.peregrine.server.tls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a certificate by the host name that a client requests (SNI, RFC 6066 section 3):
 * the one for exactly that name, otherwise the one with the longest matching pattern such as {@code
 * *.example.com}, otherwise the default or none. Immutable.
 */
public final class ServerNames {
  /** No certificate. */
  public static final int NONE = -1;

  /** The first certificate for all names. */
  public static final ServerNames ANY = new ServerNames(Map.of(), true);

  private record Suffix(String text, int credential) {}

  private final Map<String, Integer> exact = new HashMap<>();
  private final List<Suffix> suffixes = new ArrayList<>(); // with their dot, the longest first
  private final boolean hasDefault;

  /**
   * Creates the names of a server.
   *
   * @param patterns names and patterns, with the index of their certificates
   * @param hasDefault whether unknown names get the first certificate
   */
  public ServerNames(Map<String, Integer> patterns, boolean hasDefault) {
    this.hasDefault = hasDefault;
    patterns.forEach(
        (pattern, credential) -> {
          String name = pattern.toLowerCase(Locale.ROOT);
          if (name.startsWith("*.")) {
            suffixes.add(new Suffix(name.substring(1), credential));
          } else {
            exact.put(name, credential);
          }
        });
    suffixes.sort(Comparator.comparingInt(suffix -> -suffix.text.length()));
  }

  /**
   * Returns the index of the certificate for a name.
   *
   * @param name in lower case; null if the client requested none, for the default
   * @return {@link #NONE} if the name is unknown and such clients are rejected
   */
  public int choose(@Nullable String name) {
    if (name == null) {
      return 0;
    }
    Integer known = exact.get(name);
    if (known != null) {
      return known;
    }
    for (Suffix suffix : suffixes) {
      if (name.length() > suffix.text.length() && name.endsWith(suffix.text)) {
        return suffix.credential;
      }
    }
    return hasDefault ? 0 : NONE;
  }
}
