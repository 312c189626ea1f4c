package dev.peregrine.server.tls.layer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of an endpoint, and the choice among them by the host name that a client requests
 * (SNI, RFC 6066 section 3). The first profile is for clients that request none. Immutable.
 */
public final class TlsProfiles {
  /** No profile. */
  public static final int NONE = -1;

  private record Choice(int profile, ClientPolicy clients) {}

  private final List<TlsProfile> list;
  private final HostTable<Choice> choices;
  private final boolean restrictNames;

  private TlsProfiles(List<TlsProfile> list, HostTable<Choice> choices, boolean restrictNames) {
    this.list = list;
    this.choices = choices;
    this.restrictNames = restrictNames;
  }

  /** Returns the only profile of a context of the application. */
  public static TlsProfiles single(ClientPolicy clients) {
    return new TlsProfiles(
        List.of(new TlsProfile(null, clients)),
        new HostTable<>(Map.of(), new Choice(0, clients)),
        false);
  }

  /**
   * Returns a profile for each pair of certificate and requirements that a name can have.
   *
   * @param credentials the certificates; the first is for clients without a name
   * @param names indexes of certificates, by host names; {@link #NONE} if clients with such a name
   *     are rejected
   * @param clients requirements on clients, by host names
   */
  public static TlsProfiles of(
      List<TlsCredential> credentials, HostTable<Integer> names, HostTable<ClientPolicy> clients) {
    Set<TlsProfile> profiles = new LinkedHashSet<>();
    profiles.add(new TlsProfile(credentials.getFirst(), clients.find(null)));
    // A name matches the longest pattern of both tables, so one name stands for all of a pattern.
    Set<String> patterns = new TreeSet<>(names.patterns());
    patterns.addAll(clients.patterns());
    for (String pattern : patterns) {
      int credential = names.find(pattern);
      if (credential != NONE) {
        profiles.add(new TlsProfile(credentials.get(credential), clients.find(pattern)));
      }
    }
    List<TlsProfile> list = new ArrayList<>(profiles);
    Map<String, Choice> choices = new HashMap<>();
    for (String pattern : patterns) {
      choices.put(pattern, choice(list, credentials, names.find(pattern), clients.find(pattern)));
    }
    Choice otherwise = choice(list, credentials, names.find(null), clients.find(null));
    return new TlsProfiles(
        List.copyOf(list), new HostTable<>(choices, otherwise), !clients.patterns().isEmpty());
  }

  private static Choice choice(
      List<TlsProfile> list,
      List<TlsCredential> credentials,
      int credential,
      ClientPolicy clients) {
    int profile =
        credential == NONE
            ? NONE
            : list.indexOf(new TlsProfile(credentials.get(credential), clients));
    return new Choice(profile, clients);
  }

  /** Returns all profiles. */
  public List<TlsProfile> list() {
    return list;
  }

  /** Returns true if the requirements on clients depend on the name. */
  public boolean restrictNames() {
    return restrictNames;
  }

  /**
   * Returns the index of the profile for a name.
   *
   * @param name in lower case; null if the client requested none
   * @return {@link #NONE} if the name is unknown and such clients are rejected
   */
  int choose(@Nullable String name) {
    return name == null ? 0 : choices.find(name).profile;
  }

  /**
   * Returns the requirements on clients for a name.
   *
   * @param name in lower case; null for none
   */
  ClientPolicy clients(@Nullable String name) {
    return choices.find(name).clients;
  }
}
