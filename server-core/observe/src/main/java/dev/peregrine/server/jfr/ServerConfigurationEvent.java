package dev.peregrine.server.jfr;

import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.start.ServerFacts;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** How a server is configured, recorded when a recording begins and with each chunk of it. */
@Name("dev.peregrine.ServerConfiguration")
@Label("Server Configuration")
@Category("Peregrine")
@StackTrace(false)
@Period("beginChunk")
final class ServerConfigurationEvent extends Event {
  @Label("Server")
  @Nullable String server;

  @Label("Endpoints")
  @Nullable String endpoints;

  @Label("Transport")
  @Nullable String transport;

  @Label("Scanner")
  @Nullable String scanner;

  @Label("Event Loops")
  int loops;

  @Label("Event Loops Carry Blocking Handlers")
  boolean carriesHandlers;

  @Label("Limits")
  @Nullable String limits;

  static void record(ServerFacts facts, int loops) {
    ServerConfigurationEvent event = new ServerConfigurationEvent();
    event.server = facts.server();
    event.endpoints = facts.endpoints();
    event.transport = facts.transport();
    event.scanner = facts.scanner().name();
    event.loops = loops;
    event.carriesHandlers = CarriedThreads.isAvailable();
    event.limits = String.valueOf(facts.limits());
    event.commit();
  }
}
