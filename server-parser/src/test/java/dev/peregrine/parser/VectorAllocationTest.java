package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.parser.corpus.InvalidHeads;
import dev.peregrine.parser.corpus.ValidHeads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Parsing with vectors allocates nothing once C2 has compiled it, whatever the head, and whatever
 * C2 inlines. Runs in a JVM of its own, and in one that inlines none of our methods: vectors that
 * such a method takes or returns are objects there in every run, and otherwise only in few.
 */
class VectorAllocationTest {
  /** Two passes of a scanner, so that bytes after a head can be loaded. */
  private static final int SLACK_BYTES = 128;

  private static final int PASSES = 100;

  private final RequestHead head = new RequestHead();

  @Test
  void parsesAnyHeadWithoutAllocation() {
    assumeTrue(ScannerKind.vectorProblem() == null, "this VM runs vectors");
    var parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.VECTOR);
    MemorySegment[] heads = heads().toArray(MemorySegment[]::new);
    assertThat(Allocations.whenCompiled(() -> parseAll(parser, heads)))
        .as("bytes allocated in %s passes over %s heads", PASSES, heads.length)
        .isZero();
  }

  private void parseAll(RequestParser parser, MemorySegment[] heads) {
    for (int pass = 0; pass < PASSES; pass++) {
      for (MemorySegment bytes : heads) {
        int length = (int) bytes.byteSize() - SLACK_BYTES;
        head.reset();
        parser.parse(bytes, 0, length / 2, head);
        parser.parse(bytes, 0, length, head);
      }
    }
  }

  private static List<MemorySegment> heads() {
    var heads = new ArrayList<MemorySegment>();
    ValidHeads.all().values().forEach(head -> heads.add(segment(head)));
    InvalidHeads.all().forEach(bad -> heads.add(segment(bad.head())));
    return heads;
  }

  private static MemorySegment segment(String head) {
    return Segments.aligned(Segments.latin1(head), 0, SLACK_BYTES, (byte) 'x');
  }
}
