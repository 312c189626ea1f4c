package dev.peregrine.parser.body;

import static dev.peregrine.protocol.grammar.Ascii.CR;
import static dev.peregrine.protocol.grammar.Ascii.LF;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import dev.peregrine.protocol.grammar.Swar;
import org.jspecify.annotations.Nullable;

/**
 * The line before a chunk's data: size and extensions, which are dropped (RFC 9112 section 7.1). A
 * short line of digits alone is read as a word, any other byte by byte. Whitespace is accepted
 * where the grammar has it: around ";" and "=", never before the CR.
 *
 * <pre>
 *  SIZE ─ BWS ▶ BEFORE_SEMICOLON ─ ";" ▶ BEFORE_NAME ─▶ NAME ─ BWS ▶ AFTER_NAME ─ "=" ▶ BEFORE_VALUE
 *                                             ▲                                  │          │
 *                                             │                                TOKEN     QUOTED ⇄ ESCAPED
 *                                             └───────────── ";" ────────────────┴──────────┴▶ AFTER_QUOTE
 *  SIZE, NAME, TOKEN, AFTER_QUOTE ─ CR ▶ LINE_FEED ─ LF ▶ COMPLETE
 * </pre>
 */
final class ChunkLine {
  /** The largest number of digits: 16 hold 2^63-1, and more can only be padding or an overflow. */
  private static final int SIZE_DIGITS_MAX = 16;

  /** The largest number of digits that fit into a word with CR and LF. */
  private static final int WORD_DIGITS_MAX = Long.BYTES - 2;

