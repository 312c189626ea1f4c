package dev.peregrine.parser;

import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A field section that was decoded, whatever had compressed it: its text, and where in it each name
 * and value is. {@code HpackDecoder} fills that of HTTP/2.
 */
public interface DecodedSection {
  /**
   * Returns the array with the fields' text as it was received, each name followed by its value.
   * Its content is valid until the next section, and the array until it grows.
   */
  byte[] text();

  /** Returns the {@link #text} as a segment. */
  MemorySegment segment();

  /** Returns the number of bytes of {@link #text} in use. */
  int textLength();

  /** Returns the text array with room for that many bytes after the text, which the caller uses. */
  byte[] textWithRoom(int room);

  /** Returns the number of fields that were kept. */
  int count();

  int nameStart(int field);

  int nameEnd(int field);

  int valueStart(int field);

  int valueEnd(int field);

  /** Returns the id of the field's name, which the decoder has found once for each entry. */
  int nameId(int field);

  /** Returns the first fault in the syntax of the kept fields (RFC 9113 section 8.2.1), or null. */
  @Nullable Rejection fault();

  /** Returns true if the section exceeded a limit, so that fields are missing. */
  boolean isTooLarge();

  /** Returns true if as many fields were kept as may be. */
  boolean isFull();
}
