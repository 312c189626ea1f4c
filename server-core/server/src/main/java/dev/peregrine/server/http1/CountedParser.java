package dev.peregrine.server.http1;

import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parser of one event loop, which can be replaced while the loop runs. It counts, so that what
 * pays only after many heads is not begun before. Belongs to the loop's thread.
 */
final class CountedParser {
  private RequestParser parser;
  private long left = Long.MAX_VALUE;
  private @Nullable Runnable action; // not null while left counts

  CountedParser(RequestParser parser) {
    this.parser = parser;
  }

  /** Switches to another parser, which may continue where the former stopped. */
  void use(RequestParser next) {
    parser = next;
  }

  /** Runs an action in the turn in which that many more heads, or parts of them, are parsed. */
  void after(long heads, Runnable then) {
    left = heads;
    action = then;
  }

  /** Parses as {@link RequestParser#parse} does. */
  int parse(MemorySegment bytes, int from, int to, RequestHead head) {
    if (--left == 0) {
      Objects.requireNonNull(action).run();
    }
    return parser.parse(bytes, from, to, head);
  }
}
