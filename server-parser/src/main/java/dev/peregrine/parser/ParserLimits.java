package dev.peregrine.parser;

/**
 * The limits of everything a peer can make the parser keep or scan. A message exactly at a limit
 * passes; one byte or one line more is rejected.
 *
 * <p>
 *
 * {@snippet :
 * var limits = ParserLimits.builder().fieldsMax(200).build();
 * }
 *
 * @param requestLineBytesMax bytes of the request line without its CRLF, in HTTP/2 of the line that
 *     HTTP/1.1 would have; more is 414. Default 8192, the 8000 octets that RFC 9112 section 3
 *     recommends, rounded up.
 * @param emptyLinesMax CRLFs tolerated before the request line; more is 400. Default 2: RFC 9112
 *     section 2.2 recommends at least one.
 * @param headerBytesMax bytes of all field lines with their CRLFs, without the final empty line, in
 *     HTTP/2 of the lines that HTTP/1.1 would have; more is 431. Default 32768, as Kestrel.
 * @param fieldsMax field lines of a header section, in HTTP/2 without the pseudo-header fields;
 *     more is 431. Default 100, as Kestrel.
 * @param chunkExtensionBytesMax bytes of one chunk's extensions, from the first whitespace or
 *     semicolon to the CR; more is 413. Default 256: no known client sends any.
 * @param bodyExtensionBytesMax bytes of all chunk extensions of one body; more is 413. Default
 *     4096, so that a body cannot consist of extensions.
 * @param trailerBytesMax bytes of all trailer lines with their CRLFs; more is 431. Default 8192.
 * @param trailerFieldsMax lines of a trailer section; more is 431. Default 32.
 */
public record ParserLimits(
    int requestLineBytesMax,
    int emptyLinesMax,
    int headerBytesMax,
    int fieldsMax,
    int chunkExtensionBytesMax,
    int bodyExtensionBytesMax,
    int trailerBytesMax,
    int trailerFieldsMax) {

  /** The default limits. */
  public static final ParserLimits DEFAULT =
      new ParserLimits(
          /* requestLineBytesMax= */ 8192,
          /* emptyLinesMax= */ 2,
          /* headerBytesMax= */ 32768,
          /* fieldsMax= */ 100,
          /* chunkExtensionBytesMax= */ 256,
          /* bodyExtensionBytesMax= */ 4096,
          /* trailerBytesMax= */ 8192,
          /* trailerFieldsMax= */ 32);

  /** The shortest request line, {@code A / HTTP/1.1}. */
  private static final int REQUEST_LINE_BYTES_LEAST = 12;

  /** The largest limit, which keeps every offset of a head far from the end of an int. */
  private static final int BYTES_MOST = 1 << 28;

  private static final int LINES_MOST = 10_000;

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException if one is out of its range; the message names it
   */
  public ParserLimits {
    check("requestLineBytesMax", requestLineBytesMax, REQUEST_LINE_BYTES_LEAST, BYTES_MOST);
    check("emptyLinesMax", emptyLinesMax, 0, LINES_MOST);
    check("headerBytesMax", headerBytesMax, 0, BYTES_MOST);
    check("fieldsMax", fieldsMax, 0, LINES_MOST);
    check("chunkExtensionBytesMax", chunkExtensionBytesMax, 0, BYTES_MOST);
    check("bodyExtensionBytesMax", bodyExtensionBytesMax, 0, BYTES_MOST);
    check("trailerBytesMax", trailerBytesMax, 0, BYTES_MOST);
    check("trailerFieldsMax", trailerFieldsMax, 0, LINES_MOST);
  }

  /** Returns a builder that starts from the defaults. */
  public static Builder builder() {
    return DEFAULT.toBuilder();
  }

  /** Returns a builder that starts from these limits. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  private static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + value + " but must be " + least + " to " + most);
    }
  }

  /** Builds {@link ParserLimits}. Not thread-safe. */
  public static final class Builder {
    private int requestLineBytesMax;
    private int emptyLinesMax;
    private int headerBytesMax;
    private int fieldsMax;
    private int chunkExtensionBytesMax;
    private int bodyExtensionBytesMax;
    private int trailerBytesMax;
    private int trailerFieldsMax;

    private Builder(ParserLimits initial) {
      requestLineBytesMax = initial.requestLineBytesMax;
      emptyLinesMax = initial.emptyLinesMax;
      headerBytesMax = initial.headerBytesMax;
      fieldsMax = initial.fieldsMax;
      chunkExtensionBytesMax = initial.chunkExtensionBytesMax;
      bodyExtensionBytesMax = initial.bodyExtensionBytesMax;
      trailerBytesMax = initial.trailerBytesMax;
      trailerFieldsMax = initial.trailerFieldsMax;
    }

    /** Sets {@link ParserLimits#requestLineBytesMax}. */
    public Builder requestLineBytesMax(int value) {
      requestLineBytesMax = value;
      return this;
    }

    /** Sets {@link ParserLimits#emptyLinesMax}. */
    public Builder emptyLinesMax(int value) {
      emptyLinesMax = value;
      return this;
    }

    /** Sets {@link ParserLimits#headerBytesMax}. */
    public Builder headerBytesMax(int value) {
      headerBytesMax = value;
      return this;
    }

    /** Sets {@link ParserLimits#fieldsMax}. */
    public Builder fieldsMax(int value) {
      fieldsMax = value;
      return this;
    }

    /** Sets {@link ParserLimits#chunkExtensionBytesMax}. */
    public Builder chunkExtensionBytesMax(int value) {
      chunkExtensionBytesMax = value;
      return this;
    }

    /** Sets {@link ParserLimits#bodyExtensionBytesMax}. */
    public Builder bodyExtensionBytesMax(int value) {
      bodyExtensionBytesMax = value;
      return this;
    }

    /** Sets {@link ParserLimits#trailerBytesMax}. */
    public Builder trailerBytesMax(int value) {
      trailerBytesMax = value;
      return this;
    }

    /** Sets {@link ParserLimits#trailerFieldsMax}. */
    public Builder trailerFieldsMax(int value) {
      trailerFieldsMax = value;
      return this;
    }

    /**
     * Returns the limits.
     *
     * @throws IllegalArgumentException if a value is out of its range; the message names it
     */
    public ParserLimits build() {
      return new ParserLimits(
          requestLineBytesMax,
          emptyLinesMax,
          headerBytesMax,
          fieldsMax,
          chunkExtensionBytesMax,
          bodyExtensionBytesMax,
          trailerBytesMax,
          trailerFieldsMax);
    }
  }
}
