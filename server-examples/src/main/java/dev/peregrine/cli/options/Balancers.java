package dev.peregrine.cli.options;

import dev.peregrine.cli.options.Addresses.Listened;
import dev.peregrine.proxy.TrustedPeers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The peers that begin connections with a PROXY header, for all addresses or for one. */
final class Balancers {
  private final Map<String, List<OptionValue>> peers = new HashMap<>(); // by listener; "" for all

  private Balancers() {}

  /**
   * Reads the peers.
   *
   * @param settings values such as {@code 10.0.0.0/8} and {@code 0.0.0.0:443=10.0.0.0/8}
   * @throws IllegalArgumentException if one isn't an address or a range, or is for an address that
   *     the server doesn't listen on
   */
  static Balancers of(List<OptionValue> settings, List<Listened> listened) {
    Balancers balancers = new Balancers();
    for (OptionValue setting : settings) {
      int equals = setting.value().lastIndexOf('='); // a path may have one, an address hasn't
      String listener = setting.value().substring(0, Math.max(0, equals));
      if (equals >= 0
          && listened.stream().noneMatch(each -> each.setting().value().equals(listener))) {
        throw setting.wrong(
            ", but the server doesn't listen on '" + listener + "', as --listen would name it");
      }
      OptionValue peer = new OptionValue(setting.value().substring(equals + 1), setting.origin());
      balancers.peers.computeIfAbsent(listener, any -> new ArrayList<>()).add(peer);
    }
    for (List<OptionValue> each : balancers.peers.values()) {
      TrustedPeers ignored = Peers.of(each);
    }
    return balancers;
  }

  /** Returns the peers that send PROXY headers to an address; null if none does. */
  @Nullable TrustedPeers at(Listened address) {
    List<OptionValue> all = new ArrayList<>(peers.getOrDefault("", List.of()));
    all.addAll(peers.getOrDefault(address.setting().value(), List.of()));
    return Peers.of(all);
  }
}
