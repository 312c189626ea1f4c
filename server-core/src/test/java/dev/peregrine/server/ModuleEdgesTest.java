package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.RequestParser;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The dependencies between the packages of the module, as jdeps reports them, against the design.
 */
final class ModuleEdgesTest {
  private static final String CORE = "dev.peregrine.";
  private static final Pattern EDGE = Pattern.compile("\\s+(\\S+)\\s+->\\s+(\\S+)\\s+.*");

  /** A package of small parts without dependencies, which every package may use. */
  private static final String BASE = CORE + "base";

  private static final String HTTP = CORE + "http";
  private static final String ARRIVING = CORE + "http.arriving";
  private static final String CODING = CORE + "http.coding";
  private static final String HTTP_TEXT = CORE + "http.text";
  private static final String INFLATE = CORE + "http.coding.inflate";
  private static final String FILES = CORE + "http.files";
  private static final String TREE = CORE + "http.files.tree";
  private static final String FILTER = CORE + "http.filter";
  private static final String MULTIPART = CORE + "http.multipart";
  private static final String PATH = CORE + "http.path";
  private static final String ROUTE = CORE + "http.route";
  private static final String HTTP_WEBSOCKET = CORE + "http.websocket";
  private static final String SERVER = CORE + "server";
  private static final String CONFIG = CORE + "server.config";
  private static final String CONNECTION = CORE + "server.connection";
  private static final String EXCHANGE = CORE + "server.exchange";
  private static final String HTTP1 = CORE + "server.http1";
  private static final String HTTP2 = CORE + "server.http2";
  private static final String METRICS = CORE + "server.metrics";
  private static final String OBSERVE = CORE + "server.observe";
  private static final String ACCESS_LOG = CORE + "server.accesslog";
  private static final String DEFLATE = CORE + "server.websocket.deflate";
  private static final String HAND_OVER = CORE + "server.handover";
  private static final String JFR = CORE + "server.jfr";
  private static final String LOOP = CORE + "server.loop";
  private static final String HEAP = CORE + "server.transport.heap";
  private static final String EPOLL = CORE + "server.transport.epoll";
  private static final String SERVER_TLS = CORE + "server.tls";
  private static final String PEM = CORE + "server.tls.pem";
  private static final String JDK_TLS = CORE + "server.tls.jdk";
  private static final String OPENSSL_TLS = CORE + "server.tls.openssl";
  private static final String OPENSSL = CORE + "openssl";
  private static final String TLS = CORE + "tls";
  private static final String LINUX = CORE + "linux";
  private static final String MEMORY = CORE + "server.memory";
  private static final String PARSER = CORE + "parser";
  private static final String PROXY = CORE + "proxy";
  private static final String SERVER_PROXY = CORE + "server.proxy";
  private static final String PROTOCOL = CORE + "protocol";
  private static final String TESTING = CORE + "server.testing";
  private static final String WEB_SOCKET = CORE + "server.websocket";
  private static final String FRAMES = CORE + "parser.websocket";
  private static final String DELIMITERS = CORE + "parser.multipart";
  private static final String HPACK = CORE + "parser.hpack";
  private static final String PARSER_BODY = CORE + "parser.body";
  private static final String RECORDINGS = "jdk.jfr.consumer";
  private static final String RECORDER = "jdk.jfr";
  private static final String ANNOTATIONS = "org.jspecify";

  private static final String TRANSPORT = CORE + "server.transport";

  private static final String NIO = CORE + "server.transport.nio";

  private static final String WATCH = CORE + "server.loop.watch";

  private static final String ACCEPT = CORE + "server.accept";

  private static final String END = CORE + "server.end";

  private static final String START = CORE + "server.start";

  private static final String TLS_CONFIG = CORE + "server.tls.config";

  private static final String TEXT = CORE + "server.exchange.text";

  private static final String TUNNEL = CORE + "server.tunnel";

  private static final String TURN = CORE + "server.turn";

