package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.files.tree.FileState;
import dev.peregrine.http.files.tree.FileStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FileCacheTest {
  private static final int BYTES_MAX = 100_000;

  private final FileCache cache = new FileCache(BYTES_MAX);

  private static Resource resource(int bytes) {
    FileState state = new FileState(bytes, 0, 0, 0, 0, 0, 0);
    FileStatus seen = new FileStatus(FileStatus.Kind.REGULAR, "a", "a", state);
    Representation file = new Representation(seen, ContentType.TEXT_PLAIN, "", "", false, true);
    return new Resource(file.withContent(new byte[bytes]), List.of(), Resource.Compressed.NEVER, 0);
  }

  @Test
  void keepsNoMoreBytesThanItMay() {
    for (int i = 0; i < 100; i++) {
      cache.put("/" + i, resource(10_000));
      assertThat(cache.bytes()).isLessThanOrEqualTo(BYTES_MAX);
    }
    assertThat(cache.bytes()).isGreaterThan(BYTES_MAX / 2);
    assertThat(cache.get("/99")).isNotNull();
    assertThat(cache.get("/0")).isNull();
  }

  @Test
  void keepsRequestedResources() {
    cache.put("/hot", resource(10_000));
    for (int i = 0; i < 100; i++) {
      assertThat(cache.get("/hot")).isNotNull();
      cache.put("/" + i, resource(10_000));
    }
    assertThat(cache.get("/hot")).isNotNull();
  }

  @Test
  void countsWhatIsReplacedAndRemoved() {
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
  void keepsNothingThatIsLargerThanAllOfIt() {
    cache.put("/a", resource(10));
    cache.put("/large", resource(BYTES_MAX));
    assertThat(cache.get("/large")).isNull();
    assertThat(cache.get("/a")).isNotNull();
    cache.put("/a", resource(BYTES_MAX));
    assertThat(cache.get("/a")).isNull();
  }
}
