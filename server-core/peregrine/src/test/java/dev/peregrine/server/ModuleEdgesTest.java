package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.OwnCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * The dependencies between the packages of all modules, as jdeps reports them, against the design.
 */
final class ModuleEdgesTest {
  private static final String OWN = "dev.peregrine.";
  private static final Pattern EDGE = Pattern.compile("\\s+(\\S+)\\s+->\\s+(\\S+)\\s+.*");

  /** Packages without dependencies of their own here, which are not looked at. */
  private static final List<String> LEAVES =
      List.of("dev.peregrine.parser", "dev.peregrine.protocol");

  /**
   * Packages that each package may use: the JDK's (its TLS is in {@code javax}), annotations, and
   * small parts without dependencies.
   */
  private static final List<String> FREE =
      List.of("java.", "javax.", "org.jspecify", "dev.peregrine.base");

  private static final ClassDesc STREAM =
      ClassDesc.of("dev.peregrine.server.exchange.state.HttpStream");

  private static final ClassDesc RELIEVED = ClassDesc.of("dev.peregrine.server.loop.Relieved");

  /** Members of a request's head that only HTTP/1 has. */
  private static final Set<String> FRAMING =
      Set.of("isChunked", "contentLength", "isKeepAlive", "HTTP_1_0");

  /**
   * The packages that each package may use beside the free ones, without {@code dev.peregrine.}, in
   * the order of the alphabet.
   */
  private static final Map<String, Set<String>> ALLOWED =
      rows(
          """
          http: http.host http.text protocol proxy tls
          http.arriving: http
          http.coding: http http.arriving http.coding.inflate protocol
          http.coding.inflate: http
          http.context: http protocol
          http.events: http protocol
          http.files: http http.coding http.files.tree protocol
          http.files.tree: linux
          http.filter: http protocol proxy
          http.lines: http http.arriving parser.body
          http.multipart: http http.arriving parser.multipart protocol
          http.path: http
          http.route: http http.host http.path protocol
          http.websocket: http protocol
          server: http parser protocol proxy server.accept server.config server.connection
            server.connection.facts server.end server.layer server.loop server.memory server.observe
            server.start
          server.accept: server.config server.connection server.connection.facts server.http1
            server.layer server.loop server.observe server.transport
          server.accesslog: http http.context protocol server.observe
          server.config: parser
          server.connection: server.config server.connection.facts server.layer server.loop
            server.memory server.memory.lease server.observe server.pace server.transport
            server.turn tls
          server.connection.facts: server.loop server.memory server.observe server.transport tls
          server.end: server.accept server.connection server.connection.facts server.loop
            server.observe
          server.epoll: linux server.config server.start server.transport server.transport.epoll
          server.exchange: http parser server.connection server.exchange.message server.exchange.run
            server.exchange.state server.exchange.view server.loop server.memory server.observe
            server.tunnel
          server.exchange.bytes: http http.arriving server.loop server.memory server.memory.lease
          server.exchange.message: http parser protocol proxy server.config server.connection
            server.connection.facts server.exchange.bytes server.exchange.state server.exchange.text
            server.loop server.memory server.observe server.pace server.tunnel server.turn
          server.exchange.run: server.connection server.exchange.message server.exchange.state
            server.loop server.memory server.memory.lease server.transport server.turn
          server.exchange.state: http parser protocol proxy server.config server.connection
            server.connection.facts server.exchange.bytes server.exchange.text server.loop
            server.memory server.observe server.pace server.transport server.tunnel
          server.exchange.text: http parser protocol proxy server.connection server.loop
            server.transport tls
          server.exchange.view: http http.arriving http.context http.host http.path parser protocol proxy
            server.config server.connection server.exchange.bytes server.exchange.message
            server.exchange.run server.exchange.state server.exchange.text server.loop server.memory
            server.memory.lease server.observe server.transport server.tunnel server.turn tls
          server.handover: linux server server.accept server.config server.start server.transport
          server.http1: http parser parser.body protocol server.config server.connection
            server.exchange server.exchange.bytes server.exchange.message server.exchange.state
            server.exchange.text server.layer server.loop server.memory server.observe
            server.transport server.tunnel server.turn tls
          server.http2: http parser parser.hpack protocol server.config server.connection
            server.exchange server.exchange.state server.exchange.text server.http2.flow
            server.http2.frame server.http2.head server.http2.stream server.loop server.memory
            server.observe server.start server.transport server.turn
          server.http2.flow: server.exchange.text server.http2.frame server.http2.head server.memory
            server.pace
          server.http2.frame: parser parser.hpack server.config server.memory
          server.http2.head: http parser parser.hpack protocol server.connection
            server.exchange.text server.http2.frame server.memory
          server.http2.stream: http parser protocol server.config server.connection server.exchange
            server.exchange.bytes server.exchange.message server.exchange.state server.exchange.text
            server.http2.flow server.http2.frame server.http2.head server.loop server.memory
            server.observe server.pace server.tunnel
          server.jfr: http http.context jdk.jfr jdk.jfr.consumer parser protocol server.config
            server.connection server.connection.facts server.exchange.state server.loop
            server.loop.watch server.memory server.observe server.start tls
          server.layer: proxy server.config server.loop server.observe server.transport tls
          server.loop: server.config server.memory server.memory.lease server.transport
          server.loop.watch: server.loop
          server.memory: server.config server.memory.lease
          server.metrics: http http.context protocol server.observe
          server.observe: http protocol tls
          server.pace: http server.config server.loop server.transport
          server.proxy: proxy server.config server.layer server.loop server.observe server.transport
          server.sockets: linux server.config server.loop server.start server.transport
            server.transport.epoll server.transport.nio server.turn
          server.start: http parser protocol proxy server.accept server.config server.connection
            server.connection.facts server.end server.exchange.state server.http1 server.loop
            server.loop.watch server.memory server.observe server.transport server.transport.nio
          server.testing: http parser protocol server server.accept server.config server.connection
            server.connection.facts server.loop server.start server.transport server.transport.heap
          server.tls: server.layer server.tls.config server.tls.openssl
          server.tls.config: server.layer server.tls.jdk server.tls.layer server.tls.pem
          server.tls.hello: protocol server.observe
          server.tls.jdk: server.observe server.tls.layer tls
          server.tls.layer: server.config server.layer server.loop server.memory server.observe
            server.tls.hello server.transport tls
          server.tls.openssl: openssl server.observe server.tls.config server.tls.layer tls
          server.tls.pem: server.tls.layer
          server.transport: proxy server.config server.memory tls
          server.transport.epoll: linux server.config server.memory server.transport
          server.transport.heap: server.transport
          server.transport.nio: server.config server.memory server.transport
          server.tunnel: server.connection server.loop server.memory server.observe
          server.turn: server.loop
          server.websocket: http parser.websocket protocol server.config server.connection
            server.exchange.bytes server.exchange.message server.exchange.state server.exchange.text
            server.loop server.memory server.memory.lease server.observe server.pace server.start
            server.transport server.tunnel server.turn server.websocket.deflate
            server.websocket.frame
          server.websocket.deflate: protocol
          server.websocket.frame: http parser.websocket server.config server.exchange.bytes
            server.memory server.observe server.websocket.deflate
          """);

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

