package dev.peregrine.http.coding;

/**
 * A content coding that responses can be compressed with (RFC 9110 section 8.4.1). {@link #gzip} is
 * built in. Others come from the application, which passes them to {@link
 * Compression.Builder#codings}; an adapter for zstd is in the artifact {@code peregrine-zstd}.
 *
 * <pre>{@code
 * ContentCoding fast = ContentCoding.gzip(1);
 * }</pre>
 *
 * <p>Implementations are thread-safe.
 */
public interface ContentCoding {
  /**
   * Returns the coding's name in Accept-Encoding and Content-Encoding, in lower case, such as
   * {@code br}.
   */
  String name();

  /**
   * Creates an encoder. It is used for many responses, one after another, and closed when it is not
   * needed any more.
   */
  ContentEncoder newEncoder();

  /**
   * Returns the coding gzip (RFC 1952). An encoder takes about 256 KiB of native memory.
   *
   * @param level effort, 1 (fastest) to 9 (smallest)
   * @throws IllegalArgumentException if the level is out of its range
   */
  static ContentCoding gzip(int level) {
    return new Gzip(level);
  }
}
