package dev.peregrine.server.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A turn of an event loop, from the end of its wait to the next: others waited that long. */
@Name("dev.peregrine.LoopTurn")
@Label("Loop Turn")
@Category("Peregrine")
@StackTrace(false)
@Threshold("10 ms")
final class LoopTurnEvent extends Event {
  @Label("Event Loop")
  @Nullable String loop;

  @Label("Requests")
  @Description("That began in the turn")
  int requests;

  @Label("Connections")
  @Description("That were opened in the turn")
  int connections;
}
