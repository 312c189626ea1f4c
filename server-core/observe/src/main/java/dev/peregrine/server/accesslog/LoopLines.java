package dev.peregrine.server.accesslog;

import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.RejectedRequest;

/**
 * Formats the lines of one event loop, on its present thread, and keeps them until they are
 * written. They belong to the loop and not to a thread, because another thread may run it later.
 */
final class LoopLines {
  final LoopInfo loop;
  private final LineFormat format;
  private final Line line;
  private final LogWriter writer;
  private final int bytesMax;
  final LineRing ring;

  LoopLines(LoopInfo loop, LineFormat format, Line line, int bytesMax, LogWriter writer) {
    this.loop = loop;
    this.format = format;
    this.line = line;
    this.bytesMax = bytesMax;
    this.ring = new LineRing(bytesMax);
    this.writer = writer;
  }

  /** Adds the line of an exchange that has ended. */
  void add(ExchangeInfo exchange) {
    line.begin();
    format.write(exchange, line);
    add();
  }

  /** Adds the line of bytes that did not become a request. */
  void add(RejectedRequest rejected) {
    line.begin();
    format.write(rejected, line);
    add();
  }

  private void add() {
    int waiting = writer.isClosed() ? -1 : ring.add(line.bytes, line.length);
    if (waiting < 0) {
      writer.onDropped();
    } else if (waiting >= bytesMax / 2 && waiting - line.length < bytesMax / 2) {
      writer.wake(); // at half of the ring; otherwise it comes by itself
    }
  }

  /** Returns true if no line will be added any more, and none waits; for the writer's thread. */
  boolean isOver() {
    return loop.isOver() && ring.isEmpty();
  }
}
