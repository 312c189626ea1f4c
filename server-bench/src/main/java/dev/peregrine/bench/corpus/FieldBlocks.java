package dev.peregrine.bench.corpus;

import dev.peregrine.parser.hpack.EncoderTable;
import dev.peregrine.parser.hpack.HpackWriter;
import dev.peregrine.parser.hpack.StaticTable;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requests of a {@link FieldList} as field blocks in native memory, encoded as browsers encode
 * them: strings by the Huffman code if that is shorter, and everything inserted into the dynamic
 * table except for paths and secrets.
 *
 * <p>A cold block empties the table first, as if it were the first of a connection. A warm block
 * depends on the cold one, which must be decoded before, and inserts nothing.
 */
public final class FieldBlocks {
  private static final int TABLE_BYTES = 4096;
  private static final Set<String> NOT_INSERTED =
      Set.of(":path", "content-length", "authorization", "grpc-timeout", "traceparent");

  private final NativeHeads memory;
  private final int[] starts;
  private final int fields;

  private FieldBlocks(List<byte[]> blocks, int fields) {
    starts = new int[blocks.size() + 1];
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < blocks.size(); i++) {
      all.writeBytes(blocks.get(i));
      starts[i + 1] = all.size();
    }
    memory = NativeHeads.of(all.toByteArray());
    this.fields = fields;
  }

  /** Returns cold or warm blocks; the first one is to be decoded once, the others any time. */
  public static FieldBlocks of(FieldList list, boolean warm) {
    List<List<String[]>> requests = list.requests();
    var encoder = new Encoder();
    var blocks = new ArrayList<byte[]>();
    blocks.add(encoder.encode(requests.getFirst(), true));
    for (List<String[]> request : requests) {
      blocks.add(encoder.encode(request, !warm));
    }
    return new FieldBlocks(blocks, requests.stream().mapToInt(List::size).sum());
  }

  /** Returns the memory with the blocks. */
  public MemorySegment segment() {
    return memory.segment();
  }

  /** Returns the number of blocks, with the first. */
  public int count() {
    return starts.length - 1;
  }

  public int start(int block) {
    return starts[block];
  }

  public int end(int block) {
    return starts[block + 1];
  }

  /** Returns the number of fields in all blocks except for the first. */
  public int fields() {
    return fields;
  }

  /** Encodes the requests of a connection. */
  private static final class Encoder {
    private final EncoderTable table = new EncoderTable(TABLE_BYTES);
    private final Map<String, Integer> inserted = new HashMap<>();
    private final byte[] out = new byte[TABLE_BYTES];
    private int at;

    byte[] encode(List<String[]> request, boolean cold) {
      at = 0;
      if (cold) {
        table.resize(0);
        table.resize(TABLE_BYTES);
        at = HpackWriter.tableSizeUpdate(out, at, 0);
        at = HpackWriter.tableSizeUpdate(out, at, TABLE_BYTES);
      }
      request.forEach(field -> add(field[0], field[1]));
      return Arrays.copyOf(out, at);
    }

    private void add(String name, String value) {
      byte[] nameBytes = name.getBytes(StandardCharsets.US_ASCII);
      byte[] valueBytes = value.getBytes(StandardCharsets.US_ASCII);
      int nameIndex = StaticTable.indexOf(nameBytes);
      int index = StaticTable.indexOf(nameIndex, valueBytes, 0, valueBytes.length);
      if (index == 0) {
        index = indexOf(name + " " + value);
      }
      if (index != 0) {
        at = HpackWriter.indexed(out, at, index);
        return;
      }
      nameIndex = nameIndex == 0 ? indexOf(name) : nameIndex;
      if (NOT_INSERTED.contains(name)) {
        at = HpackWriter.literal(out, at, nameIndex, name.equals("authorization"));
      } else {
        at = HpackWriter.literalIndexed(out, at, nameIndex);
        int number = table.insert(nameBytes.length, valueBytes.length);
        inserted.put(name, number);
        inserted.put(name + " " + value, number);
      }
      if (nameIndex == 0) {
        string(nameBytes);
      }
      string(valueBytes);
    }

    private int indexOf(String key) {
      Integer number = inserted.get(key);
      return number == null ? 0 : table.indexOf(number);
    }

    private void string(byte[] bytes) {
      at =
          HpackWriter.huffmanLength(bytes, 0, bytes.length) < bytes.length
              ? HpackWriter.stringHuffman(out, at, bytes, 0, bytes.length)
              : HpackWriter.string(out, at, bytes, 0, bytes.length);
    }
  }
}