  private static final long CRS = Swar.repeat(CR);
  private static final long ZEROS = Swar.repeat('0');
  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);
  private static final long LOW_NIBBLES = Swar.repeat(0x0F);
  private static final int LETTER_BONUS = 9; // 'a' has the low nibble 1 and is 10

  private enum State {
    SIZE,
    BEFORE_SEMICOLON,
    BEFORE_NAME,
    NAME,
    AFTER_NAME,
    BEFORE_VALUE,
    TOKEN,
    QUOTED,
    ESCAPED,
    AFTER_QUOTE,
    LINE_FEED,
    COMPLETE
  }

  private final int chunkExtensionBytesMax;
  private final int bodyExtensionBytesMax;
  private State state = State.SIZE;
  private long size;
  private int digits;
  private int chunkExtensionBytes;
  private int bodyExtensionBytes;

  ChunkLine(ParserLimits limits) {
    chunkExtensionBytesMax = limits.chunkExtensionBytesMax();
    bodyExtensionBytesMax = limits.bodyExtensionBytesMax();
  }

  void beginBody() {
    bodyExtensionBytes = 0;
    begin();
  }

  void begin() {
    state = State.SIZE;
    size = 0;
    digits = 0;
    chunkExtensionBytes = 0;
  }

  boolean isComplete() {
    return state == State.COMPLETE;
  }

  /** Returns the chunk's size in bytes, once the line is complete. */
  long size() {
    return size;
  }

  /**
   * Takes a line of digits alone that starts with these eight bytes and ends among them.
   *
   * @return the bytes of the line; 0 if it was not taken
   */
  int acceptWhole(long word) {
    int length = Swar.index(Swar.zeros(word ^ CRS));
    int bits = length * Byte.SIZE;
    boolean mayBeWhole =
        state == State.SIZE && digits == 0 && length > 0 && length <= WORD_DIGITS_MAX;
    if (!mayBeWhole || (byte) (word >>> (bits + Byte.SIZE)) != LF) {
      return 0;
    }
    // now the last digit is in the highest byte, after zeros before the first digit
    long text = (word << (Long.SIZE - bits)) | (ZEROS >>> bits);
    long letters = Swar.range('a', 'f', text | CASE_BITS);
    if ((letters | Swar.range('0', '9', text)) != Swar.HIGH_BITS) {
      return 0;
    }
    size = number((text & LOW_NIBBLES) + (letters >>> (Byte.SIZE - 1)) * LETTER_BONUS);
    state = State.COMPLETE;
    return length + 2;
  }

  /** Returns the number that eight digits form, one in each byte, the last one in the highest. */
  private static long number(long digits) {
    long number = Long.reverseBytes(digits);
    number = (number | (number >>> 4)) & 0x00FF_00FF_00FF_00FFL;
    number = (number | (number >>> 8)) & 0x0000_FFFF_0000_FFFFL;
    return (number | (number >>> 16)) & 0xFFFF_FFFFL;
  }

  /** Takes one byte. Returns its fault, or null. */
  @Nullable Rejection accept(byte value) {
    if (state == State.SIZE && Ascii.hexValue(value) >= 0) {
      return acceptDigit(value);
    }
    if (state == State.LINE_FEED) {
      state = State.COMPLETE;
      return value == LF ? null : Rejection.BARE_CARRIAGE_RETURN;
    }
    if (value == LF) {
      return Rejection.BARE_LINE_FEED;
    }
    if (state == State.SIZE && digits == 0) {
      return Rejection.CHUNK_SIZE_INVALID;
    }
    if (value == CR && canEnd()) {
      state = State.LINE_FEED;
      return null;
    }
    return state == State.SIZE && value != ';' && !Ascii.isBlank(value)
        ? Rejection.CHUNK_SIZE_INVALID
        : acceptExtension(value);
  }

  private @Nullable Rejection acceptDigit(byte digit) {
    if (++digits > SIZE_DIGITS_MAX || size > Long.MAX_VALUE >>> 4) {
      return Rejection.CHUNK_SIZE_TOO_LARGE;
    }
    size = size << 4 | Ascii.hexValue(digit);
    return null;
  }

  private boolean canEnd() {
    return switch (state) {
      case SIZE, NAME, TOKEN, AFTER_QUOTE -> true;
      default -> false;
    };
  }

  private @Nullable Rejection acceptExtension(byte value) {
    if (++chunkExtensionBytes > chunkExtensionBytesMax
        || ++bodyExtensionBytes > bodyExtensionBytesMax) {
      return Rejection.CHUNK_EXTENSIONS_TOO_LARGE;
    }
    State next = next(value);
    if (next == null) {
      return Rejection.CHUNK_EXTENSION_INVALID;
    }
    state = next;
    return null;
  }

  /** Returns the state after this byte of an extension; null if the byte is illegal there. */
  private @Nullable State next(byte value) {
    boolean blank = Ascii.isBlank(value);
    boolean token = CharClass.TOKEN.contains(value);
    return switch (state) {
      case SIZE, BEFORE_SEMICOLON -> blank ? State.BEFORE_SEMICOLON : afterElement(value);
      case BEFORE_NAME -> blank ? State.BEFORE_NAME : token ? State.NAME : null;
      case NAME -> token ? State.NAME : afterName(value, blank);
      case AFTER_NAME -> afterName(value, blank);
      case BEFORE_VALUE ->
          blank ? State.BEFORE_VALUE : value == '"' ? State.QUOTED : token ? State.TOKEN : null;
      case TOKEN -> token ? State.TOKEN : blank ? State.BEFORE_SEMICOLON : afterElement(value);
      case QUOTED -> quoted(value);
      case ESCAPED -> CharClass.FIELD_VALUE.contains(value) ? State.QUOTED : null;
      case AFTER_QUOTE -> blank ? State.BEFORE_SEMICOLON : afterElement(value);
      case LINE_FEED, COMPLETE -> null;
    };
  }

  private static @Nullable State afterElement(byte value) {
    return value == ';' ? State.BEFORE_NAME : null;
  }

  private static @Nullable State afterName(byte value, boolean blank) {
    if (value == '=') {
      return State.BEFORE_VALUE;
    }
    return blank ? State.AFTER_NAME : afterElement(value);
  }

  private static @Nullable State quoted(byte value) {
    if (value == '"') {
      return State.AFTER_QUOTE;
    }
    if (value == '\\') {
      return State.ESCAPED;
    }
    return CharClass.QUOTED_TEXT.contains(value) ? State.QUOTED : null;
  }
}
