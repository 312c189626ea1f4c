package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.RequestParser;
import dev.peregrine.testing.BareServer;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
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
          "server.tls.openssl",
          "server.tls",
          "server.transport.epoll",
          "server.transport.heap",
          "server.websocket");

  /**
   * Who names which parts. Beside the one class of features, these are the public faces of TLS and
   * of the tests in memory, and the files, which are optional themselves.
   */
  private static final Map<String, Set<String>> NAMED =
      Map.of(
          "http.files.tree.FileState", Set.of("linux"),
          "http.files.tree.LinuxTree", Set.of("linux"),
          "server.InMemoryServer", Set.of("server.transport.heap"),
          "server.Tls", Set.of("server.tls"),
          "server.features.Features",
              Set.of(
                  "linux",
                  "server.handover",
                  "server.http2",
                  "server.jfr",
                  "server.proxy",
                  "server.tls",
                  "server.tls.openssl",
                  "server.transport.epoll",
                  "server.websocket"));

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

  @Test
  void servesWithoutAnyOfThem() throws Exception {
    URL[] origins = {
      HttpServer.class.getProtectionDomain().getCodeSource().getLocation(),
      RequestParser.class.getProtectionDomain().getCodeSource().getLocation(),
      BareServer.class.getProtectionDomain().getCodeSource().getLocation()
    };

    try (URLClassLoader divided = new WithoutParts(origins)) {
      Callable<?> server =
          (Callable<?>)
              divided.loadClass(BareServer.class.getName()).getConstructor().newInstance();
      assertThat(server.call()).asString().startsWith("HTTP/1.1 200 ").endsWith("bare");
    }
  }

  /** Loads the server as if the optional parts and the public face were in other artifacts. */
  private static final class WithoutParts extends URLClassLoader {
    WithoutParts(URL... origins) {
      super(origins, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      String type = outermost(name.replace('.', '/'));
      if (!partOf(type).isEmpty() || type.matches("server\\.(features\\.)?[A-Z]\\w*")) {
        throw new ClassNotFoundException(name);
      }
      return super.findClass(name);
    }
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
