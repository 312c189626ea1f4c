package dev.peregrine.testing;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Request;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.linux.Linux;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.epoll.Epoll;
import dev.peregrine.server.http2.Http2;
import dev.peregrine.server.metrics.ServerMetrics;
import dev.peregrine.server.proxy.ProxyProtocol;
import dev.peregrine.server.testing.InMemoryServer;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.websocket.WebSocketProtocol;
import java.io.File;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The code of Peregrine's artifacts, as the tests run with it and as it lies in the repository. */
public final class OwnCode {
  /** A class of each artifact. */
  private static final List<Class<?>> ONES =
      List.of(
          RequestParser.class,
          Request.class,
          Linux.class,
          Compression.class,
          HttpServer.class,
          Http2.class,
          WebSocketProtocol.class,
          Tls.class,
          Epoll.class,
          ProxyProtocol.class,
          ServerMetrics.class,
          InMemoryServer.class,
          Peregrine.class);

  private OwnCode() {}

  /** Returns the folders or jars of all artifacts. */
  public static Set<Path> origins() {
    return origins(ONES);
  }

  /** Returns the folders or jars of classes. */
  public static Set<Path> origins(Collection<Class<?>> classes) {
    Set<Path> origins = new LinkedHashSet<>();
    for (Class<?> one : classes) {
      try {
        origins.add(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()));
      } catch (URISyntaxException impossible) {
        throw new AssertionError(impossible);
      }
    }
    return origins;
  }

  /** Returns folders and jars as one path. */
  public static String path(Collection<Path> origins) {
    return origins.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns all classes of the artifacts. */
  public static List<ClassModel> classes() throws IOException {
    List<ClassModel> found = new ArrayList<>();
    for (Path origin : origins()) {
      if (Files.isDirectory(origin)) {
        addClasses(origin, found);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(origin)) {
          addClasses(jar.getPath("/"), found);
        }
      }
    }
    return found;
  }

  private static void addClasses(Path root, List<ClassModel> found) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        found.add(ClassFile.of().parse(Files.readAllBytes(file)));
      }
    }
  }

  /** Returns the folders of the artifacts' sources. */
  public static List<Path> mainFolders() throws IOException {
    return sourceFolders("src/main/java");
  }

  /** Returns the folders of the artifacts' tests. */
  public static List<Path> testFolders() throws IOException {
    return sourceFolders("src/test/java");
  }

  /** Returns the folders of the adapters' own code. */
  public static List<Path> adapterFolders() throws IOException {
    return sourceFolders("server-adapters", "src/main/java");
  }

  private static List<Path> sourceFolders(String name) throws IOException {
    List<Path> found = new ArrayList<>();
    found.add(Repository.root().resolve("server-parser").resolve(name));
    found.addAll(sourceFolders("server-core", name));
    return found;
  }

  private static List<Path> sourceFolders(String parent, String name) throws IOException {
    try (Stream<Path> modules = Files.list(Repository.root().resolve(parent))) {
      return modules.map(module -> module.resolve(name)).filter(Files::isDirectory).toList();
    }
  }

  /** Returns the source files of the artifacts. */
  public static List<Path> mainFiles() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path folder : mainFolders()) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.filter(path -> path.toString().endsWith(".java")).forEach(found::add);
      }
    }
    return found;
  }
}