  private static final String LAYER = CORE + "server.layer";

  private static final String CONNECTION_FACTS = CORE + "server.connection.facts";

  private static final String FRAME = CORE + "server.http2.frame";

  private static final String HEAD = CORE + "server.http2.head";

  private static final String FLOW = CORE + "server.http2.flow";

  private static final String HTTP2_STREAM = CORE + "server.http2.stream";

  private static final String PACE = CORE + "server.pace";

  private static final String WEB_SOCKET_FRAME = CORE + "server.websocket.frame";

  private static final String HELLO = CORE + "server.tls.hello";

  private static final String CONTENT_BYTES = CORE + "server.exchange.bytes";

  private static final String FEATURES = CORE + "server.features";

  private static final String STATE = CORE + "server.exchange.state";

  private static final String MESSAGE = CORE + "server.exchange.message";

  private static final String RUN = CORE + "server.exchange.run";

  private static final String VIEW = CORE + "server.exchange.view";

  private static final ClassDesc STREAM = ClassDesc.of(STATE + ".HttpStream");

  /** Members of a request's head that only HTTP/1 has. */
  private static final Set<String> FRAMING =
      Set.of("isChunked", "contentLength", "isKeepAlive", "HTTP_1_0");

  /**
   * The dependencies of each package that the design allows. Those on the JDK and on annotations
   * are free.
   */
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry(
              SERVER,
              Set.of(
                  HTTP,
                  PROTOCOL,
                  PARSER,
                  CONFIG,
                  CONNECTION,
                  OBSERVE,
                  LOOP,
                  HEAP,
                  MEMORY,
                  PROXY,
                  TRANSPORT,
                  ACCEPT,
                  END,
                  START,
                  TLS_CONFIG,
                  FEATURES,
                  CONNECTION_FACTS,
                  LAYER)),
          Map.entry(
              HTTP1,
              Set.of(
                  HTTP,
                  PROTOCOL,
                  PARSER,
                  PARSER_BODY,
                  CONFIG,
                  CONNECTION,
                  EXCHANGE,
                  OBSERVE,
                  LOOP,
                  MEMORY,
                  TLS,
                  TRANSPORT,
                  TURN,
                  TEXT,
                  TUNNEL,
                  CONTENT_BYTES,
                  MESSAGE,
                  STATE,
                  LAYER)),
          Map.entry(
              HTTP2,
              Set.of(
                  HTTP,
                  PROTOCOL,
                  PARSER,
                  HPACK,
                  CONFIG,
                  CONNECTION,
                  EXCHANGE,
                  OBSERVE,
                  LOOP,
                  MEMORY,
                  TEXT,
                  TURN,
                  FLOW,
                  FRAME,
                  HEAD,
                  HTTP2_STREAM,
                  STATE)),
          Map.entry(
              WEB_SOCKET,
              Set.of(
                  HTTP,
                  PROTOCOL,
                  FRAMES,
                  DEFLATE,
                  CONFIG,
                  CONNECTION,
                  OBSERVE,
                  LOOP,
                  MEMORY,
                  TRANSPORT,
                  TUNNEL,
                  TURN,
                  PACE,
                  WEB_SOCKET_FRAME,
                  CONTENT_BYTES,
                  MESSAGE,
                  STATE,
                  TEXT)),
          Map.entry(
              EXCHANGE,
              Set.of(
                  HTTP,
                  PARSER,
                  CONNECTION,
                  OBSERVE,
                  LOOP,
                  TRANSPORT,
                  MESSAGE,
                  RUN,
                  STATE,
                  VIEW,
                  MEMORY,
                  TUNNEL)),
          Map.entry(
              STATE,
              Set.of(
                  HTTP,
                  PARSER,
                  PROTOCOL,
                  PROXY,
                  CONFIG,
                  CONNECTION,
                  CONTENT_BYTES,
                  TEXT,
                  LOOP,
                  MEMORY,
                  OBSERVE,
                  PACE,
                  TRANSPORT,
                  TUNNEL,
                  CONNECTION_FACTS)),
          Map.entry(
              MESSAGE,
              Set.of(
                  TURN,
                  HTTP,
                  PARSER,
                  PROTOCOL,
                  PROXY,
                  CONFIG,
                  CONNECTION,
                  CONTENT_BYTES,
                  STATE,
                  TEXT,
                  LOOP,
                  MEMORY,
                  OBSERVE,
                  PACE,
                  TUNNEL,
                  CONNECTION_FACTS)),
          Map.entry(RUN, Set.of(TURN, CONNECTION, MESSAGE, STATE, LOOP, MEMORY, TRANSPORT)),
          Map.entry(
              VIEW,
              Set.of(
                  TURN,
                  HTTP,
                  PATH,
                  PARSER,
                  PROTOCOL,
                  PROXY,
                  CONFIG,
                  CONNECTION,
                  CONTENT_BYTES,
                  MESSAGE,
                  RUN,
                  STATE,
                  TEXT,
                  LOOP,
                  MEMORY,
                  OBSERVE,
                  TRANSPORT,
                  TUNNEL,
                  TLS)),
          Map.entry(
              CONNECTION,
              Set.of(
                  CONFIG,
                  OBSERVE,
                  LOOP,
                  MEMORY,
                  TLS,
                  TRANSPORT,
                  TURN,
                  PACE,
                  LAYER,
                  CONNECTION_FACTS)),
          Map.entry(TURN, Set.of(LOOP, TRANSPORT)),
          Map.entry(CONNECTION_FACTS, Set.of(LOOP, MEMORY, OBSERVE, TLS, TRANSPORT)),
          Map.entry(LAYER, Set.of(CONFIG, LOOP, OBSERVE, PROXY, TLS, TRANSPORT)),
          Map.entry(
              JFR,
              Set.of(
                  HTTP,
                  PROTOCOL,
                  PARSER,
                  CONFIG,
                  TLS,
                  CONNECTION,
                  OBSERVE,
                  LOOP,
                  MEMORY,
                  RECORDER,
                  RECORDINGS,
                  WATCH,
                  START,
                  STATE,
                  CONNECTION_FACTS)),
          Map.entry(ACCESS_LOG, Set.of(HTTP, OBSERVE, PROTOCOL)),
          Map.entry(METRICS, Set.of(HTTP, PROTOCOL, OBSERVE)),
          Map.entry(OBSERVE, Set.of(HTTP, PROTOCOL, TLS)),
          Map.entry(DEFLATE, Set.of(PROTOCOL)),
          Map.entry(CONFIG, Set.of(PARSER)),
          Map.entry(HAND_OVER, Set.of(LINUX, ACCEPT, TRANSPORT)),
          Map.entry(HEAP, Set.of(TRANSPORT)),
          Map.entry(TESTING, Set.of(HTTP, PROTOCOL, SERVER)),
          Map.entry(EPOLL, Set.of(LINUX, TRANSPORT, MEMORY)),
          Map.entry(LOOP, Set.of(MEMORY, TRANSPORT)),
          Map.entry(SERVER_PROXY, Set.of(CONFIG, LOOP, OBSERVE, PROXY, TRANSPORT, LAYER)),
          Map.entry(
              SERVER_TLS, Set.of(CONFIG, LOOP, MEMORY, OBSERVE, TLS, TRANSPORT, HELLO, LAYER)),
          Map.entry(PEM, Set.of(SERVER_TLS)),
          Map.entry(JDK_TLS, Set.of(SERVER_TLS, TLS)),
          Map.entry(OPENSSL_TLS, Set.of(SERVER_TLS, OPENSSL, TLS)),
          Map.entry(ARRIVING, Set.of(HTTP)),
          Map.entry(CODING, Set.of(HTTP, INFLATE, PROTOCOL, ARRIVING)),
          Map.entry(INFLATE, Set.of(HTTP)),
          Map.entry(FILES, Set.of(HTTP, PROTOCOL, TREE)),
          Map.entry(TREE, Set.of(LINUX)),
          Map.entry(FILTER, Set.of(HTTP, PROTOCOL, PROXY)),
          Map.entry(MULTIPART, Set.of(HTTP, PROTOCOL, DELIMITERS, ARRIVING)),
          Map.entry(ROUTE, Set.of(HTTP, PATH, PROTOCOL)),
          Map.entry(HTTP_WEBSOCKET, Set.of(HTTP, PROTOCOL)),
          Map.entry(PATH, Set.of(HTTP)),
          Map.entry(TRANSPORT, Set.of(MEMORY, PROXY, TLS)),
          Map.entry(NIO, Set.of(TRANSPORT, MEMORY)),
          Map.entry(WATCH, Set.of(LOOP)),
          Map.entry(
              ACCEPT,
              Set.of(CONFIG, CONNECTION, HTTP1, LOOP, OBSERVE, TRANSPORT, CONNECTION_FACTS, LAYER)),
          Map.entry(TLS_CONFIG, Set.of(JDK_TLS, PEM, SERVER_TLS, LAYER)),
          Map.entry(
              START,
              Set.of(
                  LOOP,
                  MEMORY,
                  PARSER,
                  WATCH,
                  ACCEPT,
                  CONFIG,
                  CONNECTION,
                  HTTP,
                  OBSERVE,
                  PROTOCOL,
                  PROXY,
                  TRANSPORT,
                  END,
                  HTTP1,
                  NIO,
                  STATE,
                  CONNECTION_FACTS)),
          Map.entry(END, Set.of(ACCEPT, CONNECTION, LOOP, OBSERVE, CONNECTION_FACTS)),
          Map.entry(TUNNEL, Set.of(CONNECTION, LOOP, MEMORY, OBSERVE)),
          Map.entry(TEXT, Set.of(CONNECTION, HTTP, LOOP, PARSER, PROTOCOL, TLS, TRANSPORT, PROXY)),
          Map.entry(PACE, Set.of(CONFIG, HTTP, TRANSPORT, LOOP)),
          Map.entry(
              HEAD,
              Set.of(CONNECTION, FRAME, HPACK, HTTP, MEMORY, PARSER, PROTOCOL, TEXT, TRANSPORT)),
          Map.entry(
              WEB_SOCKET_FRAME,
              Set.of(FRAMES, HTTP, MEMORY, DEFLATE, CONFIG, OBSERVE, CONTENT_BYTES)),
          Map.entry(
              HTTP2_STREAM,
              Set.of(
                  HTTP,
                  PROTOCOL,
                  PARSER,
                  CONFIG,
                  CONNECTION,
                  EXCHANGE,
                  OBSERVE,
                  LOOP,
                  MEMORY,
                  TEXT,
                  TUNNEL,
                  FLOW,
                  FRAME,
                  HEAD,
                  PACE,
                  CONTENT_BYTES,
                  MESSAGE,
                  STATE)),
          Map.entry(FLOW, Set.of(FRAME, HEAD, MEMORY, PACE, TEXT)),
          Map.entry(FRAME, Set.of(CONFIG, HPACK, MEMORY, PARSER, TRANSPORT)),
          Map.entry(CONTENT_BYTES, Set.of(HTTP, MEMORY)),
          Map.entry(HELLO, Set.of(OBSERVE, PROTOCOL)),
          Map.entry(
              FEATURES,
              Set.of(
                  ACCEPT,
                  CONFIG,
                  CONNECTION,
                  DEFLATE,
                  EPOLL,
                  HAND_OVER,
                  HTTP2,
                  JFR,
                  LINUX,
                  PARSER,
                  PROTOCOL,
                  PROXY,
                  SERVER_PROXY,
                  START,
                  TRANSPORT,
                  WEB_SOCKET,
                  MEMORY,
                  OPENSSL_TLS,
                  SERVER_TLS,
                  TLS_CONFIG,
                  STATE,
                  LAYER)),
          Map.entry(HTTP, Set.of(HTTP_TEXT, PROTOCOL, PROXY, TLS)));

  @Test
  void dependsOnlyOnPackagesThatTheDesignAllows() throws Exception {
    Map<String, Set<String>> edges = edges();

    assertThat(edges.keySet()).isEqualTo(ALLOWED.keySet());
    edges.forEach(
        (from, to) -> assertThat(ALLOWED.get(from)).as("who %s may know", from).containsAll(to));
  }

  @Test
  void allowsOnlyDependenciesThatExist() throws Exception {
    Map<String, Set<String>> edges = edges();

    ALLOWED.forEach(
        (from, to) -> assertThat(edges.get(from)).as("whom %s knows", from).containsAll(to));
  }

  @Test
  void hasOneStreamForEachVersionOfHttp() throws Exception {
    List<String> streams = new ArrayList<>();
    for (ClassModel type : classes("dev/peregrine")) {
      if (type.superclass().filter(name -> name.asSymbol().equals(STREAM)).isPresent()) {
        streams.add(type.thisClass().asInternalName());
      }
    }

    assertThat(streams)
        .containsExactlyInAnyOrder(
            "dev/peregrine/server/http1/Http1Stream",
            "dev/peregrine/server/http2/stream/Http2Stream");
  }

  @Test
  void keepsTheFramingOfHttp1OutOfExchanges() throws Exception {
    List<String> found = new ArrayList<>();
    for (ClassModel type : classes("dev/peregrine/server/exchange")) {
      for (PoolEntry entry : type.constantPool()) {
        if (entry instanceof MemberRefEntry member
            && FRAMING.contains(member.name().stringValue())) {
          found.add(type.thisClass().asInternalName() + " uses " + member.name());
        }
      }
    }

    assertThat(found).isEmpty();
  }

  private static List<ClassModel> classes(String folder) throws Exception {
    URI main = HttpServer.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    List<ClassModel> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of(main).resolve(folder))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        found.add(ClassFile.of().parse(file));
      }
    }
    assertThat(found).isNotEmpty();
    return found;
  }

  private static Map<String, Set<String>> edges() throws URISyntaxException {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(output),
                new PrintWriter(errors),
                "-verbose:package",
                "-filter:none",
                "--multi-release",
                "base",
                "--ignore-missing-deps",
                "--module-path",
                locations(RequestParser.class),
                locations(HttpServer.class));
    assertThat(code).as("jdeps: %s%s", errors, output).isZero();
    Map<String, Set<String>> edges = new TreeMap<>();
    output
        .toString()
        .lines()
        .map(EDGE::matcher)
        .filter(Matcher::matches)
        .forEach(
            edge -> {
              String from = edge.group(1);
              String to = edge.group(2);
              boolean own =
                  from.startsWith(CORE) && !from.startsWith(PARSER) && !from.startsWith(PROTOCOL);
              boolean told =
                  !from.equals(to)
                      && !to.startsWith("java.")
                      && !to.startsWith("javax.") // its TLS
                      && !to.startsWith(ANNOTATIONS)
                      && !to.equals(BASE);
              if (own && told) {
                edges.computeIfAbsent(from, absent -> new TreeSet<>()).add(to);
              }
            });
    return edges;
  }

  /** Returns the folders or jars of classes that the tests run with, as a path. */
  private static String locations(Class<?>... classes) throws URISyntaxException {
    List<String> paths = new ArrayList<>();
    for (Class<?> one : classes) {
      URL location = one.getProtectionDomain().getCodeSource().getLocation();
      paths.add(Path.of(location.toURI()).toString());
    }
    return String.join(File.pathSeparator, paths);
  }
}
