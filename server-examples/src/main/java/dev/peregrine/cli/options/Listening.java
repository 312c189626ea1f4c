package dev.peregrine.cli.options;

import dev.peregrine.server.Endpoint;
import dev.peregrine.server.handover.InheritedSockets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Reads an address to listen on. */
final class Listening {
  static final int PORT_MAX = 0xFFFF;

  /** The bytes of a path in an address of Linux, without the zero at its end. */
  private static final int PATH_BYTES_MAX = 107;

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
      return Endpoint.of(
          InheritedSockets.descriptor(
              new OptionValue(after, "the descriptor of " + setting.origin())
                  .number(0, Integer.MAX_VALUE)));
    }
    return text.startsWith("unix:")
        ? Endpoint.unix(socketFile(setting, text.substring("unix:".length()), FORMS))
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

  /**
   * Returns the absolute path of a Unix domain socket that a value names.
   *
   * @param text the part of the value that is the path
   * @param forms the forms of the whole value, for errors
   * @throws IllegalArgumentException if it is not a path in a directory that can be written to, is
   *     too long, or is that of another file
   */
  static Path socketFile(OptionValue setting, String text, String forms) {
    Path path;
    try {
      path = Path.of(text).toAbsolutePath();
    } catch (InvalidPathException invalid) {
      throw setting.mustBe(forms + ": " + invalid.getReason());
    }
    Path directory = path.getParent();
    if (text.isEmpty() || directory == null) {
      throw setting.mustBe(forms);
    }
    String problem = Directories.problem(directory);
    if (problem != null) {
      throw setting.wrong(", but the directory " + directory + problem);
    }
    if (Files.isRegularFile(path) || Files.isDirectory(path)) {
      throw setting.wrong(", but " + path + " exists and is not a socket");
    }
    if (path.toString().getBytes(StandardCharsets.UTF_8).length > PATH_BYTES_MAX) {
      throw setting.wrong(", but the path of a socket has " + PATH_BYTES_MAX + " bytes at most");
    }
    return path;
  }
}
