package dev.peregrine.cli.options;

import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options from environment variables, such as {@code PEREGRINE_TLS_CERT}. An empty variable counts
 * as unset.
 */
final class Variables {
  static final String PREFIX = "PEREGRINE_";

  private static final String LIMIT_PREFIX = Option.variable(Option.LIMIT.key()) + "_";

  private static final String SOCKETS = "LISTEN_FDS";
  private static final String SOCKETS_OWNER = "LISTEN_PID";
  private static final int FIRST_SOCKET = 3;
  private static final int SOCKETS_MAX = 4096;

  private Variables() {}

  /**
   * Returns the options that are set.
   *
   * @throws IllegalArgumentException if a variable with the prefix is not an option
   */
  static Settings read(Map<String, String> environment) {
    Settings settings = new Settings();
    for (String variable : environment.keySet()) { // as in Settings
      if (variable.startsWith(PREFIX)) {
        String value = environment.get(variable);
        if (value != null && !value.isEmpty()) {
          add(variable, value, settings);
        }
      }
    }
    return settings;
  }

  private static void add(String variable, String value, Settings settings) {
    Option option = named(variable);
    if (Kubernetes.isLink(variable, value, option != null)) {
      return;
    }
    if (option != null) {
      String[] values = option.isRepeatable() ? value.split(",", -1) : new String[] {value};
      for (String each : values) {
        settings.add(option, new OptionValue(each.strip(), variable));
      }
    } else if (variable.startsWith(LIMIT_PREFIX)) {
      settings.addLimit(limit(variable), new OptionValue(value, variable));
    } else {
      throw new IllegalArgumentException(
          "the environment variable "
              + variable
              + " is not an option"
              + Closest.question(
                  variable,
                  Arrays.stream(Option.values())
                      .filter(Variables::isVariable)
                      .map(each -> Option.variable(each.key()))));
    }
  }

  /**
   * Adds the sockets that systemd has started this process with, by sd_listen_fds(3): if the
   * variables are meant for another process, there are none.
   */
  static void addSockets(Map<String, String> environment, Settings settings) {
    String count = environment.get(SOCKETS);
    String owner = environment.get(SOCKETS_OWNER);
    if (count == null || !Long.toString(ProcessHandle.current().pid()).equals(owner)) {
      return;
    }
    int sockets = new OptionValue(count, SOCKETS).number(1, SOCKETS_MAX);
    for (int i = 0; i < sockets; i++) {
      settings.add(Option.LISTEN, new OptionValue("fd:" + (FIRST_SOCKET + i), SOCKETS));
    }
  }

  private static @Nullable Option named(String variable) {
    for (Option option : Option.values()) {
      if (isVariable(option) && Option.variable(option.key()).equals(variable)) {
        return option;
      }
    }
    return null;
  }

  private static boolean isVariable(Option option) {
    return option == Option.CONFIG || (option.isSetting() && option != Option.LIMIT);
  }

  /** Returns the name of a limit, as far as a variable shows it. */
  private static String limit(String variable) {
    for (LimitTable.Limit limit : LimitTable.all()) {
      if (variable.equals(Option.variable(Option.LIMIT.key() + "-" + limit.name()))) {
        return limit.name();
      }
    }
    return variable;
  }

  /**
   * The variables that Kubernetes sets in a pod for each service of its namespace. For a service
   * named peregrine or peregrine-x they begin with our prefix.
   */
  private static final class Kubernetes {
    private static final Pattern NAME =
        Pattern.compile("\\w+_(SERVICE_HOST|SERVICE_PORT\\w*|PORT|PORT_\\d+_[A-Z]+\\w*)");
    private static final Pattern URL = Pattern.compile("(tcp|udp|sctp)://.*");

    static boolean isLink(String variable, String value, boolean isOption) {
      return NAME.matcher(variable).matches() && (!isOption || URL.matcher(value).matches());
    }
  }
}
