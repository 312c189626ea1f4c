package dev.peregrine.server.jfr;

import dev.peregrine.server.start.RecordedLoop;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The connections and the buffers of an event loop, recorded periodically. */
@Name("dev.peregrine.LoopStatistics")
@Label("Loop Statistics")
@Category("Peregrine")
@StackTrace(false)
@Period("1 s")
final class LoopStatisticsEvent extends Event {
  @Label("Event Loop")
  @Nullable String loop;

  @Label("Connections")
  long connections;

  @Label("Buffer Bytes in Use")
  @DataAmount
  long bufferBytesInUse;

  @Label("Buffer Bytes Reserved")
  @DataAmount
  long bufferBytesReserved;

  @Label("Buffer Bytes Returned")
  @Description("To the system, since the start")
  @DataAmount
  long bufferBytesReturned;

  static void record(RecordedLoop recorded) {
    LoopStatisticsEvent event = new LoopStatisticsEvent();
    event.loop = recorded.name();
    event.connections = recorded.connections().count().reserved();
    event.bufferBytesInUse = recorded.pool().bytesInUse();
    event.bufferBytesReserved = recorded.pool().bytesReserved();
    event.bufferBytesReturned = recorded.pool().bytesReturned();
    event.commit();
  }
}
