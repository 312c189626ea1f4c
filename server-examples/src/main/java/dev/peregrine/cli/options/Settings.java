package dev.peregrine.cli.options;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The values that one place sets, or several places together. Not thread-safe. */
public final class Settings {
  private static final List<Option> LONG_FORM = List.of(Option.LISTEN, Option.LISTEN_PLAIN);
  private static final List<Option> SHORT_FORM = List.of(Option.HOST, Option.PORT, Option.TLS_PORT);

  private final Map<Option, List<OptionValue>> values = new EnumMap<>(Option.class);
  private final Map<String, OptionValue> limits = new TreeMap<>(); // by name

  Settings() {}

  /** Adds a value. Of an option that isn't repeatable, the last one counts. */
  void add(Option option, OptionValue setting) {
    List<OptionValue> present = values.get(option);
    if (present == null || !option.isRepeatable()) {
      present = new ArrayList<>(1);
      values.put(option, present);
    }
    present.add(setting);
  }

  /** Adds a limit by its name. */
  void addLimit(String name, OptionValue setting) {
    limits.put(name, setting);
  }

  /**
   * Adds a limit that is given as NAME=VALUE.
   *
   * @throws IllegalArgumentException if it has another form
   */
  void addLimit(OptionValue assignment) {
    int equals = assignment.value().indexOf('=');
    if (equals <= 0 || equals == assignment.value().length() - 1) {
      throw assignment.mustBe("NAME=VALUE");
    }
    String name = assignment.value().substring(0, equals);
    addLimit(
        name,
        new OptionValue(
            assignment.value().substring(equals + 1), assignment.origin() + " " + name));
  }

  /** Returns true if the option has a value. */
  boolean has(Option option) {
    return values.containsKey(option);
  }

  /** Returns the value of an option, or null. */
  public @Nullable OptionValue get(Option option) {
    List<OptionValue> present = values.get(option);
    return present == null ? null : present.getLast();
  }

  /** Returns all values of an option. */
  public List<OptionValue> all(Option option) {
    return values.getOrDefault(option, List.of());
  }

  /** Returns the limits by name. */
  Map<String, OptionValue> limits() {
    return limits;
  }

  /**
   * Returns true if an option without a value was given.
   *
   * @throws IllegalArgumentException if a file or variable has another value than true or false
   */
  public boolean isOn(Option option) {
    OptionValue setting = get(option);
    return setting != null && setting.flag();
  }

  /**
   * Returns the port for HTTPS that requests without TLS are redirected to; 0 for none.
   *
   * @throws IllegalArgumentException if it isn't a port
   */
  public int httpsRedirect() {
    OptionValue port = get(Option.HTTPS_REDIRECT);
    return port == null ? 0 : port.number(1, Listening.PORT_MAX);
  }

  /**
   * Adds what another place sets and this doesn't. Where to listen can be set in two forms: the one
   * that is used here replaces the other there.
   *
   * @throws IllegalArgumentException if one place uses both forms
   */
  void addWeaker(Settings weaker) {
    weaker.checkForm();
    boolean isLong = uses(LONG_FORM);
    boolean isShort = uses(SHORT_FORM);
    for (Option option : Option.values()) { // the entries of a map take a start a millisecond
      boolean replaced =
          (isLong && SHORT_FORM.contains(option)) || (isShort && LONG_FORM.contains(option));
      if (weaker.has(option) && !replaced) {
        values.putIfAbsent(option, weaker.all(option));
      }
    }
    for (Map.Entry<String, OptionValue> limit : weaker.limits.entrySet()) {
      limits.putIfAbsent(limit.getKey(), limit.getValue());
    }
  }

  /** Returns true if the addresses to listen on are given whole, and not as host and port. */
  boolean usesLongForm() {
    return uses(LONG_FORM);
  }

  /** Returns true if an address to listen on is named, in either form. */
  boolean namesAddress() {
    return uses(LONG_FORM) || uses(SHORT_FORM);
  }

  private boolean uses(List<Option> form) {
    for (Option option : form) {
      if (has(option)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks that this place uses one form only to say where to listen.
   *
   * @throws IllegalArgumentException if it uses both
   */
  void checkForm() {
    for (Option whole : LONG_FORM) {
      OptionValue address = get(whole);
      for (Option option : SHORT_FORM) {
        OptionValue setting = get(option);
        if (address != null && setting != null) {
          throw new IllegalArgumentException(
              setting.origin() + " can't be used together with " + address.place(setting));
        }
      }
    }
  }

  /**
   * Checks that a command takes all the options.
   *
   * @throws IllegalArgumentException if it doesn't
   */
  void checkFor(Command command) {
    for (Option option : Option.values()) {
      OptionValue given = get(option);
      if (given != null && !option.belongsTo(command)) {
        throw new IllegalArgumentException(given.origin() + option.isNotOf(command));
      }
    }
  }
}
