package dev.peregrine.cli.options;

import dev.peregrine.proxy.TrustedPeers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the addresses of trusted peers. */
final class Peers {
  private static final String UNIX = "unix";

  private Peers() {}

  /**
   * Returns the peers of an option; null without one.
   *
   * @throws IllegalArgumentException if one isn't an address or a range
   */
  static @Nullable TrustedPeers of(List<OptionValue> settings) {
    if (settings.isEmpty()) {
      return null;
    }
    for (OptionValue setting : settings) {
      check(setting);
    }
    String[] ranges =
        settings.stream()
            .map(OptionValue::value)
            .filter(value -> !value.equals(UNIX))
            .toArray(String[]::new);
    boolean withUnix = ranges.length < settings.size();
    TrustedPeers peers = ranges.length == 0 ? TrustedPeers.unixSockets() : TrustedPeers.of(ranges);
    return withUnix ? peers.withUnixSockets() : peers;
  }

  private static void check(OptionValue setting) {
    if (setting.value().equals(UNIX)) {
      return;
    }
    try {
      TrustedPeers ignored = TrustedPeers.of(setting.value());
    } catch (IllegalArgumentException wrong) {
      throw setting.mustBe("an IP address, a range such as 10.0.0.0/8, or unix");
    }
  }
}
