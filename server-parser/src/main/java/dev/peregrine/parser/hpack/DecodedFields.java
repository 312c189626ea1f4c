package dev.peregrine.parser.hpack;

import dev.peregrine.parser.DecodedSection;
import dev.peregrine.parser.field.RequestNames;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a decoded field section: their text, and where in it each name and value is. Reused
 * for any number of sections without allocation, once it has grown; belongs to one event loop.
 *
 * <p>It never holds more than its limits allow. The fields of a section from the first one on that
 * exceeds a limit are not kept, and the section {@link #isTooLarge}.
 */
public final class DecodedFields implements DecodedSection {
  /** The greatest limit of bytes. */
  public static final int BYTES_MAX = 1 << 24;

  private static final int TEXT_AT_FIRST = 1024;
  private static final int PLACES_AT_FIRST = 32;

  /** The bytes after the text that may be overwritten. */
  static final int SLACK = Words.SLACK + HuffmanDecoder.SLACK;

  /** No field of any length is below this limit, or any other negative one. */
  private static final int NOTHING = -1;

  private static final byte[] NO_BYTES = {};

  // A field's place: the end of its name and the end of its value, at which the next name starts,
  // and the id of its name.
  private static final int END_MASK = (1 << 28) - 1;
  private static final int VALUE_SHIFT = 28;
  private static final int NAME_ID_SHIFT = 56;

  private final int bytesMax;
  private final int fieldsMax;

  private final BlockReader reader = new BlockReader();
  private final EncodedString name = new EncodedString(reader);
  private final EncodedString value = new EncodedString(reader);

  private byte[] text = NO_BYTES;
  private MemorySegment segment = MemorySegment.ofArray(text);
  private long[] places = {};
  private byte[] scratch = NO_BYTES;
  private MemorySegment scratchSegment = segment;
  private int length;
  private int count;
  private int faults;

  /** The end of the text that the next field may have; negative if no further field is kept. */
  private int limit;

  private boolean tooLarge;

  /**
   * Creates an empty section.
   *
   * @param bytesMax the greatest size of a section as SETTINGS_MAX_HEADER_LIST_SIZE counts it: for
   *     each field the bytes of name and value, and 32; 0 to {@link #BYTES_MAX}
   * @param fieldsMax the greatest number of fields, at least 0
   */
  public DecodedFields(int bytesMax, int fieldsMax) {
    if (bytesMax < 0 || bytesMax > BYTES_MAX) {
      throw new IllegalArgumentException("bytesMax is " + bytesMax + ", not 0 to " + BYTES_MAX);
    }
    if (fieldsMax < 0) {
      throw new IllegalArgumentException("fieldsMax is " + fieldsMax + ", not 0 or more");
    }
    this.bytesMax = bytesMax;
    this.fieldsMax = fieldsMax;
    begin();
  }

  @Override
  public byte[] text() {
    return text;
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public int textLength() {
    return length;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int nameStart(int field) {
    return field == 0 ? 0 : valueEnd(field - 1);
  }

  @Override
  public int nameEnd(int field) {
    return (int) places[field] & END_MASK;
  }

  @Override
  public int valueStart(int field) {
    return nameEnd(field);
  }

  @Override
  public int valueEnd(int field) {
    return (int) (places[field] >>> VALUE_SHIFT) & END_MASK;
  }

  /**
   * Returns the id of the field's name among {@link RequestNames}. An entry of a table keeps it, so
   * that a name is compared only when it arrives as text.
   */
  @Override
  public int nameId(int field) {
    return (int) (places[field] >>> NAME_ID_SHIFT);
  }

  @Override
  public @Nullable Rejection fault() {
    return FieldFaults.rejection(faults);
  }

  @Override
  public boolean isTooLarge() {
    return tooLarge;
  }

  @Override
  public boolean isFull() {
    return count == fieldsMax;
  }

  /** Starts an empty section. */
  void begin() {
    length = 0;
    count = 0;
    faults = 0;
    tooLarge = false;
    limit = nextLimit();
  }

  /** Returns the reader of the block that is being decoded. */
  BlockReader reader() {
    return reader;
  }

  /** Returns the name of the literal field that is being decoded, if it is a string. */
  EncodedString name() {
    return name;
  }

  /** Returns the value of the literal field that is being decoded. */
  EncodedString value() {
    return value;
  }

  /** Returns the end of the text that the next field may have; negative if none is kept. */
  int limit() {
    return limit;
  }

  /** Notes that a field exceeds a limit. No further field is kept. */
  void exceed() {
    tooLarge = true;
    limit = NOTHING;
  }

  /**
   * Returns the text array with room after the text, which the caller may use, and {@link #SLACK}.
   *
   * @param room a number of bytes
   */
  @Override
  public byte[] textWithRoom(int room) {
    if (text.length - SLACK - length < room) {
      growText(room);
    }
    return text;
  }

  /** Returns an array apart from the text with so much room, and {@link #SLACK}. */
  byte[] scratch(int room) {
    if (scratch.length - SLACK < room) {
      scratch = new byte[room + SLACK];
      scratchSegment = MemorySegment.ofArray(scratch);
    }
    return scratch;
  }

  /** Returns the id of a name that was stored in one of the two arrays. */
  @SuppressWarnings("ReferenceEquality") // compared by identity
  int nameId(byte[] array, int start, int end) {
    return RequestNames.find(array == text ? segment : scratchSegment, start, end - start);
  }

  /** Adds a field whose text was stored after the text. */
  void add(int nameLength, int valueLength, int nameId, int fieldFaults) {
    if (count == places.length) {
      growPlaces();
    }
    int nameEnd = length + nameLength;
    int valueEnd = nameEnd + valueLength;
    places[count] = nameEnd | (long) valueEnd << VALUE_SHIFT | (long) nameId << NAME_ID_SHIFT;
    length = valueEnd;
    count++;
    limit = nextLimit();
    if (fieldFaults != 0 && faults == 0) {
      faults = fieldFaults;
    }
  }

  private int nextLimit() {
    return count < fieldsMax ? bytesMax - (count + 1) * TableEntry.OVERHEAD : NOTHING;
  }

  private void growText(int room) {
    int doubled = Math.min(Math.max(TEXT_AT_FIRST, 2 * text.length), bytesMax + SLACK);
    text = Arrays.copyOf(text, Math.max(doubled, length + room + SLACK));
    segment = MemorySegment.ofArray(text);
  }

  private void growPlaces() {
    places = Arrays.copyOf(places, Math.max(PLACES_AT_FIRST, 2 * places.length));
  }
}
