package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileCacheTest {
  private static final int BYTES_MAX = 100_000;

  private final FileCache cache = new FileCache(BYTES_MAX);

  @TempDir private Path dir;

  private Resource resource(int bytes) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(dir, BasicFileAttributes.class);
    return new Resource(
        new Representation(dir, attributes, ContentType.TEXT_PLAIN, "", "", false, new byte[bytes]),
        List.of(),
        0);
  }

  @Test
  void keepsNoMoreBytesThanItMay() throws IOException {
    for (int i = 0; i < 100; i++) {
      cache.put("/" + i, resource(10_000));
      assertThat(cache.bytes()).isLessThanOrEqualTo(BYTES_MAX);
    }
    assertThat(cache.bytes()).isGreaterThan(BYTES_MAX / 2);
    assertThat(cache.get("/99")).isNotNull();
    assertThat(cache.get("/0")).isNull();
  }

  @Test
  void keepsWhatIsAskedFor() throws IOException {
    cache.put("/hot", resource(10_000));
    for (int i = 0; i < 100; i++) {
      assertThat(cache.get("/hot")).isNotNull();
      cache.put("/" + i, resource(10_000));
    }
    assertThat(cache.get("/hot")).isNotNull();
  }

  @Test
  void countsWhatIsReplacedAndRemoved() throws IOException {
    for (int i = 0; i < 100; i++) {
      cache.put("/a", resource(30_000));
      cache.put("/b", resource(i));
    }
    assertThat(cache.get("/a")).isNotNull();
    cache.remove("/a");
    cache.remove("/a");
    cache.remove("/b");
    assertThat(cache.get("/a")).isNull();
    assertThat(cache.bytes()).isZero();
  }

  @Test
  void keepsNothingThatIsLargerThanAllOfIt() throws IOException {
    cache.put("/a", resource(10));
    cache.put("/large", resource(BYTES_MAX));
    assertThat(cache.get("/large")).isNull();
    assertThat(cache.get("/a")).isNotNull();
    cache.put("/a", resource(BYTES_MAX));
    assertThat(cache.get("/a")).isNull();
  }
}
