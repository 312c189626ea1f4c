package dev.peregrine.server.websocket;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.server.exchange.bytes.Retainer;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.RefusalLog;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.pace.DataRate;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import dev.peregrine.server.websocket.deflate.SessionCompression;
import dev.peregrine.server.websocket.frame.FrameScratch;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that all WebSockets of one event loop share. Belongs to the loop's thread, except for
 * {@link #execute}, the limits and {@link #turns}.
 */
final class WebSocketLoop implements Executor {
  final ServerLimits server;
  final WebSocketLimits limits;
  final RefusalLog log;
  final DataRate rate;
  final Retainer retainer;
  final FrameScratch scratch = new FrameScratch();
  final SocketTurns turns;
  final LeasedMessages leased;
  private final EventLoop loop;
  private final Supplier<CompressionPool> compression;

  WebSocketLoop(ExchangeContext context, Supplier<CompressionPool> compression) {
    this.compression = compression;
    this.loop = context.loop();
    this.turns = new SocketTurns(loop);
    this.leased = new LeasedMessages(loop.bufferPool().leases());
    this.server = context.limits();
    this.limits = server.webSocket();
    this.log = context.log();
    this.retainer = context.retainer();
    this.rate = DataRate.ofSending(server);
  }

  /** Returns the compressor of a session's messages; null if none was agreed. */
  @Nullable Compressor compressor(Tunnel tunnel, @Nullable SessionCompression agreed) {
    if (agreed == null) {
      return null;
    }
    int windowBits = agreed.parameters().serverWindowBits();
    return new Compressor(tunnel, scratch, compression.get(), agreed.deflater(), windowBits);
  }

  @Override
  public void execute(Runnable work) {
    loop.execute(work);
  }
}
