package dev.peregrine.server.websocket;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.Attributes;
import dev.peregrine.server.exchange.ExchangeContext;
import dev.peregrine.server.exchange.RefusalLog;
import dev.peregrine.server.exchange.WebSocketOpener;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.pace.DataRate;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.tunnel.TunnelUser;
import dev.peregrine.server.turn.Turn;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import dev.peregrine.server.websocket.deflate.DeflateOffer;
import dev.peregrine.server.websocket.deflate.DeflateOptions;
import dev.peregrine.server.websocket.deflate.DeflateParameters;
import dev.peregrine.server.websocket.deflate.SessionCompression;
import dev.peregrine.server.websocket.frame.FrameScratch;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that all WebSockets of one event loop share. Belongs to the loop's thread, except for
 * {@link #agree} and {@link #execute}.
 */
public final class WebSocketContext implements WebSocketOpener, Executor {
  final EventLoop loop;
  final ServerLimits server;
  final WebSocketLimits limits;
  final RefusalLog log;
  final DataRate rate;
  final FrameScratch scratch = new FrameScratch();
  private final Delivery delivery = new Delivery(); // the loop's
  private final Gathering gathering = new Gathering(); // the loop's

  private final Supplier<CompressionPool> compression;

  /**
   * Creates the parts for the first WebSocket of a loop; on any thread.
   *
   * @param compression returns the pool of the server; called only if a socket is compressed
   */
  public WebSocketContext(ExchangeContext context, Supplier<CompressionPool> compression) {
    this.compression = compression;
    this.loop = context.loop();
    this.server = context.limits();
    this.limits = server.webSocket();
    this.log = context.log();
    this.rate =
        new DataRate(
            server.requestBytesPerSecondMin(),
            server.requestRateGrace().toNanos(),
            DataRate.SENDING_CREDIT_BYTES_MAX);
  }

  @Override
  public Agreement agree(Request request, Response response, WebSocketOptions options) {
    DeflateOffer offer = offer(request);
    Handshake.agree(request, response, options.subprotocol());
    SessionCompression compressed = null;
    DeflateParameters wanted =
        offer == null || !options.compression() ? null : offer.choose(DeflateOptions.DEFAULT);
    if (wanted != null) {
      compressed = compression.get().open(wanted);
    }
    if (compressed != null) {
      response.header(HeaderName.SEC_WEBSOCKET_EXTENSIONS, compressed.parameters().answer());
    }
    return new Opening(options, compressed);
  }

  /** Returns the client's offer of compression; null for none. */
  private static @Nullable DeflateOffer offer(Request request) {
    List<String> values = request.headers(HeaderName.SEC_WEBSOCKET_EXTENSIONS);
    DeflateOffer offer = values.isEmpty() ? null : DeflateOffer.parse(values);
    if (offer != null && offer.isMalformed()) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(), "Sec-WebSocket-Extensions is malformed");
    }
    return offer;
  }

  /** Returns the sender of a session. */
  FrameSender sender(Tunnel tunnel, @Nullable SessionCompression agreed, Runnable onOverfull) {
    Compressor compressor = null;
    if (agreed != null) {
      int windowBits = agreed.parameters().serverWindowBits();
      compressor =
          new Compressor(tunnel, scratch, compression.get(), agreed.deflater(), windowBits);
    }
    return new FrameSender(tunnel, scratch, compressor, limits.unsentBytesMax(), onOverfull);
  }

  private final class Opening implements Agreement {
    private final WebSocketOptions options;
    private final @Nullable SessionCompression compressed;

    Opening(WebSocketOptions options, @Nullable SessionCompression compressed) {
      this.options = options;
      this.compressed = compressed;
    }

    @Override
    public TunnelUser open(
        Connection connection, WebSocketListener listener, @Nullable Attributes attributes) {
      return new WebSocketSession(
          WebSocketContext.this, connection, options, compressed, listener, attributes);
    }
  }

  /**
   * Passes a message to a session in a turn of its own, if the caller is on the loop's thread
   * outside of any turn. Otherwise returns false and does nothing.
   */
  boolean deliver(WebSocketSession to, Connection connection, WebSocketMessage message) {
    int entered = loop.owner().enter();
    try {
      if (entered == LoopOwner.OUTSIDE) {
        return false; // before the delivery is touched, which is the loop's
      }
      boolean delivered = connection.tryTurn(delivery.of(to, message));
      delivery.clear();
      return delivered;
    } finally {
      loop.owner().exit(entered);
    }
  }

  /**
   * Runs work in a turn of a connection, if the caller is on the loop's thread outside of any turn.
   * Otherwise returns false and does nothing.
   */
  boolean gather(Connection connection, Runnable work) {
    int entered = loop.owner().enter();
    try {
      return entered != LoopOwner.OUTSIDE && gathering.run(connection, work);
    } finally {
      loop.owner().exit(entered);
    }
  }

  /** Throws anything, because work in other languages throws checked exceptions too. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void rethrow(Throwable failure) throws T {
    throw (T) failure;
  }

  @Override
  public void execute(Runnable work) {
    loop.execute(work);
  }

  /** Work that sends, in a turn of the socket's connection. Its failure is the caller's. */
  private static final class Gathering implements Turn {
    private @Nullable Runnable work;
    private @Nullable Throwable failure;

    boolean run(Connection connection, Runnable sends) {
      if (work != null) {
        return false; // within other work
      }
      work = sends;
      try {
        boolean hasRun = connection.tryTurn(this);
        if (failure != null) {
          WebSocketContext.<RuntimeException>rethrow(failure);
        }
        return hasRun;
      } finally {
        work = null;
        failure = null;
      }
    }

    @Override
    public void run() {
      try {
        Objects.requireNonNull(work).run();
      } catch (Throwable thrown) {
        failure = thrown;
      }
    }
  }

  /** A message on its way into a socket, in a turn of the socket's connection. */
  private static final class Delivery implements Turn {
    private @Nullable WebSocketSession session;
    private @Nullable WebSocketMessage message;

    Delivery of(WebSocketSession to, WebSocketMessage sent) {
      session = to;
      message = sent;
      return this;
    }

    void clear() {
      session = null;
      message = null;
    }

    @Override
    public void run() {
      Objects.requireNonNull(session).append(Objects.requireNonNull(message));
    }
  }
}
