package dev.peregrine.cli;

import dev.peregrine.cli.options.ServerOptions;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.epoll.Epoll;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The line that a server which has started prints. */
final class Greeting {
  private Greeting() {}

  /** Returns the line: where the server listens, what it speaks there, and how it works. */
  static String of(HttpServer server, ServerOptions options, Duration startTime) {
    StringBuilder line = new StringBuilder("Peregrine serves ");
    List<SocketAddress> addresses = server.addresses();
    String separator = "";
    for (int i = 0; i < addresses.size(); i++) {
      for (String url : urls(addresses.get(i), options.isSecure(i))) {
        line.append(separator).append(url);
        separator = ", ";
      }
    }
    return line.append(" (HTTP/1.1 and HTTP/2; ")
        .append(transport(server, options))
        .append("; scanner ")
        .append(scanner(server, options))
        .append("), started in ")
        .append(startTime.toMillis())
        .append(" ms")
        .toString();
  }

  private static List<String> urls(SocketAddress address, boolean isSecure) {
    String scheme = isSecure ? "https" : "http";
    return address instanceof InetSocketAddress tcp
        ? Urls.of(scheme, tcp)
        : List.of((isSecure ? "https on unix:" : "unix:") + address);
  }

  /** Returns the transport at present, and the one that the server moves to. */
  private static String transport(HttpServer server, ServerOptions options) {
    boolean moves = !options.choosesTransport() && Epoll.knownProblem() == null;
    return change(server.transport(), moves ? TransportKind.EPOLL : server.transport());
  }

  /** Returns the scanner at present, and the one that scans requests once that pays. */
  private static String scanner(HttpServer server, ServerOptions options) {
    boolean changes = !options.choosesScanner() && ScannerKind.plainVectorProblem() == null;
    return change(server.scanner(), changes ? ScannerKind.VECTOR : server.scanner());
  }

  private static String change(Enum<?> now, Enum<?> later) {
    String text = now.name().toLowerCase(Locale.ROOT);
    return now == later ? text : text + ", then " + later.name().toLowerCase(Locale.ROOT);
  }
}
