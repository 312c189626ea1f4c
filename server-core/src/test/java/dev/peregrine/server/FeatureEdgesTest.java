package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The classes that name an optional part of the server. The server's own packages know the seams of
 * these parts only, so that each part can have an artifact of its own.
 */
final class FeatureEdgesTest {
  private static final String OWN = "dev/peregrine/";
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L(dev/peregrine/[\\w/$]+)[;<]");

  /** The packages of optional parts, with those below them. */
  private static final List<String> PARTS =
      List.of(
          "linux",
          "openssl",
          "server.accesslog",
          "server.handover",
          "server.http2",
          "server.jfr",
          "server.metrics",
          "server.proxy",
          "server.testing",
          "server.tls",
          "server.transport.epoll",
          "server.transport.heap",
          "server.websocket");

  /**
   * Who names which parts. Beside the one class of features, these are the public faces of TLS and
   * of the tests in memory, and those that use system calls where there are some.
   */
  private static final Map<String, Set<String>> NAMED =
      Map.of(
          "http.files.FileState", Set.of("linux"),
          "http.files.LinuxTree", Set.of("linux"),
          "server.InMemoryServer", Set.of("server.transport.heap"),
          "server.Tls", Set.of("server.tls"),
          "server.features.Features",
              Set.of(
                  "linux",
                  "server.handover",
                  "server.http2",
                  "server.jfr",
                  "server.proxy",
                  "server.transport.epoll",
                  "server.websocket"),
          "server.memory.DirectMemory", Set.of("linux"));

  @Test
  void namesOptionalPartsNowhereElse() throws Exception {
    URI main = HttpServer.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Map<String, Set<String>> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Path.of(main))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        ClassModel type = ClassFile.of().parse(file);
        String name = outermost(type.thisClass().asInternalName());
        if (partOf(name).isEmpty()) {
          Set<String> parts = parts(type);
          if (!parts.isEmpty()) {
            found.computeIfAbsent(name, absent -> new TreeSet<>()).addAll(parts);
          }
        }
      }
    }

    assertThat(found).isEqualTo(NAMED);
  }

  private static Set<String> parts(ClassModel type) {
    Set<String> parts = new TreeSet<>();
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof ClassEntry used) {
        parts.add(partOf(outermost(used.asInternalName())));
      } else if (entry instanceof Utf8Entry text) {
        Matcher used = IN_DESCRIPTOR.matcher(text.stringValue());
        while (used.find()) {
          parts.add(partOf(outermost(used.group(1))));
        }
      }
    }
    parts.remove("");
    return parts;
  }

  /** Returns the optional part that a class belongs to; empty for none. */
  private static String partOf(String type) {
    return PARTS.stream().filter(part -> type.startsWith(part + ".")).findFirst().orElse("");
  }

  /** Returns the name of a class from the project's package on, without nested ones. */
  private static String outermost(String internal) {
    if (!internal.startsWith(OWN)) {
      return internal;
    }
    int nested = internal.indexOf('$');
    String whole = nested < 0 ? internal : internal.substring(0, nested);
    return whole.substring(OWN.length()).replace('/', '.');
  }
}
