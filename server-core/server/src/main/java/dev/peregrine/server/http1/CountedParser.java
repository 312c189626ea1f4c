package dev.peregrine.server.http1;

import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The parser of one event loop, which can be compared with another and replaced while the loop
 * runs. It counts, so that what pays only after many heads is not begun before. Belongs to the
 * loop's thread.
 */
final class CountedParser {
  private static final long NEVER = Long.MAX_VALUE;

  private RequestParser parser;
  private long left = NEVER; // until something else than a parse is to be done; 0 in a trial
  private @Nullable Runnable action; // not null while left counts
  private @Nullable ParserTrial trial;

  CountedParser(RequestParser parser) {
    this.parser = parser;
  }

  /** Switches to another parser, which may continue where the former stopped. */
  void use(RequestParser next) {
    parser = next;
    if (trial != null) {
      trial = null;
      left = NEVER;
    }
  }

  /** Compares another parser with the present one, until one of both is to be used. */
  void tryOut(RequestParser other, IntConsumer whenOver) {
    trial = new ParserTrial(parser, other, whenOver);
    action = null;
    left = 0;
  }

  /** Runs an action in the turn in which that many more heads, or parts of them, are parsed. */
  void after(long heads, Runnable then) {
    left = heads;
    action = then;
  }

  /** Parses as {@link RequestParser#parse} does. */
  int parse(MemorySegment bytes, int from, int to, RequestHead head) {
    return --left > 0 ? parser.parse(bytes, from, to, head) : parseApart(bytes, from, to, head);
  }

  private int parseApart(MemorySegment bytes, int from, int to, RequestHead head) {
    Runnable due = action;
    if (due != null) {
      action = null;
      left = NEVER;
      due.run();
    }
    ParserTrial compared = trial;
    return compared == null
        ? parser.parse(bytes, from, to, head)
        : compared.parse(bytes, from, to, head);
  }
}
