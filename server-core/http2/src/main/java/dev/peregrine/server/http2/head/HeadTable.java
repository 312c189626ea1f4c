package dev.peregrine.server.http2.head;

import dev.peregrine.http.ContentType;
import dev.peregrine.parser.hpack.EncoderTable;
import dev.peregrine.parser.hpack.HpackWriter;
import dev.peregrine.server.http2.frame.Setting;
import org.jspecify.annotations.Nullable;

/**
 * The fields of responses that a client's decoder keeps in its dynamic table (RFC 7541 section
 * 2.3.2): the server's name, the date, and a few content types. One per connection.
 */
public final class HeadTable {
  private static final int TYPES = 4; // a power of two
  private static final int ABSENT = -1;
  private static final int BYTES_MIN = 512; // below that, fields are sent without the table

  private final EncoderTable table = new EncoderTable(Setting.TABLE_BYTES_DEFAULT);
  private int server = ABSENT; // the numbers of entries
  private int date = ABSENT;
  private long dateSecond;
  private final @Nullable ContentType[] types = new ContentType[TYPES];
  private final int[] typeNumbers = new int[TYPES];
  private int nextType;
  private int updateMin = ABSENT; // the smallest size since the last block, if it has changed

  /** Changes the size that the client permits; the next block declares the size that is used. */
  public void resize(int bytesMax) {
    int size = bytesMax < 0 ? Setting.TABLE_BYTES_DEFAULT : bytesMax; // more than an int
    size = Math.min(size, Setting.TABLE_BYTES_DEFAULT);
    updateMin = updateMin == ABSENT ? size : Math.min(updateMin, size);
    table.resize(size);
  }

  /** Returns true if fields are inserted. */
  boolean isUsed() {
    return table.bytesMax() >= BYTES_MIN;
  }

  /** Writes changes of the size at the beginning of a block. Returns the index after them. */
  int update(byte[] out, int at) {
    if (updateMin == ABSENT) {
      return at;
    }
    int end = at;
    if (updateMin < table.bytesMax()) {
      end = HpackWriter.tableSizeUpdate(out, end, updateMin);
    }
    updateMin = ABSENT;
    return HpackWriter.tableSizeUpdate(out, end, table.bytesMax());
  }

  /** Returns the index of the server's name; 0 if it isn't there. */
  int server() {
    return table.indexOf(server);
  }

  void insertServer(int nameLength, int valueLength) {
    server = table.insert(nameLength, valueLength);
  }

  /** Returns the index of the date; 0 if it isn't there, or is another one. */
  int date(long second) {
    return second == dateSecond ? table.indexOf(date) : 0;
  }

  void insertDate(int nameLength, int valueLength, long second) {
    date = table.insert(nameLength, valueLength);
    dateSecond = second;
  }

  /** Returns the index of a content type; 0 if it isn't there. */
  @SuppressWarnings("ReferenceEquality") // types are kept in constants
  int type(ContentType type) {
    for (int i = 0; i < TYPES; i++) {
      if (types[i] == type) {
        return table.indexOf(typeNumbers[i]);
      }
    }
    return 0;
  }

  @SuppressWarnings("ReferenceEquality")
  void insertType(int nameLength, int valueLength, ContentType type) {
    int slot = nextType;
    for (int i = 0; i < TYPES; i++) {
      if (types[i] == type) {
        slot = i; // it was evicted
      }
    }
    types[slot] = type;
    typeNumbers[slot] = table.insert(nameLength, valueLength);
    nextType = (slot + 1) & (TYPES - 1);
  }
}