  @Test
  void keepsLeftTurnsOutOfAllThatThrowsOrCatches() throws Exception {
    Set<String> found = new TreeSet<>();
    for (ClassModel type : classes("dev/peregrine")) {
      for (PoolEntry entry : type.constantPool()) {
        if (entry instanceof ClassEntry used && used.asSymbol().equals(RELIEVED)) {
          found.add(type.thisClass().asInternalName());
        }
      }
    }

    assertThat(found)
        .as("who throws it, who ends it, and nobody between them")
        .containsExactly(
            "dev/peregrine/server/exchange/run/CarriedHandler",
            "dev/peregrine/server/exchange/run/HandlerRun",
            "dev/peregrine/server/loop/EventLoop",
            "dev/peregrine/server/loop/Relieved",
            "dev/peregrine/server/turn/CarriedWork");
  }

  private static List<ClassModel> classes(String folder) throws IOException {
    List<ClassModel> found =
        OwnCode.classes().stream()
            .filter(type -> type.thisClass().asInternalName().startsWith(folder))
            .toList();
    assertThat(found).isNotEmpty();
    return found;
  }

  private static Map<String, Set<String>> edges() {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    List<String> command = new ArrayList<>();
    command.addAll(List.of("-verbose:package", "-filter:none", "--multi-release", "base"));
    command.addAll(List.of("--ignore-missing-deps", "--module-path"));
    command.add(OwnCode.path(OwnCode.origins()));
    OwnCode.origins().forEach(origin -> command.add(origin.toString()));
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(new PrintWriter(output), new PrintWriter(errors), command.toArray(String[]::new));
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
              boolean own = from.startsWith(OWN) && !startsWithAny(from, LEAVES);
              if (own && !from.equals(to) && !startsWithAny(to, FREE)) {
                edges
                    .computeIfAbsent(shortened(from), absent -> new TreeSet<>())
                    .add(shortened(to));
              }
            });
    return edges;
  }

  /** Reads a table: a row begins with a name and a colon, and may go on in further lines. */
  private static Map<String, Set<String>> rows(String table) {
    Map<String, Set<String>> rows = new TreeMap<>();
    for (String row : table.strip().split("\n(?! )", -1)) {
      String[] nameAndRest = row.split(":", -1);
      Set<String> used = new TreeSet<>(List.of(nameAndRest[1].strip().split("\\s+", -1)));
      assertThat(rows.put(nameAndRest[0], used)).as("rows of %s", nameAndRest[0]).isNull();
    }
    return rows;
  }

  private static boolean startsWithAny(String name, List<String> starts) {
    return starts.stream().anyMatch(name::startsWith);
  }

  private static String shortened(String name) {
    return name.startsWith(OWN) ? name.substring(OWN.length()) : name;
  }
}
