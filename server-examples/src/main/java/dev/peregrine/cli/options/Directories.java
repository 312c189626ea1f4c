package dev.peregrine.cli.options;

import dev.peregrine.http.host.HostMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks of directories, and of files in them, that are named by options. */
final class Directories {
  private Directories() {}

  /**
   * Returns the directory that an option names.
   *
   * @throws IllegalArgumentException if it is not a directory that can be read
   */
  static Path check(OptionValue setting) {
    Path path = setting.path();
    if (!Files.isDirectory(path)) {
      throw setting.wrong(
          Files.exists(path) ? ", which is not a directory" : ", which doesn't exist");
    }
    if (!Files.isReadable(path) || !Files.isExecutable(path)) {
      throw setting.wrong(", which this user may not read");
    }
    return path;
  }

  /**
   * Returns directories by host, of options with values such as {@code example.org=DIR}.
   *
   * @throws IllegalArgumentException if a host or a directory is wrong, or two hosts are the same
   */
  static Map<String, Path> bySite(List<OptionValue> settings) {
    Map<String, Path> sites = new LinkedHashMap<>();
    for (OptionValue setting : settings) {
      int equals = setting.value().indexOf('=');
      if (equals <= 0 || equals == setting.value().length() - 1) {
        throw setting.mustBe("HOST=DIR");
      }
      String host = setting.value().substring(0, equals);
      Path directory =
          check(
              new OptionValue(
                  setting.value().substring(equals + 1), setting.origin() + " " + host));
      Path same = sites.put(host, directory);
      try {
        HostMap<Path> ignored = HostMap.of(sites);
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(setting.origin() + ": " + wrong.getMessage(), wrong);
      }
      if (same != null) {
        throw new IllegalArgumentException(setting.origin() + " names the host " + host + " twice");
      }
    }
    return sites;
  }

  /**
   * Checks that a file can be written, or created.
   *
   * @throws IllegalArgumentException if it can't
   */
  static void checkIsWritable(OptionValue setting) {
    Path file = setting.path().toAbsolutePath();
    if (Files.isDirectory(file)) {
      throw setting.wrong(", which is a directory");
    }
    if (Files.exists(file)) {
      if (!Files.isWritable(file)) {
        throw setting.wrong(", which can't be written");
      }
      return;
    }
    Path directory = file.getParent();
    String problem = directory == null ? null : problem(directory);
    if (problem != null) {
      throw setting.wrong(", but the directory " + directory + problem);
    }
  }

  /** Returns what keeps files from being created in a directory; null if nothing does. */
  static @Nullable String problem(Path directory) {
    if (!Files.isDirectory(directory)) {
      return " doesn't exist";
    }
    return Files.isWritable(directory) ? null : " can't be written to";
  }
}
