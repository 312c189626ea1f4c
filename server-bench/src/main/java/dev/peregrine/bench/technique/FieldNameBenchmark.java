package dev.peregrine.bench.technique;

import dev.peregrine.parser.field.NameTable;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Finds the known field names of a head: by a map, or as words. Varied is one of 2,048 different
 * heads after the other, which a branch predictor can't learn.
 */
public class FieldNameBenchmark extends Technique {
  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);
  private static final int LENGTHS = 64;
  private static final Pattern NAME = Pattern.compile("(?m)^[^ :]+(?=:)");
  private static final List<String> NAMES = KnownHeader.namesRecognisedInRequests();
  private static final Map<String, KnownHeader> BY_NAME =
      Arrays.stream(KnownHeader.values())
          .collect(
              Collectors.toMap(name -> name.fieldName().toLowerCase(Locale.ROOT), name -> name));

  @Param({"browser", "proxied", "varied"})
  String head;

  private final NameTable table = new NameTable(NAMES);
  private final GeneratedNames generated = GeneratedNames.of(NAMES);

  /** By length: for each name of that length its id, then its words. */
  private final long[][] byLength = new long[LENGTHS][];

  private MemorySegment bytes;
  private long[][] starts; // by head, then by field
  private int[][] lengths;
  private int next;

  /** Finds the names of the head and checks that all forms recognise them. */
  @Setup
  public void setUp() {
    for (int length = 0; length < LENGTHS; length++) {
      byLength[length] = candidates(length);
    }
    Heads heads = Heads.named(head);
    bytes = heads.input().bytes();
    starts = new long[heads.count()][];
    lengths = new int[heads.count()][];
    for (int i = 0; i < heads.count(); i++) {
      long from = heads.start(i);
      List<MatchResult> names = NAME.matcher(heads.text(i)).results().toList();
      starts[i] = names.stream().mapToLong(name -> from + name.start()).toArray();
      lengths[i] = names.stream().mapToInt(name -> name.end() - name.start()).toArray();
    }
    for (int i = 0; i < heads.count(); i++) {
      checkEqual(bits(map(i)), lengthThenWords(i), generated(i), perfectHash(i));
    }
  }

  /** Looks each name up in a hash map, as a lower-case string. */
  @Benchmark
  public Set<KnownHeader> map() {
    return map(next());
  }

  /** Compares the names of the same length by words, one after the other. */
  @Benchmark
  public long lengthThenWords() {
    return lengthThenWords(next());
  }

  /** The same comparisons as code made for these names: their words are constants in it. */
  @Benchmark
  public long generated() {
    return generated(next());
  }

  /** The server's way: a perfect hash of length and last bytes, then compared by words. */
  @Benchmark
  public long perfectHash() {
    return perfectHash(next());
  }

  private Set<KnownHeader> map(int which) {
    long[] at = starts[which];
    Set<KnownHeader> present = EnumSet.noneOf(KnownHeader.class);
    for (int i = 0; i < at.length; i++) {
      byte[] copy = new byte[lengths[which][i]];
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at[i], copy, 0, copy.length);
      String text = new String(copy, StandardCharsets.ISO_8859_1);
      KnownHeader name = BY_NAME.get(text.toLowerCase(Locale.ROOT));
      if (name != null && name.isRecognisedInRequests()) {
        present.add(name);
      }
    }
    return present;
  }

  private long lengthThenWords(int which) {
    long[] at = starts[which];
    long present = 0;
    for (int i = 0; i < at.length; i++) {
      present |= bitByLength(at[i], lengths[which][i]);
    }
    return present;
  }

  private long generated(int which) {
    long[] at = starts[which];
    long present = 0;
    for (int i = 0; i < at.length; i++) {
      present |= 1L << generated.find(bytes, at[i], lengths[which][i]);
    }
    return present & ~(1L << GeneratedNames.UNKNOWN);
  }

  private long perfectHash(int which) {
    long[] at = starts[which];
    long present = 0;
    for (int i = 0; i < at.length; i++) {
      present |= 1L << table.find(bytes, at[i], lengths[which][i]);
    }
    return present & ~(1L << NameTable.UNKNOWN);
  }

  private int next() {
    int which = next;
    next = which + 1 == starts.length ? 0 : which + 1;
    return which;
  }

  private long bitByLength(long start, int length) {
    if (length >= LENGTHS) {
      return 0;
    }
    long[] candidates = byLength[length];
    int words = (length + Long.BYTES - 1) / Long.BYTES;
    for (int at = 0; at < candidates.length; at += words + 1) {
      if (isName(candidates, at + 1, start, length)) {
        return 1L << candidates[at];
      }
    }
    return 0;
  }

  private boolean isName(long[] words, int from, long start, int length) {
    int at = from;
    for (int left = length; left > 0; left -= Long.BYTES) {
      long word = Memory.longAt(bytes, start + length - left) | CASE_BITS;
      if (left < Long.BYTES) {
        word &= -1L >>> ((Long.BYTES - left) * Byte.SIZE);
      }
      if (word != words[at++]) {
        return false;
      }
    }
    return true;
  }

  private static long[] candidates(int length) {
    List<Long> words = new ArrayList<>();
    for (int id = 0; id < NAMES.size(); id++) {
      String name = NAMES.get(id).toLowerCase(Locale.ROOT);
      if (name.length() == length) {
        words.add((long) id);
        for (int from = 0; from < length; from += Long.BYTES) {
          words.add(Memory.word(name.substring(from, Math.min(length, from + Long.BYTES))));
        }
      }
    }
    return words.stream().mapToLong(Long::longValue).toArray();
  }

  private static long bits(Set<KnownHeader> names) {
    return names.stream()
        .mapToLong(name -> 1L << NAMES.indexOf(name.fieldName()))
        .reduce(0, (some, more) -> some | more);
  }
}
