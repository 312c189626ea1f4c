package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.files.tree.FileState;
import dev.peregrine.http.files.tree.FileStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class FileCacheTest {
  private static final int BYTES_MAX = 100_000;

  private final FileCache cache = new FileCache(BYTES_MAX);

  private static Resource resource(int bytes) {
    return resource(bytes, Resource.Compressed.NEVER);
  }

  private static Resource resource(int bytes, Resource.Compressed compressed) {
    FileState state = new FileState(bytes, 0, 0, 0, 0, 0, 0);
    FileStatus seen = new FileStatus(FileStatus.Kind.REGULAR, "a", "a", state);
    Representation file = new Representation(seen, ContentType.TEXT_PLAIN, "", "", false, true);
    return new Resource(file.withContent(new byte[bytes]), List.of(), compressed, 0);
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

  /** A request that began before the form was added puts what it has read of the file. */
  @Test
  void keepsACompressedFormThatWasAddedMeanwhile() {
    Resource read = resource(1_000, Resource.Compressed.MISSING);
    Representation form = read.plain().compressed("gzip", new byte[100]);
    for (Representation added : Arrays.asList(form, null)) {
      cache.put("/a", read);
      cache.addCompressed("/a", read.plain(), added);
      cache.put("/a", resource(1_000, Resource.Compressed.MISSING));
      Resource kept = Objects.requireNonNull(cache.get("/a"));
      assertThat(kept.compressedForm()).isSameAs(added);
      assertThat(kept.lacksCompressed(read.plain())).isFalse();
      assertThat(cache.bytes()).isEqualTo(kept.bytes());
      cache.put("/a", resource(1_001, Resource.Compressed.MISSING));
      assertThat(Objects.requireNonNull(cache.get("/a")).compressedForm()).isNull();
      cache.remove("/a");
    }
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
