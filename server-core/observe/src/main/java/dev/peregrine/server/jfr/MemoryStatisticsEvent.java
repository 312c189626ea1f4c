package dev.peregrine.server.jfr;

import dev.peregrine.server.memory.DirectMemory;
import dev.peregrine.server.start.RecordedLoop;
import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The direct memory of a server beside that of the process, recorded periodically. */
@Name("dev.peregrine.MemoryStatistics")
@Label("Memory Statistics")
@Category("Peregrine")
@StackTrace(false)
@Period("1 s")
final class MemoryStatisticsEvent extends Event {
  @Label("Server")
  @Nullable String server;

  @Label("Buffer Bytes in Use")
  @DataAmount
  long bufferBytesInUse;

  @Label("Buffer Bytes Reserved")
  @DataAmount
  long bufferBytesReserved;

  @Label("Bytes of the Process")
  @Description("Reserved for buffers by all servers of the process")
  @DataAmount
  long processBytes;

  @Label("Limit of the Process")
  @Description("-XX:MaxDirectMemorySize, or the maximum heap size")
  @DataAmount
  long processBytesMax;

  static void record(String server, List<RecordedLoop> loops) {
    MemoryStatisticsEvent event = new MemoryStatisticsEvent();
    event.server = server;
    for (RecordedLoop loop : loops) {
      event.bufferBytesInUse += loop.pool().bytesInUse();
      event.bufferBytesReserved += loop.pool().bytesReserved();
    }
    event.processBytes = DirectMemory.bytesTaken();
    event.processBytesMax = DirectMemory.bytesMax();
    event.commit();
  }
}
