package dev.peregrine.server.jfr;

import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.exchange.ExchangeContext;

/** The parts of an event loop that events are recorded of. */
public record RecordedLoop(ConnectionGroup connections, ExchangeContext exchanges) {}
