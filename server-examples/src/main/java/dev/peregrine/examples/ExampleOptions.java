package dev.peregrine.examples;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.TcpEndpoint;
import dev.peregrine.server.TransportKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@link ExampleServer} and {@link ConformanceTarget}.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 takes a free one
 * @param loops number of event loops; 0 for one per processor
 * @param scanner how request heads are scanned; null for the fastest that works
 * @param transport how sockets are used
 * @param reusePort whether every loop listens for itself
 * @param tls the options for TLS
 * @param files directory whose files are served; null for none
 * @param train whether to send requests to itself and stop, see {@link Training}
 * @param version whether to print only the version
 * @param help whether to print only {@link #USAGE}
 */
record ExampleOptions(
    String host,
    int port,
    int loops,
    @Nullable ScannerKind scanner,
    TransportKind transport,
    boolean reusePort,
    TlsOptions tls,
    @Nullable Path files,
    boolean train,
    boolean version,
    boolean help) {
  static final String USAGE =
      """
      usage: java [--add-modules jdk.incubator.vector] -jar peregrine.jar [option ...]
        --host NAME       address to listen on (127.0.0.1)
        --port N          port to listen on, 0 for a free one (8080)
        --loops N         event loops (one per processor)
        --scanner KIND    vector, swar or scalar (the fastest that works)
        --transport KIND  auto, nio or epoll (auto)
        --reuse-port      every loop listens for itself (SO_REUSEPORT)
        --tls-cert FILE   serve HTTPS too, with this certificate and its chain (PEM; reloaded when it changes)
        --tls-key FILE    private key of the certificate (PEM)
        --tls-self-signed serve HTTPS too, with a certificate for development
        --tls-port N      port for HTTPS (8443)
        --tls-engine KIND %s (auto)
        --files DIR       serve the files of a directory below /files/
        --train           send requests to itself and stop, to create an AOT cache
        --version         print the version, its commit, and the JDK
        --help            print this
      A value can also be attached: --port=8080
      """
          .formatted(TlsOptions.engines());

  private static final int PORT_MAX = 0xFFFF;
  private static final int LOOPS_MAX = 1024;

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException naming the option that is unknown or has a bad value
   */
  static ExampleOptions parse(String... args) {
    String host = "127.0.0.1";
    int port = 8080;
    int loops = 0;
    ScannerKind scanner = null;
    TransportKind transport = TransportKind.AUTO;
    boolean reusePort = false;
    TlsOptions tls = TlsOptions.NONE;
    Path files = null;
    boolean train = false;
    boolean help = false;
    boolean version = false;
    CommandLine line = new CommandLine(args);
    while (line.hasNext()) {
      String option = line.next();
      switch (option) {
        case "--host" -> host = line.value();
        case "--port" -> port = line.number(0, PORT_MAX);
        case "--loops" -> loops = line.number(1, LOOPS_MAX);
        case "--scanner" -> scanner = scanner(option, line.value());
        case "--transport" -> transport = transport(option, line.value());
        case "--reuse-port" -> reusePort = line.flag();
        case "--files" -> files = directory(option, line.value());
        case "--train" -> train = line.flag();
        case "--version", "-V" -> version = line.flag();
        case "--help", "-h" -> help = line.flag();
        default -> tls = tls.with(option, line);
      }
    }
    return new ExampleOptions(
        host, port, loops, scanner, transport, reusePort, tls, files, train, version, help);
  }

  /** Returns a builder for a server with these options, without a handler. */
  HttpServerBuilder builder() {
    TcpEndpoint plain = Endpoint.tcp(host, port).withReusePort(reusePort);
    HttpServerBuilder builder = HttpServer.builder().transport(transport).endpoint(plain);
    if (tls.isGiven()) {
      builder.endpoint(Endpoint.tcp(host, tls.port()).withReusePort(reusePort).withTls(tls.tls()));
    }
    if (loops > 0) {
      builder.loops(loops);
    }
    if (scanner != null) {
      builder.scanner(scanner);
    }
    return builder;
  }

  private static Path directory(String option, String text) {
    Path path = Path.of(text);
    if (!Files.isDirectory(path)) {
      throw new IllegalArgumentException(option + " is " + path + ", which is not a directory");
    }
    return path;
  }

  private static TransportKind transport(String option, String text) {
    TransportKind kind =
        switch (text.toLowerCase(Locale.ROOT)) {
          case "auto" -> TransportKind.AUTO;
          case "nio" -> TransportKind.NIO;
          case "epoll" -> TransportKind.EPOLL;
          default ->
              throw new IllegalArgumentException(
                  option + " is " + text + ", but must be auto, nio or epoll");
        };
    String problem = kind == TransportKind.EPOLL ? TransportKind.epollProblem() : null;
    if (problem != null) {
      throw new IllegalArgumentException(option + " " + text + " doesn't work here: " + problem);
    }
    return kind;
  }

  private static ScannerKind scanner(String option, String text) {
    ScannerKind kind =
        switch (text.toLowerCase(Locale.ROOT)) {
          case "vector" -> ScannerKind.VECTOR;
          case "swar" -> ScannerKind.SWAR;
          case "scalar" -> ScannerKind.SCALAR;
          default ->
              throw new IllegalArgumentException(
                  option + " is " + text + ", but must be vector, swar or scalar");
        };
    String problem = kind == ScannerKind.VECTOR ? ScannerKind.vectorProblem() : null;
    if (problem != null) {
      throw new IllegalArgumentException(option + " " + text + " doesn't work here: " + problem);
    }
    return kind;
  }
}
