package dev.peregrine.http.multipart;

import dev.peregrine.base.Range;
import org.jspecify.annotations.Nullable;

/**
 * Limits of multipart content. A client that exceeds one gets 413, with a text that names the
 * option. They replace the server's {@code bodyBytesMax} for this content. Immutable.
 *
 * <pre>{@code
 * MultipartLimits limits =
 *     MultipartLimits.builder().partBytesMax(5_000_000_000L).contentBytesMax(5_100_000_000L).build();
 * }</pre>
 *
 * @param partsMax parts of one content, 256 by default
 * @param headerBytesMax bytes of the header fields of one part with all line ends, 4,096 by default
 * @param nameBytesMax bytes in UTF-8 of the name of a part, and of its file name, 1,024 by default
 * @param fieldBytesMax bytes of a part that is read as text, 65,536 by default; see {@link
 *     Part#text}
 * @param fieldsBytesMax bytes of all parts together that {@link FormData} keeps as text, 1,048,576
 *     by default
 * @param partBytesMax bytes of the content of one part, at most contentBytesMax; by default
 *     30,000,000, or contentBytesMax if that is less
 * @param contentBytesMax bytes of the whole content, with delimiters and header fields, 30,000,000
 *     by default
 * @param preambleBytesMax bytes before the first delimiter, which are ignored, 1,024 by default
 * @param epilogueBytesMax bytes after the last delimiter, which are ignored, 1,024 by default
 */
public record MultipartLimits(
    int partsMax,
    int headerBytesMax,
    int nameBytesMax,
    int fieldBytesMax,
    int fieldsBytesMax,
    long partBytesMax,
    long contentBytesMax,
    int preambleBytesMax,
    int epilogueBytesMax) {
  /** The default limits. */
  public static final MultipartLimits DEFAULTS = builder().build();

  /** The most header bytes that can be allowed: a part's head is kept in one array. */
  private static final int HEADER_BYTES_MOST = 1 << 20;

  private static final int HEADER_BYTES_LEAST = 64;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if headerBytesMax isn't 64 to 1,048,576, partsMax isn't 1 or
   *     more, another limit is negative, or partBytesMax is more than contentBytesMax
   */
  public MultipartLimits {
    Range.checkAtLeast("partsMax", partsMax, 1);
    Range.check("headerBytesMax", headerBytesMax, HEADER_BYTES_LEAST, HEADER_BYTES_MOST);
    Range.checkAtLeast("nameBytesMax", nameBytesMax, 0);
    Range.checkAtLeast("fieldBytesMax", fieldBytesMax, 0);
    Range.checkAtLeast("fieldsBytesMax", fieldsBytesMax, 0);
    Range.checkAtLeast("partBytesMax", partBytesMax, 0);
    Range.checkAtLeast("contentBytesMax", contentBytesMax, 0);
    Range.checkAtLeast("preambleBytesMax", preambleBytesMax, 0);
    Range.checkAtLeast("epilogueBytesMax", epilogueBytesMax, 0);
    if (partBytesMax > contentBytesMax) {
      throw new IllegalArgumentException(
          "partBytesMax is "
              + partBytesMax
              + ", but contentBytesMax, which counts all parts, is "
              + contentBytesMax
              + ": set contentBytesMax to more, or partBytesMax to less");
    }
  }

  /** Creates a builder with the default limits. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds {@link MultipartLimits}, which describes the options. Not thread-safe. */
  public static final class Builder {
    private static final long PART_BYTES_MAX = 30_000_000;

    private int partsMax = 256;
    private int headerBytesMax = 4096;
    private int nameBytesMax = 1024;
    private int fieldBytesMax = 65_536;
    private int fieldsBytesMax = 1_048_576;
    private @Nullable Long partBytesMax; // null: by default
    private long contentBytesMax = 30_000_000;
    private int preambleBytesMax = 1024;
    private int epilogueBytesMax = 1024;

    private Builder() {}

    /** Sets the number of parts, 1 or more. */
    public Builder partsMax(int parts) {
      partsMax = parts;
      return this;
    }

    /** Sets the bytes of the header fields of one part, 64 to 1,048,576. */
    public Builder headerBytesMax(int bytes) {
      headerBytesMax = bytes;
      return this;
    }

    /** Sets the bytes of a name, and of a file name, 0 or more. */
    public Builder nameBytesMax(int bytes) {
      nameBytesMax = bytes;
      return this;
    }

    /** Sets the bytes of a part that is read as text, 0 or more. */
    public Builder fieldBytesMax(int bytes) {
      fieldBytesMax = bytes;
      return this;
    }

    /** Sets the bytes of all parts that {@link FormData} keeps as text, 0 or more. */
    public Builder fieldsBytesMax(int bytes) {
      fieldsBytesMax = bytes;
      return this;
    }

    /** Sets the bytes of the content of one part, 0 to {@link #contentBytesMax}. */
    public Builder partBytesMax(long bytes) {
      partBytesMax = bytes;
      return this;
    }

    /** Sets the bytes of the whole content, {@link #partBytesMax} or more. */
    public Builder contentBytesMax(long bytes) {
      contentBytesMax = bytes;
      return this;
    }

    /** Sets the bytes before the first delimiter, 0 or more. */
    public Builder preambleBytesMax(int bytes) {
      preambleBytesMax = bytes;
      return this;
    }

    /** Sets the bytes after the last delimiter, 0 or more. */
    public Builder epilogueBytesMax(int bytes) {
      epilogueBytesMax = bytes;
      return this;
    }

    /**
     * Returns the limits.
     *
     * @throws IllegalArgumentException if one is out of its range, or partBytesMax is more than
     *     contentBytesMax
     */
    public MultipartLimits build() {
      long partBytes =
          partBytesMax != null
              ? partBytesMax
              : Math.min(PART_BYTES_MAX, Math.max(0, contentBytesMax));
      return new MultipartLimits(
          partsMax,
          headerBytesMax,
          nameBytesMax,
          fieldBytesMax,
          fieldsBytesMax,
          partBytes,
          contentBytesMax,
          preambleBytesMax,
          epilogueBytesMax);
    }
  }
}
