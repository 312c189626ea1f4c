package dev.peregrine.server.http1;

import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Finds out which of two parsers is the faster one for the heads of a loop as they come. Both parse
 * them in turns of {@link #HEADS_PER_TURN}; two turns are a comparison. A turn in which the thread
 * loses the processor spoils one comparison only. A head that one parser has begun can be finished
 * by the other. Belongs to the loop's thread.
 */
final class ParserTrial {
  /** Enough that the code of a parser is in the caches for nearly all of them. */
  static final int HEADS_PER_TURN = 64;

  /** The number of comparisons in a trial. */
  static final int COMPARISONS = 64;

  private static final int TURNS = 2 * COMPARISONS;

  private final RequestParser present;
  private final RequestParser other;
  private final IntConsumer whenOver;
  private final LongSupplier clock;
  private int headsLeft = HEADS_PER_TURN; // of this turn
  private int turn;
  private long nanos; // of this turn
  private long presentNanos; // of its last turn
  private int wins; // of the other parser

  /**
   * Creates a trial that begins with the next head.
   *
   * @param whenOver takes, once and on the loop, the number of comparisons in which the other
   *     parser was the faster
   */
  ParserTrial(RequestParser present, RequestParser other, IntConsumer whenOver) {
    this(present, other, whenOver, System::nanoTime);
  }

  /** The same by another clock, which is read before and after each parse. */
  ParserTrial(
      RequestParser present, RequestParser other, IntConsumer whenOver, LongSupplier clock) {
    this.present = present;
    this.other = other;
    this.whenOver = whenOver;
    this.clock = clock;
  }

  /**
   * Parses as {@link RequestParser#parse} does, after the end of the trial by the present parser.
   */
  int parse(MemorySegment bytes, int from, int to, RequestHead head) {
    RequestParser parser = turn % 2 == 0 ? present : other;
    long start = clock.getAsLong();
    int length = parser.parse(bytes, from, to, head);
    nanos += clock.getAsLong() - start;
    if (turn < TURNS && --headsLeft == 0) {
      endTurn();
    }
    return length;
  }

  private void endTurn() {
    if (turn % 2 == 0) {
      presentNanos = nanos;
    } else if (nanos < presentNanos) {
      wins++;
    }
    nanos = 0;
    headsLeft = HEADS_PER_TURN;
    if (++turn == TURNS) {
      whenOver.accept(wins);
    }
  }
}
