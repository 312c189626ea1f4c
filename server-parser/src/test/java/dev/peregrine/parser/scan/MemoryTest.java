package dev.peregrine.parser.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Words have one order of bytes on every machine: the first byte in memory is the lowest. */
class MemoryTest {
  private static final byte[] BYTES = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, (byte) 0x88};
  private static final long LONG = 0x8877665544332211L;
  private static final int INT = 0x44332211;

  private final MemorySegment array = MemorySegment.ofArray(BYTES.clone());
  private final MemorySegment outside = Arena.ofAuto().allocate(Long.BYTES).copyFrom(array);

  @Test
  void loadsTheFirstByteAsTheLowest() {
    expectLoads(array, 0);
    expectLoads(outside, 0);
    if (Memory.isInAll(outside)) {
      expectLoads(Memory.ALL, outside.address());
    }
    assertThat(Memory.longAt(BYTES, 0)).isEqualTo(LONG);
  }

  private static void expectLoads(MemorySegment bytes, long at) {
    assertThat(Memory.longAt(bytes, at)).isEqualTo(LONG);
    assertThat(Memory.intAt(bytes, at)).isEqualTo(INT);
    assertThat(Memory.shortAt(bytes, at)).isEqualTo(INT & 0xFFFF);
    assertThat(Memory.byteAt(bytes, at)).isEqualTo(BYTES[0]);
  }

  @Test
  void storesTheLowestByteFirst() {
    expectStores(array, 0, array);
    expectStores(outside, 0, outside);
    if (Memory.isInAll(outside)) {
      expectStores(Memory.ALL, outside.address(), outside);
    }
  }

  private static void expectStores(MemorySegment bytes, long at, MemorySegment stored) {
    Memory.putLong(bytes, at, 0);
    Memory.putLong(bytes, at, LONG);
    assertThat(stored.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(BYTES);
    Memory.putInt(bytes, at, 0);
    Memory.putInt(bytes, at, INT);
    assertThat(stored.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(BYTES);
  }

  @Test
  void wordOfTextIsWhatItsBytesLoadAs() {
    byte[] text = "GET /abc".getBytes(StandardCharsets.US_ASCII);

    assertThat(Memory.word("GET /abc")).isEqualTo(Memory.longAt(text, 0));
    assertThat(Memory.word("GET")).isEqualTo(Memory.longAt(text, 0) & 0xFF_FFFF);
  }
}
