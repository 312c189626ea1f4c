package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.FieldBlocks;
import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.parser.hpack.HpackDecoder;
import java.lang.foreign.MemorySegment;

/** Decodes the field blocks of a connection with our decoder. */
public final class FieldBlockLoop {
  private static final int TABLE_BYTES = 4096;
  private static final int BYTES_MAX = 16_384;
  private static final int FIELDS_MAX = 100;

  private final HpackDecoder decoder = new HpackDecoder(TABLE_BYTES);
  private final DecodedFields fields = new DecodedFields(BYTES_MAX, FIELDS_MAX);

  /** Decodes the first block, and then the others for a number of rounds; returns their fields. */
  public long run(FieldBlocks blocks, long rounds) {
    decode(blocks, 0);
    long count = 0;
    for (long i = 0; i < rounds; i++) {
      count += pass(blocks);
    }
    return count;
  }

  /** Decodes all blocks except for the first, and returns the number of fields. */
  public long pass(FieldBlocks blocks) {
    long count = 0;
    for (int block = 1; block < blocks.count(); block++) {
      count += decode(blocks, block);
    }
    return count;
  }

  private int decode(FieldBlocks blocks, int block) {
    MemorySegment bytes = blocks.segment();
    if (!decoder.decode(bytes, blocks.start(block), blocks.end(block), fields)
        || fields.fault() != null
        || fields.isTooLarge()) {
      throw new IllegalStateException("block " + block + " was not decoded");
    }
    return fields.count();
  }
}
