package dev.peregrine.parser;

/**
 * The bounds of everything a peer can make the parser keep or scan. A message exactly at a limit
 * passes; one byte or one line more is refused.
 *
 * <p>
 *
 * {@snippet :
 * var limits = ParserLimits.DEFAULT.withFieldsMax(200);
 * }
 *
 * @param requestLineBytesMax bytes of the request line without its CRLF; more is 414. Default 8192,
 *     the 8000 octets that RFC 9112 section 3 asks for, rounded up.
 * @param emptyLinesMax CRLFs tolerated before the request line; more is 400. Default 2: RFC 9112
 *     section 2.2 asks for at least one, one more costs nothing.
 * @param headerBytesMax bytes of all field lines with their CRLFs, without the final empty line;
 *     more is 431. Default 32768, as Kestrel.
 * @param fieldsMax field lines of a header section; more is 431. Default 100, as Kestrel.
 * @param chunkExtensionBytesMax bytes of one chunk's extensions, from the first whitespace or
 *     semicolon to the CR; more is 413. Default 256: no known client sends any.
 * @param bodyExtensionBytesMax bytes of all chunk extensions of one body; more is 413. Default
 *     4096, so that a body cannot be made of extensions.
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

  /** The defaults named above. */
  public static final ParserLimits DEFAULT =
      new ParserLimits(8192, 2, 32768, 100, 256, 4096, 8192, 32);

  /** The shortest request line, {@code A / HTTP/1.1}. */
  private static final int REQUEST_LINE_BYTES_LEAST = 12;

  /** Keeps every offset of a head far from the end of an int. */
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

  /** These limits with another {@link #requestLineBytesMax}. */
  public ParserLimits withRequestLineBytesMax(int bytes) {
    return new ParserLimits(
        bytes,
        emptyLinesMax,
        headerBytesMax,
        fieldsMax,
        chunkExtensionBytesMax,
        bodyExtensionBytesMax,
        trailerBytesMax,
        trailerFieldsMax);
  }

  /** These limits with another {@link #emptyLinesMax}. */
  public ParserLimits withEmptyLinesMax(int lines) {
    return new ParserLimits(
        requestLineBytesMax,
        lines,
        headerBytesMax,
        fieldsMax,
        chunkExtensionBytesMax,
        bodyExtensionBytesMax,
        trailerBytesMax,
        trailerFieldsMax);
  }

  /** These limits with another {@link #headerBytesMax}. */
  public ParserLimits withHeaderBytesMax(int bytes) {
    return new ParserLimits(
        requestLineBytesMax,
        emptyLinesMax,
        bytes,
        fieldsMax,
        chunkExtensionBytesMax,
        bodyExtensionBytesMax,
        trailerBytesMax,
        trailerFieldsMax);
  }

  /** These limits with another {@link #fieldsMax}. */
  public ParserLimits withFieldsMax(int fields) {
    return new ParserLimits(
        requestLineBytesMax,
        emptyLinesMax,
        headerBytesMax,
        fields,
        chunkExtensionBytesMax,
        bodyExtensionBytesMax,
        trailerBytesMax,
        trailerFieldsMax);
  }

  /** These limits with another {@link #chunkExtensionBytesMax}. */
  public ParserLimits withChunkExtensionBytesMax(int bytes) {
    return new ParserLimits(
        requestLineBytesMax,
        emptyLinesMax,
        headerBytesMax,
        fieldsMax,
        bytes,
        bodyExtensionBytesMax,
        trailerBytesMax,
        trailerFieldsMax);
  }

  /** These limits with another {@link #bodyExtensionBytesMax}. */
  public ParserLimits withBodyExtensionBytesMax(int bytes) {
    return new ParserLimits(
        requestLineBytesMax,
        emptyLinesMax,
        headerBytesMax,
        fieldsMax,
        chunkExtensionBytesMax,
        bytes,
        trailerBytesMax,
        trailerFieldsMax);
  }

  /** These limits with another {@link #trailerBytesMax}. */
  public ParserLimits withTrailerBytesMax(int bytes) {
    return new ParserLimits(
        requestLineBytesMax,
        emptyLinesMax,
        headerBytesMax,
        fieldsMax,
        chunkExtensionBytesMax,
        bodyExtensionBytesMax,
        bytes,
        trailerFieldsMax);
  }

  /** These limits with another {@link #trailerFieldsMax}. */
  public ParserLimits withTrailerFieldsMax(int fields) {
    return new ParserLimits(
        requestLineBytesMax,
        emptyLinesMax,
        headerBytesMax,
        fieldsMax,
        chunkExtensionBytesMax,
        bodyExtensionBytesMax,
        trailerBytesMax,
        fields);
  }

  private static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + value + " but must be " + least + " to " + most);
    }
  }
}
