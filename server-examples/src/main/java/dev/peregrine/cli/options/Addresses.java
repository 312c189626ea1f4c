package dev.peregrine.cli.options;

import dev.peregrine.server.Endpoint;
import dev.peregrine.server.TcpEndpoint;
import dev.peregrine.server.tls.Tls;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses that a server listens on, from the options of either form. */
final class Addresses {
  private static final String HOST = "127.0.0.1";
  private static final String PORT = "8080";
  private static final String TLS_PORT = "8443";

  /**
   * An address to listen on.
   *
   * @param endpoint the endpoint, with TLS if the server speaks it there
   * @param isSecure whether it has TLS
   * @param setting where it was set
   */
  record Listened(Endpoint endpoint, boolean isSecure, OptionValue setting) {
    /**
     * Checks that its host has an address. That may take a look-up, so a start leaves it to the
     * server.
     *
     * @throws IllegalArgumentException if it has none
     */
    void checkHost() {
      if (endpoint instanceof TcpEndpoint tcp && address(tcp).isUnresolved()) {
        throw setting.wrong(", but the host " + tcp.host() + " is unknown");
      }
    }
  }

  private final boolean reusePort;
  private final @Nullable Tls tls;
  private final List<Listened> found = new ArrayList<>();

  private Addresses(boolean reusePort, @Nullable Tls tls) {
    this.reusePort = reusePort;
    this.tls = tls;
  }

  /**
   * Returns at least one address.
   *
   * @param tls for addresses that have TLS; null for none
   * @throws IllegalArgumentException if one has a wrong form or is named twice
   */
  static List<Listened> of(Settings settings, @Nullable Tls tls) {
    Addresses reading = new Addresses(settings.isOn(Option.REUSE_PORT), tls);
    if (settings.usesLongForm()) {
      reading.addLongForm(settings);
    } else {
      reading.addShortForm(settings);
    }
    return reading.found;
  }

  private void addLongForm(Settings settings) {
    for (OptionValue address : settings.all(Option.LISTEN)) {
      add(address, Listening.parse(address, reusePort), tls);
    }
    for (OptionValue address : settings.all(Option.LISTEN_PLAIN)) {
      add(address, Listening.parse(address, reusePort), null);
    }
  }

  private void addShortForm(Settings settings) {
    OptionValue given = settings.get(Option.HOST);
    String host = given == null ? HOST : given.value();
    addPort(host, settings, Option.PORT, PORT, null);
    if (tls != null) {
      addPort(host, settings, Option.TLS_PORT, TLS_PORT, tls);
    }
  }

  private void addPort(
      String host, Settings settings, Option option, String otherwise, @Nullable Tls layer) {
    OptionValue given = settings.get(option);
    OptionValue port =
        given == null ? new OptionValue(otherwise, "the default of " + option.flag()) : given;
    int number = port.number(0, Listening.PORT_MAX);
    add(port, Endpoint.tcp(host, number).withReusePort(reusePort), layer);
  }

  private void add(OptionValue setting, Endpoint plain, @Nullable Tls layer) {
    checkIsOther(setting, plain, found);
    found.add(new Listened(layer == null ? plain : plain.with(layer), layer != null, setting));
  }

  /**
   * Checks that an address isn't listened on already.
   *
   * @throws IllegalArgumentException if it is
   */
  private static void checkIsOther(OptionValue setting, Endpoint plain, List<Listened> found) {
    for (Listened earlier : found) {
      if (isSame(earlier.endpoint, plain)) {
        throw new IllegalArgumentException(
            "%s names %s, which %s names too"
                .formatted(setting.origin(), setting.value(), earlier.setting.place(setting)));
      }
    }
  }

  /**
   * Returns the address of the metrics.
   *
   * @param listened the addresses of the server
   * @return null if the option isn't set
   * @throws IllegalArgumentException if it has a wrong form or is one of the server's
   */
  static @Nullable Listened ofMetrics(
      @Nullable OptionValue setting, boolean reusePort, List<Listened> listened) {
    if (setting == null) {
      return null;
    }
    Endpoint endpoint = Listening.parse(setting, reusePort);
    checkIsOther(setting, endpoint, listened);
    return new Listened(endpoint, false, setting);
  }

  /** Returns true if both can't be listened on; without a look-up unless the ports are equal. */
  private static boolean isSame(Endpoint one, Endpoint other) {
    if (one instanceof TcpEndpoint first && other instanceof TcpEndpoint second) {
      return first.port() == second.port()
          && first.port() != 0
          && (first.host().equals(second.host()) || address(first).equals(address(second)));
    }
    return one.getClass() == other.getClass() && one.toString().equals(other.toString());
  }

  private static InetSocketAddress address(TcpEndpoint endpoint) {
    return new InetSocketAddress(endpoint.host(), endpoint.port());
  }
}
