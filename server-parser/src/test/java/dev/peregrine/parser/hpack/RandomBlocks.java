package dev.peregrine.parser.hpack;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Random field blocks: mostly valid, with faulty fields, long ones, and damaged bytes. */
public final class RandomBlocks {
  private static final List<String> NAMES =
      List.of(
          ":path",
          ":protocol",
          "cookie",
          "x-name",
          "x-request-id",
          "a",
          "name_with_underscores",
          "te",
          "grpc-timeout",
          "a-name-that-is-longer-than-thirty-two-bytes-in-all");
  private static final List<String> FAULTY_NAMES =
      List.of("", ":", "Upper", "a b", "a:b", "::a", "x-\u0000", "ab\u00FF", "[", "x-A{", "x-{A");
  private static final List<String> FAULTY_VALUES =
      List.of(
          " ",
          "\t",
          " a",
          "a ",
          "a\t",
          "\ta",
          "a\rb",
          "a\nb",
          "\u0000",
          "12345678\u007F",
          "\u0001");
  private static final String COMMON = "abcdefghijklmnopqrstuvwxyz0123456789/.-=;,%&_ ";

  private final SplittableRandom random;

  public RandomBlocks(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Returns a number from 0 to {@code bound - 1}. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns a block, which is damaged with a probability of one in {@code damagedOneIn}. */
  public byte[] next(int damagedOneIn) {
    var block = new BlockBytes();
    for (int i = below(3); i > 1; i--) {
      block.sizeUpdate(oneIn(30) ? 5000 : below(4097));
    }
    int fields = oneIn(20) ? below(200) : below(12);
    for (int i = 0; i < fields; i++) {
      addField(block);
    }
    byte[] bytes = block.bytes();
    return oneIn(damagedOneIn) ? damaged(bytes) : bytes;
  }

  private void addField(BlockBytes block) {
    switch (below(8)) {
      case 0, 1 -> block.indexed(1 + below(StaticTable.COUNT));
      case 2, 3 -> block.indexed(StaticTable.COUNT + 1 + below(oneIn(40) ? 100 : 3));
      case 4 -> {
        block.integer(BlockBytes.INSERTED, 6, 1 + below(StaticTable.COUNT + 2));
        addString(block, value());
      }
      case 5 -> {
        int flags = below(2) * BlockBytes.NEVER_INDEXED;
        block.integer(flags, 4, 1 + below(StaticTable.COUNT + 2));
        addString(block, value());
      }
      default -> {
        block.raw(below(3) == 0 ? below(2) * BlockBytes.NEVER_INDEXED : BlockBytes.INSERTED);
        addString(block, oneIn(30) ? any(FAULTY_NAMES) : any(NAMES));
        addString(block, value());
      }
    }
  }

  private void addString(BlockBytes block, String text) {
    if (random.nextBoolean()) {
      block.huffman(text);
    } else {
      block.plain(text);
    }
  }

  private String value() {
    return switch (below(30)) {
      case 0 -> any(FAULTY_VALUES);
      case 1 -> text(below(20), 256);
      case 2 -> text(below(5000), COMMON.length());
      case 3 -> text(below(1200), COMMON.length());
      default -> text(below(60), COMMON.length());
    };
  }

  private String text(int length, int symbols) {
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      int symbol = below(symbols);
      text.append(symbols == COMMON.length() ? COMMON.charAt(symbol) : (char) symbol);
    }
    return text.toString();
  }

  private byte[] damaged(byte[] bytes) {
    byte[] damaged = bytes.clone();
    for (int i = 1 + below(3); i > 0 && damaged.length > 0; i--) {
      int at = below(damaged.length);
      switch (below(3)) {
        case 0 -> damaged[at] = (byte) below(256);
        case 1 -> damaged[at] ^= (byte) (1 << below(8));
        default -> damaged = Arrays.copyOf(damaged, at);
      }
    }
    return damaged;
  }

  private boolean oneIn(int times) {
    return below(times) == 0;
  }

  private String any(List<String> texts) {
    return texts.get(below(texts.size()));
  }
}
