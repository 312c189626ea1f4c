package dev.peregrine.server.websocket;

import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import java.util.function.Supplier;

/** The WebSockets of a loop that a test runs. */
public final class ScriptedWebSockets {
  private ScriptedWebSockets() {}

  /** Returns what opens them. */
  public static WebSocketOpener of(ExchangeContext context, Supplier<CompressionPool> compression) {
    return new WebSocketContext(context, compression);
  }
}
