package dev.peregrine.cli.options;

import dev.peregrine.server.config.ServerLimits;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The limits of a server by name. The names are those of the components of {@link ServerLimits} and
 * the records within, so every limit has one: {@code keep-alive-time}, {@code parser.fields-max}.
 */
public final class LimitTable {
  /**
   * A limit.
   *
   * @param name its name
   * @param defaultText its default, as it would be set
   */
  public record Limit(String name, String defaultText) {}

  private LimitTable() {}

  /** Returns all limits. */
  public static List<Limit> all() {
    List<Limit> found = new ArrayList<>();
    collect(ServerLimits.DEFAULT, "", found);
    return found;
  }

  private static void collect(Record limits, String prefix, List<Limit> found) {
    for (RecordComponent component : limits.getClass().getRecordComponents()) {
      String name = prefix + name(component.getName());
      Object value = value(component, limits);
      switch (value) {
        case Record nested -> collect(nested, name + ".", found);
        case Duration time -> found.add(new Limit(name, Quantity.text(time)));
        default -> found.add(new Limit(name, value.toString()));
      }
    }
  }

  /**
   * Returns the default limits with some replaced.
   *
   * @throws IllegalArgumentException if a name is unknown or a value is out of range
   */
  static ServerLimits with(Map<String, OptionValue> settings) {
    List<String> names = all().stream().map(Limit::name).toList();
    settings.forEach(
        (name, setting) -> {
          if (!names.contains(name)) {
            throw new IllegalArgumentException(
                setting.origin()
                    + " is not a limit"
                    + Closest.question(name, names.stream())
                    + " (the command limits lists them)");
          }
        });
    return (ServerLimits) with(ServerLimits.DEFAULT, "", settings);
  }

  private static Record with(Record limits, String prefix, Map<String, OptionValue> settings) {
    RecordComponent[] components = limits.getClass().getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      String name = prefix + name(components[i].getName());
      Object old = value(components[i], limits);
      OptionValue setting = settings.get(name);
      if (old instanceof Record nested) {
        values[i] = with(nested, name + ".", settings);
      } else {
        values[i] = setting == null ? old : parse(setting, components[i].getType());
      }
    }
    try {
      return constructor(limits.getClass(), components).newInstance(values);
    } catch (InvocationTargetException thrown) {
      throw outOfRange(prefix, settings, Objects.requireNonNull(thrown.getCause()));
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("limits are not public", impossible);
    }
  }

  private static Constructor<? extends Record> constructor(
      Class<? extends Record> type, RecordComponent... components) throws NoSuchMethodException {
    return type.getConstructor(
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
  }

  private static Object parse(OptionValue setting, Class<?> type) {
    if (type == Duration.class) {
      return setting.time();
    }
    long count = Quantity.count(setting);
    if (type == long.class) {
      return count;
    }
    if (count > Integer.MAX_VALUE) {
      throw setting.mustBe("at most " + Integer.MAX_VALUE);
    }
    return (int) count;
  }

  /** Returns an exception with the origin of a value in place of its name in Java. */
  private static IllegalArgumentException outOfRange(
      String prefix, Map<String, OptionValue> settings, Throwable thrown) {
    String message = Objects.requireNonNullElse(thrown.getMessage(), thrown.toString());
    int space = message.indexOf(' ');
    if (space > 0) {
      String name = prefix + name(message.substring(0, space));
      OptionValue setting = settings.get(name);
      message = (setting == null ? name : setting.origin()) + message.substring(space);
    }
    return new IllegalArgumentException(message, thrown);
  }

  private static Object value(RecordComponent component, Record limits) {
    try {
      return component.getAccessor().invoke(limits);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("limits are not public", impossible);
    }
  }

  private static String name(String javaName) {
    return javaName.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
