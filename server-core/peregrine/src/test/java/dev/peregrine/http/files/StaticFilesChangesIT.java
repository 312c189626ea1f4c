package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.TransportKind;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that change while they are served. */
final class StaticFilesChangesIT extends ServedFiles {
  private static final Duration FOREVER = Duration.ofDays(1);

  @Test
  void noticesAChange() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(Duration.ZERO));
    String tag = tag(get(client, "/hello.txt"));

    Path file = Files.writeString(root.resolve("hello.txt"), "Hello, again!");
    Files.setLastModifiedTime(file, FileTime.from(LONG_AGO.plusNanos(1000)));

    RawResponse response = get(client, "/hello.txt", "If-None-Match: " + tag);
    assertThat(response.text()).isEqualTo("Hello, again!");
    assertThat(tag(response)).isNotEqualTo(tag);
    Files.delete(file);
    assertThat(get(client, "/hello.txt").status()).isEqualTo(404);
    file("hello.txt", "back");
    assertThat(get(client, "/hello.txt").text()).isEqualTo("back");
    file("hello.txt.gz", "packed");
    assertThat(get(client, "/hello.txt", "Accept-Encoding: gzip").text()).isEqualTo("packed");
  }

  @Test
  void answersFromMemoryWithinTheTime() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");

    Files.delete(root.resolve("hello.txt"));

    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");
    assertThat(get(client, "/%68ello.txt").text()).isEqualTo("Hello, files!");
  }

  @Test
  void readsAFileOnceHoweverItsPathIsSpelled() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    assertThat(get(client, "/%68ello.txt").text()).isEqualTo("Hello, files!");

    file("hello.txt", "Hello, trick!");

    assertThat(get(client, "/hell%6f.txt").text()).isEqualTo("Hello, files!");
    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");
  }

  @Test
  void keepsNothingThatMayHaveChangedUnseen() throws IOException {
    RawClient client =
        serveAsBuilt(options -> options.precompressed(false).revalidateAfter(FOREVER));
    String path = "/new";
    long changed;
    do {
      path += "1";
      changed = System.currentTimeMillis();
      file(path.substring(1), "one");
      assertThat(get(client, path).text()).isEqualTo("one");
    } while (maySettle(changed));

    file(path.substring(1), "two"); // of the same length and modification time as before

    assertThat(get(client, path).text()).isEqualTo("two");
  }

  @Test
  void servesWithoutAnyMemory() {
    RawClient client = serve(options -> options.cacheBytesMax(0).cachedFileBytesMax(0));

    for (int i = 0; i < 2; i++) {
      assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");
      assertThat(get(client, "/large.bin").content()).isEqualTo(LARGE);
    }
  }

  @Test
  void noticesThatALargeFileHasChangedEvenWithinTheTime() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    assertThat(get(client, "/large.bin").content()).isEqualTo(LARGE);

    Files.write(root.resolve("large.bin"), Arrays.copyOf(LARGE, 100_000));

    assertThat(get(client, "/large.bin").content()).hasSize(100_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello.txt", "large.bin"})
  void distinguishesFilesOfOneSizeAndTime(String name) throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(Duration.ZERO));
    byte[] before = get(client, "/" + name).content();
    String tag = tag(get(client, "/" + name));
    assertThat(tag).startsWith("\"");
    assertThat(get(client, "/" + name, "If-None-Match: " + tag).status()).isEqualTo(304);

    byte[] after = before.clone();
    after[0]++;
    Path next = age(Files.write(dir.resolve("next"), after));
    Files.move(next, root.resolve(name), StandardCopyOption.REPLACE_EXISTING);

    RawResponse response = get(client, "/" + name, "If-None-Match: " + tag);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.content()).isEqualTo(after);
    assertThat(tag(response)).startsWith("\"").isNotEqualTo(tag);
    assertThat(get(client, "/" + name, "If-Match: " + tag).status()).isEqualTo(412);
    RawResponse resumed = get(client, "/" + name, "Range: bytes=1-", "If-Range: " + tag);
    assertThat(resumed.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello.txt", "large.bin"})
  void noticesThatAFileWasWrittenOverAndItsTimeSetBack(String name) throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(Duration.ZERO));
    Path file = root.resolve(name);
    byte[] content = get(client, "/" + name).content();
    String tag = tag(get(client, "/" + name));

    content[0]++;
    Object changed = Files.getAttribute(file, "unix:ctime");
    Await.until(
        "the system's clock has ticked",
        () -> {
          try {
            age(Files.write(file, content));
            return !Files.getAttribute(file, "unix:ctime").equals(changed);
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });

    assertThat(get(client, "/" + name).content()).isEqualTo(content);
    assertThat(tag(get(client, "/" + name))).isNotEqualTo(tag);
  }

  @Test
  void trustsWhatItKnowsOfALargeFileWithinTheTime() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    assertThat(get(client, "/large.bin").content()).isEqualTo(LARGE);

    file("large.bin.gz", "packed");

    RawResponse response = get(client, "/large.bin", "Accept-Encoding: gzip");
    assertThat(response.header("Vary")).isNull();
    assertThat(response.content()).isEqualTo(LARGE);
  }

  @Test
  void readsOnlyTheCodingThatItSends() throws IOException {
    file("app.js", "plain");
    file("app.js.br", "as br");
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    assertThat(get(client, "/app.js").text()).isEqualTo("plain");

    file("app.js.br", "later");

    assertThat(get(client, "/app.js", "Accept-Encoding: br").text()).isEqualTo("later");
    assertThat(get(client, "/app.js").text()).isEqualTo("plain");
  }

  /** The path of a large file is checked before each response, even if the entry is fresh. */
  @Test
  void sendsNothingThatALargeFileWasReplacedBy() throws Exception {
    Path outside = Files.createDirectories(dir.resolve("outside"));
    age(Files.write(outside.resolve("large.bin"), Arrays.copyOf(LARGE, LARGE.length)));
    age(Files.write(root.resolve("sub/large.bin"), LARGE));
    age(Files.write(root.resolve("link.bin"), LARGE));
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    for (String target : List.of("/large.bin", "/sub/large.bin", "/link.bin")) {
      assertThat(get(client, target).content()).isEqualTo(LARGE);
    }

    Files.delete(root.resolve("large.bin"));
    Process pipe = new ProcessBuilder("mkfifo", root.resolve("large.bin").toString()).start();
    assertThat(pipe.waitFor()).isZero();
    Files.move(root.resolve("sub"), dir.resolve("moved"));
    Files.createSymbolicLink(root.resolve("sub"), outside);
    Files.delete(root.resolve("link.bin"));
    Files.createSymbolicLink(root.resolve("link.bin"), outside.resolve("large.bin"));

    for (String target : List.of("/large.bin", "/sub/large.bin", "/link.bin")) {
      assertThat(get(client, target).status()).as(target).isEqualTo(404);
    }
  }

  /** If the system opens only below the root, no race leads out of it. */
  @Test
  void servesNothingOutsideWhileAnotherLinkIsPutInAgainAndAgain() throws Exception {
    assumeTrue(
        Servers.TRANSPORT == TransportKind.EPOLL,
        "only epoll has the system open files below the root");
    Path outside = Files.createDirectories(dir.resolve("outside"));
    byte[] secret = LARGE.clone();
    secret[0]++;
    age(Files.write(outside.resolve("large.bin"), secret));
    age(Files.write(root.resolve("sub/large.bin"), LARGE));
    Path inside = Files.move(root.resolve("sub"), root.resolve("real"));
    Files.createSymbolicLink(root.resolve("sub"), Path.of("real"));
    AtomicBoolean done = new AtomicBoolean();
    Thread swapping =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; !done.get(); i++) {
                    swap(i % 2 == 0 ? outside : inside);
                  }
                });
    int found = 0;
    try {
      for (Duration fresh : List.of(Duration.ZERO, FOREVER)) {
        RawClient client = serve(options -> options.revalidateAfter(fresh));
        for (int i = 0; i < 300; i++) {
          RawResponse response = get(client, "/sub/large.bin");
          assertThat(response.status()).isIn(200, 404, 503);
          if (response.status() == 200) {
            found++;
            assertThat(response.content()).isEqualTo(LARGE);
          }
        }
      }
    } finally {
      done.set(true);
      swapping.join();
    }
    assertThat(found).isPositive();
  }

  private void swap(Path target) {
    try {
      Path next = Files.createSymbolicLink(dir.resolve("next"), target);
      Files.move(next, root.resolve("sub"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void marksTagsAsWeakWhereTheSystemHasNoFileNumbers() throws IOException {
    Path zip = dir.resolve("site.zip");
    try (FileSystem site = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      age(Files.writeString(site.getPath("/hello.txt"), "Hello, zip!"));
      age(Files.write(Files.createDirectory(site.getPath("/sub")).resolve("large.bin"), LARGE));
    }
    try (FileSystem site = FileSystems.newFileSystem(zip)) {
      RawClient client = servers.connect(servers.start(StaticFiles.of(site.getPath("/"))));

      for (int i = 0; i < 2; i++) {
        assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, zip!");
        assertThat(get(client, "/sub/large.bin").content()).isEqualTo(LARGE);
      }
      assertThat(tag(get(client, "/hello.txt"))).startsWith("W/");
      assertThat(get(client, "/sub").status()).isEqualTo(301);
      assertThat(get(client, "/sub/none").status()).isEqualTo(404);
    }
  }
}
