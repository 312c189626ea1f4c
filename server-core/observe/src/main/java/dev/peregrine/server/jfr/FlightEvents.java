package dev.peregrine.server.jfr;

import dev.peregrine.server.start.Feature;
import dev.peregrine.server.start.RecordedLoop;
import dev.peregrine.server.start.ServerEvents;
import dev.peregrine.server.start.ServerFacts;
import java.util.List;

/**
 * The events of a server for the JVM's Flight Recorder, while anything records. Needs the module
 * {@code jdk.jfr}; without it nothing is recorded.
 *
 * <pre>{@code
 * HttpServer.builder().with(FlightEvents.create())
 * }</pre>
 */
@SuppressWarnings("exports") // what the server sees of it
public final class FlightEvents extends Feature {
  private FlightEvents() {}

  /** Returns the events for a server. */
  public static FlightEvents create() {
    return new FlightEvents();
  }

  @Override
  protected ServerEvents events(ServerFacts facts, List<RecordedLoop> loops) {
    return new RecordedServer(facts, loops);
  }
}
