package dev.peregrine.cli.options;

import dev.peregrine.server.Endpoint;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads an address to listen on. */
final class Listening {
  static final int PORT_MAX = 0xFFFF;

  private static final String FORMS = "HOST:PORT, [IPv6]:PORT, unix:PATH or fd:N";

  private Listening() {}

  /**
   * Returns an endpoint without TLS for an address.
   *
   * @throws IllegalArgumentException if the address has another form
   */
  static Endpoint parse(OptionValue setting, boolean reusePort) {
    String text = setting.value();
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw setting.mustBe(FORMS);
    }
    String before = text.substring(0, colon);
    String after = text.substring(colon + 1);
    if (before.equals("fd")) {
      return Endpoint.descriptor(
          new OptionValue(after, "the descriptor of " + setting.origin())
              .number(0, Integer.MAX_VALUE));
    }
    return text.startsWith("unix:")
        ? unix(setting, text.substring("unix:".length()))
        : tcp(setting, before, after, reusePort);
  }

  private static Endpoint tcp(OptionValue setting, String host, String port, boolean reusePort) {
    boolean isIpv6 = host.startsWith("[") && host.endsWith("]");
    String name = isIpv6 ? host.substring(1, host.length() - 1) : host;
    if (name.isEmpty() || isIpv6 != name.indexOf(':') >= 0) {
      throw setting.mustBe(FORMS);
    }
    int number = new OptionValue(port, "the port of " + setting.origin()).number(0, PORT_MAX);
    return Endpoint.tcp(name, number).withReusePort(reusePort);
  }

  private static Endpoint unix(OptionValue setting, String text) {
    Path path;
    try {
      path = Path.of(text).toAbsolutePath();
    } catch (InvalidPathException invalid) {
      throw setting.mustBe(FORMS + ": " + invalid.getReason());
    }
    Path directory = path.getParent();
    if (text.isEmpty() || directory == null) {
      throw setting.mustBe(FORMS);
    }
    String problem = problem(directory);
    if (problem != null) {
      throw setting.wrong(", but the directory " + directory + problem);
    }
    return Endpoint.unix(path);
  }

  private static @Nullable String problem(Path directory) {
    if (!Files.isDirectory(directory)) {
      return " doesn't exist";
    }
    return Files.isWritable(directory) ? null : " can't be written to";
  }
}
