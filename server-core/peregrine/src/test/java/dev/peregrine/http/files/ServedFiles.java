package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.TransportKind;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A served directory of files, with the steps that tests share. After each test no file may be
 * open.
 */
abstract class ServedFiles {
  static final Instant LONG_AGO = Instant.parse("2020-02-03T04:05:06Z");
  static final String LONG_AGO_FIELD = "Mon, 03 Feb 2020 04:05:06 GMT";
  static final byte[] LARGE = Requests.content(300_000);

  @RegisterExtension final Servers servers = new Servers();

  @TempDir Path dir;
  Path root;

  @BeforeEach
  void makeFiles() throws IOException {
    root = Files.createDirectories(dir.resolve("site"));
    Files.createDirectories(root.resolve("sub/deep"));
    file("hello.txt", "Hello, files!");
    file("empty.txt", "");
    file("index.html", "<h1>Root</h1>");
    file("sub/index.html", "<h1>Sub</h1>");
    file("sub/a b.css", "b{}");
    file(".hidden", "secret");
    file("data", "no type");
    Files.write(root.resolve("large.bin"), LARGE);
    age(root.resolve("large.bin"));
    age(Files.writeString(dir.resolve("outside.txt"), "secret"));
  }

  @AfterEach
  void leavesNoFileOpen() {
    if (Descriptors.areVisible()) {
      Await.until(() -> openFiles().toString(), () -> openFiles().isEmpty());
    }
  }

  /**
   * Returns the open files, without served directories, which stay open as long as their handler.
   */
  private List<String> openFiles() {
    return Descriptors.ofFilesIn(dir).stream()
        .filter(name -> !Files.isDirectory(Path.of(name)))
        .toList();
  }

  Path file(String name, String content) throws IOException {
    return age(Files.writeString(root.resolve(name), content));
  }

  static Path age(Path file) throws IOException {
    return Files.setLastModifiedTime(file, FileTime.from(LONG_AGO));
  }

  RawClient serve(UnaryOperator<StaticFiles.Builder> options) {
    return servers.connect(servers.start(options.apply(files(root)).build()));
  }

  /** Like {@link #serve}, but files count as settled as late as by default. */
  RawClient serveAsBuilt(UnaryOperator<StaticFiles.Builder> options) {
    StaticFiles.Builder defaults =
        StaticFiles.builder(root).portable(Servers.TRANSPORT == TransportKind.NIO);
    return servers.connect(servers.start(options.apply(defaults).build()));
  }

  /** Returns true if a file that was changed at that time may count as settled by now. */
  static boolean maySettle(long changedMillis) {
    return System.currentTimeMillis() / 1000 - changedMillis / 1000 >= 2;
  }

  /**
   * Options for files that were created just now and are served at once, by the way that the
   * transport under test uses.
   */
  static StaticFiles.Builder files(Path root) {
    return StaticFiles.builder(root)
        .portable(Servers.TRANSPORT == TransportKind.NIO)
        .settledAtOnce();
  }

  RawClient serve() {
    return serve(options -> options);
  }

  static RawResponse ask(RawClient client, String method, String target, String... fields) {
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: test\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return client.send(head + "\r\n").read(method);
  }

  static RawResponse get(RawClient client, String target, String... fields) {
    return ask(client, "GET", target, fields);
  }

  static void expectRedirect(RawResponse response, String location) {
    assertThat(response.status()).isEqualTo(301);
    assertThat(response.header("Location")).isEqualTo(location);
  }

  static String tag(RawResponse response) {
    return Objects.requireNonNull(response.header("ETag"));
  }
}
