package dev.peregrine.zstd;

import dev.peregrine.http.coding.ContentCoding;
import dev.peregrine.http.coding.ContentEncoder;

/**
 * The content coding zstd (RFC 8878), for {@code Compression}. It takes a fraction of the processor
 * time of gzip for about the same size.
 *
 * <pre>{@code
 * Handler compressed =
 *     Compression.builder(handler)
 *         .codings(new Zstd(Zstd.LEVEL_DEFAULT), ContentCoding.gzip(4))
 *         .build();
 * }</pre>
 *
 * <p>An encoder takes about 1 MiB of native memory at level 3, and 0.3 MiB at level 1. zstd-jni
 * unpacks its native library into the folder of temporary files at the first use, and needs {@code
 * --enable-native-access=com.github.luben.zstd_jni} ({@code ALL-UNNAMED} on the class path).
 *
 * @param level effort, 1 (fastest) to 19 (smallest, and slow)
 */
public record Zstd(int level) implements ContentCoding {
  /** The level that balances time, size and memory for content that is made for each response. */
  public static final int LEVEL_DEFAULT = 3;

  private static final int LEVEL_MAX = 19;

  /**
   * Creates the coding with a level.
   *
   * @throws IllegalArgumentException if the level is out of its range
   */
  public Zstd {
    if (level < 1 || level > LEVEL_MAX) {
      throw new IllegalArgumentException("level is " + level + ", but must be 1 to " + LEVEL_MAX);
    }
  }

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public ContentEncoder newEncoder() {
    return new ZstdEncoder(level);
  }
}
