package dev.peregrine.cli;

import dev.peregrine.cli.options.ServerOptions;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
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
        .append(transport(server, options).name().toLowerCase(Locale.ROOT))
        .append(", ")
        .append(scanner(server, options))
        .append(" scanner), started in ")
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

  /** Returns the transport that the server will use when it has started completely. */
  private static TransportKind transport(HttpServer server, ServerOptions options) {
    return options.choosesTransport() || TransportKind.plainEpollProblem() != null
        ? server.transport()
        : TransportKind.EPOLL;
  }

  /** Returns the scanner that requests will be scanned with once that pays. */
  private static String scanner(HttpServer server, ServerOptions options) {
    boolean becomesVector = !options.choosesScanner() && ScannerKind.plainVectorProblem() == null;
    ScannerKind kind = becomesVector ? ScannerKind.VECTOR : server.scanner();
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
