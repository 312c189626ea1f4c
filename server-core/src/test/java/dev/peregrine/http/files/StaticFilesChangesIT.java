package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

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
    assertThat(get(client, "/%68ello.txt").status()).isEqualTo(404);
  }

  @Test
  void readsAFileOnceHoweverItsPathIsSpelled() throws IOException {
    RawClient client = serve();
    assertThat(get(client, "/%68ello.txt").text()).isEqualTo("Hello, files!");

    file("hello.txt", "Hello, trick!"); // as long and as old as it was

    assertThat(get(client, "/hell%6f.txt").text()).isEqualTo("Hello, files!");
    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");
  }

  @Test
  void keepsNothingThatMayHaveChangedUnseen() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    FileTime recent = FileTime.from(Instant.now().plusSeconds(1));
    Path file = Files.writeString(root.resolve("new.txt"), "one");
    Files.setLastModifiedTime(file, recent);
    assertThat(get(client, "/new.txt").text()).isEqualTo("one");

    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, recent);

    assertThat(get(client, "/new.txt").text()).isEqualTo("two");
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
}
