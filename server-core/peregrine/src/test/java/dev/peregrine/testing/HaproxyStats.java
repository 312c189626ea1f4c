package dev.peregrine.testing;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The state of servers as HAProxy sees them, read from its stats socket. */
public final class HaproxyStats {
  private final Path socket;

  /** Reads from a socket at that path, once HAProxy runs with {@link #configuration}. */
  public HaproxyStats(Path socket) {
    this.socket = socket;
  }

  /** Returns the section of the configuration that opens the socket. */
  public String configuration() {
    return "global\n  stats socket " + socket + "\n\n";
  }

  /** Returns true if HAProxy sends requests to a server. */
  public boolean isUp(String server) {
    return value(server, "status").equals("UP");
  }

  /** Returns true if HAProxy sends no requests to a server, and is connecting to it for none. */
  public boolean isLeft(String server) {
    return value(server, "status").startsWith("DOWN") && value(server, "scur").equals("0");
  }

  /** Returns one value of the statistics, a table of CSV whose first line names the columns. */
  private String value(String server, String column) {
    List<String> lines = read().lines().toList();
    List<String> names = Arrays.asList(lines.getFirst().split(","));
    return lines.stream()
        .map(line -> line.split(","))
        .filter(values -> values.length > 1 && values[names.indexOf("svname")].equals(server))
        .map(values -> values[names.indexOf(column)])
        .findFirst()
        .orElseThrow();
  }

  private String read() {
    try (Socket client = new UnixSocket(socket)) {
      client.getOutputStream().write(Requests.bytes("show stat\n"));
      return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException failed) {
      throw new AssertionError("HAProxy gives no statistics", failed);
    }
  }
}
