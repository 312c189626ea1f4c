package dev.peregrine.cli.options;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Options from a file with the syntax of Java's properties, in UTF-8: {@code tls-cert = cert.pem}.
 * A repeatable option has a line for each value; a limit is a line such as {@code
 * limit.keep-alive-time = 30s}.
 */
final class ConfigFile {
  private static final String LIMIT_PREFIX = Option.LIMIT.key() + ".";
  private static final String BYTE_ORDER_MARK = "\uFEFF"; // some editors begin a file with it

  private final Path file;
  private final Settings settings = new Settings();
  private final Map<String, Integer> lines = new HashMap<>(); // by the key that they set

  private ConfigFile(Path file) {
    this.file = file;
  }

  /**
   * Returns the options in a file.
   *
   * @throws IllegalArgumentException if the file can't be read, or a line is wrong; the message
   *     names the line
   */
  static Settings read(OptionValue config) {
    ConfigFile reading = new ConfigFile(config.path());
    reading.addAll(lines(config));
    return reading.settings;
  }

  private static List<String> lines(OptionValue config) {
    try {
      String text = Files.readString(config.path());
      return text.substring(text.startsWith(BYTE_ORDER_MARK) ? 1 : 0).lines().toList();
    } catch (NoSuchFileException missing) {
      throw config.wrong(", which doesn't exist");
    } catch (AccessDeniedException denied) {
      throw config.wrong(", which this user may not read");
    } catch (CharacterCodingException malformed) {
      throw config.wrong(", which is not in UTF-8");
    } catch (IOException failure) {
      throw config.wrong(", which can't be read: " + failure.getMessage());
    }
  }

  private void addAll(List<String> physical) {
    int line = 0;
    while (line < physical.size()) {
      int first = line;
      StringBuilder logical = new StringBuilder(physical.get(line++));
      boolean isComment = logical.toString().stripLeading().matches("[#!].*");
      while (!isComment && line < physical.size() && continues(logical)) {
        logical.append('\n').append(physical.get(line++));
      }
      add(first + 1, logical.toString());
    }
  }

  /** Returns true if a line ends with an odd number of backslashes. */
  private static boolean continues(CharSequence line) {
    int start = line.length();
    while (start > 0 && line.charAt(start - 1) == '\\') {
      start--;
    }
    return (line.length() - start) % 2 == 1;
  }

  private void add(int line, String text) {
    Properties one = new Properties();
    try {
      one.load(new StringReader(text));
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(place(line) + malformed.getMessage(), malformed);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    for (String key : one.stringPropertyNames()) {
      add(line, key, one.getProperty(key).strip());
    }
  }

  private void add(int line, String key, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(place(line) + key + " needs a value");
    }
    OptionValue setting = new OptionValue(value, place(line) + key);
    if (key.startsWith(LIMIT_PREFIX)) {
      checkIsFirst(key, line);
      settings.addLimit(key.substring(LIMIT_PREFIX.length()), setting);
      return;
    }
    Option option = Option.ofKey(key);
    if (option == null || !isAllowed(option)) {
      throw new IllegalArgumentException(
          place(line) + "unknown name " + key + Closest.question(key, names()));
    }
    if (!option.isRepeatable()) {
      checkIsFirst(key, line);
    }
    settings.add(option, setting);
  }

  private void checkIsFirst(String key, int line) {
    Integer earlier = lines.put(key, line);
    if (earlier != null) {
      throw new IllegalArgumentException(place(line) + key + " is set in line " + earlier + " too");
    }
  }

  private static boolean isAllowed(Option option) {
    return option.isSetting() && option != Option.LIMIT;
  }

  private static Stream<String> names() {
    return Arrays.stream(Option.values()).filter(ConfigFile::isAllowed).map(Option::key);
  }

  private String place(int line) {
    return file + OptionValue.LINE + line + ": ";
  }
}
