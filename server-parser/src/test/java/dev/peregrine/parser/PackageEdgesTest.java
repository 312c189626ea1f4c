package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * The dependencies between the packages of the module, as jdeps reports them, against the design.
 */
final class PackageEdgesTest {
  private static final Pattern EDGE = Pattern.compile("\\s+(\\S+)\\s+->\\s+(\\S+)\\s+.*");

  private static final String PROTOCOL = "dev.peregrine.protocol";
  private static final String GRAMMAR = "dev.peregrine.protocol.grammar";
  private static final String PARSER = "dev.peregrine.parser";
  private static final String BODY = "dev.peregrine.parser.body";
  private static final String HPACK = "dev.peregrine.parser.hpack";
  private static final String MULTIPART = "dev.peregrine.parser.multipart";
  private static final String WEBSOCKET = "dev.peregrine.parser.websocket";
  private static final String FIELD = "dev.peregrine.parser.field";
  private static final String VALUE = "dev.peregrine.parser.value";
  private static final String SCAN = "dev.peregrine.parser.scan";
  private static final String VECTOR = "dev.peregrine.parser.vector";
  private static final String VECTOR_API = "jdk.incubator.vector";

  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry(PROTOCOL, Set.of(GRAMMAR)),
          Map.entry(GRAMMAR, Set.of()),
          Map.entry(SCAN, Set.of(PROTOCOL, GRAMMAR)),
          Map.entry(FIELD, Set.of(SCAN, PROTOCOL, GRAMMAR)),
          Map.entry(VECTOR, Set.of(FIELD, SCAN, GRAMMAR, VECTOR_API)),
          Map.entry(VALUE, Set.of(FIELD, SCAN, PROTOCOL, GRAMMAR)),
          Map.entry(PARSER, Set.of(FIELD, SCAN, VALUE, VECTOR, PROTOCOL, GRAMMAR)),
          Map.entry(HPACK, Set.of(PARSER, FIELD, SCAN, PROTOCOL, GRAMMAR)),
          Map.entry(MULTIPART, Set.of(SCAN, VECTOR, GRAMMAR)),
          Map.entry(WEBSOCKET, Set.of(SCAN, VECTOR, GRAMMAR)),
          Map.entry(BODY, Set.of(PARSER, FIELD, SCAN, PROTOCOL, GRAMMAR)));

  @Test
  void everyPackageDependsOnExactlyWhatTheDesignNames() throws Exception {
    assertThat(edges()).isEqualTo(new TreeMap<>(ALLOWED));
  }

  private static Map<String, Set<String>> edges() throws URISyntaxException {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    Path classes =
        Path.of(RequestParser.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(output),
                new PrintWriter(errors),
                "-verbose:package",
                "-filter:none",
                "--add-modules",
                VECTOR_API,
                "--ignore-missing-deps",
                classes.toString());
    assertThat(code).as("jdeps: %s%s", errors, output).isZero();
    Map<String, Set<String>> edges = new TreeMap<>();
    ALLOWED.keySet().forEach(name -> edges.put(name, new TreeSet<>()));
    output
        .toString()
        .lines()
        .map(EDGE::matcher)
        .filter(Matcher::matches)
        .map(edge -> Map.entry(edge.group(1), edge.group(2)))
        .filter(PackageEdgesTest::isOurs)
        .forEach(
            edge ->
                edges
                    .computeIfAbsent(edge.getKey(), absent -> new TreeSet<>())
                    .add(edge.getValue()));
    return edges;
  }

  /** Edges to the JDK's stable packages and to annotations are free. */
  private static boolean isOurs(Entry<String, String> edge) {
    boolean own = edge.getKey().startsWith("dev.peregrine.");
    boolean held =
        edge.getValue().startsWith("dev.peregrine.") || edge.getValue().equals(VECTOR_API);
    return own && held && !edge.getKey().equals(edge.getValue());
  }
}
