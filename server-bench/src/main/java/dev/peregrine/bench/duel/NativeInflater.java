package dev.peregrine.bench.duel;

import dev.peregrine.bench.corpus.FieldBlocks;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The decoder of libnghttp2. Each field is a downcall, whose cost {@link #callNanos} measures, so
 * that it can be subtracted.
 */
@SuppressWarnings("restricted") // calls C
final class NativeInflater {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY =
      SymbolLookup.libraryLookup("libnghttp2.so.14", Arena.global());

  private static final MethodHandle NEW =
      function(
          "nghttp2_hd_inflate_new",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  private static final MethodHandle INFLATE =
      function(
          "nghttp2_hd_inflate_hd2",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));
  private static final MethodHandle END_HEADERS =
      function(
          "nghttp2_hd_inflate_end_headers",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
  private static final MethodHandle MAX_TABLE_SIZE =
      function(
          "nghttp2_hd_inflate_get_max_dynamic_table_size",
          FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

  private static final int EMITTED = 2;
  private static final int FINAL = 1;
  private static final int FIELD_BYTES = 40;
  private static final int CALLS = 1_000_000;

  private final MemorySegment field = Arena.global().allocate(FIELD_BYTES, Long.BYTES);
  private final MemorySegment flags = Arena.global().allocate(ValueLayout.JAVA_INT);
  private final long inflater = create();

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(
        LIBRARY.findOrThrow(name), descriptor, Linker.Option.critical(false));
  }

  private static long create() {
    try {
      MemorySegment pointer = Arena.global().allocate(ValueLayout.JAVA_LONG);
      int failed = (int) NEW.invokeExact(pointer);
      if (failed != 0) {
        throw new IllegalStateException("nghttp2_hd_inflate_new: " + failed);
      }
      return pointer.get(ValueLayout.JAVA_LONG, 0);
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Decodes the first block, and then the others for a number of rounds; returns their fields. */
  long run(FieldBlocks blocks, long rounds) {
    try {
      decode(blocks, 0);
      long count = 0;
      for (long i = 0; i < rounds; i++) {
        for (int block = 1; block < blocks.count(); block++) {
          count += decode(blocks, block);
        }
      }
      return count;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Returns the number of downcalls for a block with a given number of fields. */
  static int calls(int fields) {
    return fields + 2;
  }

  private int decode(FieldBlocks blocks, int block) throws Throwable {
    long base = blocks.segment().address();
    long at = base + blocks.start(block);
    long end = base + blocks.end(block);
    int count = 0;
    while (true) {
      long read =
          (long) INFLATE.invokeExact(inflater, field.address(), flags.address(), at, end - at, 1);
      if (read < 0) {
        throw new IllegalStateException("nghttp2_hd_inflate_hd2: " + read);
      }
      at += read;
      int set = flags.get(ValueLayout.JAVA_INT, 0);
      if ((set & EMITTED) != 0) {
        count++;
      }
      if ((set & FINAL) != 0) {
        int ended = (int) END_HEADERS.invokeExact(inflater);
        return count + ended;
      }
    }
  }

  /** Returns the least time of a downcall that reads one word. */
  double callNanos() {
    try {
      double least = Double.MAX_VALUE;
      for (int round = 0; round < 20; round++) {
        long sum = 0;
        long begin = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
          sum += (long) MAX_TABLE_SIZE.invokeExact(inflater);
        }
        least = Math.min(least, (System.nanoTime() - begin) / (double) CALLS);
        if (sum == 0) {
          throw new IllegalStateException("the table has no size");
        }
      }
      return least;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }
}
