package dev.peregrine.server.jfr;

import dev.peregrine.server.loop.watch.BlockedTurn;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The watchdog has found a blocked event loop, or the end of its turn. The stack is a text, because
 * the event's own would be the watchdog's. The request isn't named: its path may contain secrets.
 */
@Name("dev.peregrine.LoopBlocked")
@Label("Loop Blocked")
@Category("Peregrine")
@StackTrace(false)
final class LoopBlockedEvent extends Event {
  @Label("Event Loop")
  @Nullable String loop;

  @Label("Blocked Time")
  @Description("Until this event")
  @Timespan(Timespan.NANOSECONDS)
  long blockedTime;

  @Label("Over")
  @Description("The turn has ended")
  boolean over;

  @Label("Activity")
  @Description("Null once the turn is over")
  @Nullable String activity;

  @Label("Stack of the Loop")
  @Nullable String loopStack;

  static void record(BlockedTurn turn) {
    LoopBlockedEvent event = new LoopBlockedEvent();
    if (event.shouldCommit()) {
      event.loop = turn.loop();
      event.blockedTime = turn.nanos();
      event.over = turn.isOver();
      event.activity = turn.activity();
      event.loopStack = turn.isOver() ? null : turn.stack().strip();
      event.commit();
    }
  }
}
