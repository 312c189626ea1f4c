package dev.peregrine.server.http1;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.CloseReason;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.DataRate;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.TimeSlice;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.x on the connections of one event loop: heads are parsed where they lie, handlers called,
 * one request at a time per connection, so that responses keep their order whatever finishes first.
 */
public final class Http1 implements Protocol {
  final EventLoop loop;
  final TimeSlice slice;
  final HttpHandler handler;
  final ServerLimits limits;
  final @Nullable JsonCodec json;
  final ResponseEncoder encoder;
  private long keepAliveNanos; // less while draining
  private final long requestHeadNanos;
  final long responseBeginNanos; // 0 for no limit
  final DataRate sendingRate;
  private RequestParser parser;
  private final ExchangePool exchanges = new ExchangePool(this);
  final RefusalLog log;
  final Errors errors;
  private final Refusal refusal;
  private boolean draining;
  private @Nullable PooledOutput pooledOutput; // made for the first response that needs it
  private @Nullable InboundBuffer input; // of the turn that is under way

  /** The protocol of a loop that isn't running yet. */
  public Http1(
      EventLoop loop,
      HttpHandler handler,
      ServerLimits limits,
      RequestParser parser,
      String serverName,
      @Nullable JsonCodec json,
      ErrorRenderer errors) {
    this.loop = loop;
    this.slice = loop.slice();
    this.handler = handler;
    this.limits = limits;
    this.json = json;
    this.keepAliveNanos = limits.keepAliveTime().toNanos();
    this.requestHeadNanos = limits.requestHeadTime().toNanos();
    this.responseBeginNanos = limits.responseBeginTime().toNanos();
    this.parser = parser;
    this.sendingRate =
        new DataRate(
            limits.requestBytesPerSecondMin(),
            limits.requestRateGrace().toNanos(),
            DataRate.SENDING_CREDIT_BYTES_MAX);
    this.log = new RefusalLog(new BoundedLog(loop), limits);
    this.encoder = new ResponseEncoder(new ResponsePreamble(loop, serverName));
    this.errors = new Errors(errors, loop);
    this.refusal = new Refusal(encoder, this.errors);
  }

  @Override
  public void onOpen(Connection connection) {
    connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + keepAliveNanos);
  }

  @Override
  public void onInput(Connection connection, InboundBuffer in) throws IOException {
    input = in;
    slice.begin();
    Exchange exchange = (Exchange) connection.attachment();
    while (connection.isOpen()) {
      if (exchange == null || !exchange.isBegun()) {
        if (in.isEmpty()) {
          becomeIdle(connection);
          return;
        }
        if (!connection.makeRoom()) {
          return;
        }
        if (!slice.step()) {
          yieldTurn(connection);
          return;
        }
        exchange = exchange == null ? exchanges.take() : exchange;
        if (!parse(connection, exchange, in)) {
          return;
        }
        connection.attach(exchange); // whatever ends the connection ends the exchange too
        exchange.handle();
      }
      if (!exchange.advance(in) && !endWithInput(connection, exchange, in)) {
        keep(connection, exchange, in);
        return;
      }
      Tunnel tunnel = exchange.tunnel();
      finish(connection, exchange);
      if (tunnel != null && connection.isOpen()) {
        connection.switchTo(tunnel);
        tunnel.onInput(connection, in);
        return;
      }
      exchange = null;
    }
  }

  /** Continues after the others: it is not the client that is late meanwhile. */
  private static void yieldTurn(Connection connection) {
    connection.clearDeadline();
    connection.yieldTurn();
  }

  /** Parses a head. Returns whether it is complete, so that the handler can be called. */
  private boolean parse(Connection connection, Exchange exchange, InboundBuffer in) {
    int from = in.from();
    int length = parser.parse(in.segment(), from, in.to(), exchange.head);
    if (length > 0) {
      in.consumeTo(from + length);
      exchange.begin(connection, in.segment(), from);
      return true;
    }
    if (length == RequestParser.NEED_MORE) {
      if (connection.attachment() == null) {
        connection.attach(exchange);
        connection.setDeadline(Deadline.REQUEST_HEAD, connection.nanos() + requestHeadNanos);
      }
    } else {
      Rejection rejection = Objects.requireNonNull(exchange.head.rejection());
      log.rejected(connection, rejection, in.to() - from);
      refuse(connection, exchange, KnownError.of(rejection));
    }
    return false;
  }

  /** Answers bytes that are no request. */
  private void refuse(Connection connection, Exchange exchange, KnownError error) {
    exchange.beginRefused(connection);
    exchange.response.sendError(error);
    release(connection, exchange);
    connection.closeAfterFlush(CloseReason.REJECTED);
  }

  /**
   * Breaks the content off if it needs more bytes than will come. Returns whether that ended it
   * all.
   */
  private boolean endWithInput(Connection connection, Exchange exchange, InboundBuffer in)
      throws IOException {
    if (!connection.isInputEnded() || connection.wantsTurn() || !exchange.content.isHungry()) {
      return false;
    }
    exchange.content.onInputEnd();
    return exchange.advance(in);
  }

  /** The exchange goes on when more bytes come, or when the handler is ready. */
  private void keep(Connection connection, Exchange exchange, InboundBuffer in) {
    if (!connection.isOpen()) {
      return;
    }
    if (connection.attachment() == null) {
      connection.attach(exchange);
    }
    exchange.keep();
    if (exchange.content.isEnded()) {
      connection.limitInput(limits.pipelinedBytesMax());
    } else if (!exchange.content.isHungry() && !in.isEmpty()) {
      connection.limitInput(exchange.response.awaitsClientEnd() ? limits.pipelinedBytesMax() : 0);
    } else {
      connection.unlimitInput();
    }
  }

  private void finish(Connection connection, Exchange exchange) {
    boolean close = exchange.isClose();
    release(connection, exchange);
    if (close) {
      connection.closeAfterFlush(CloseReason.RESPONSE_COMPLETE);
    }
  }

  private void becomeIdle(Connection connection) {
    if (connection.attachment() != null) {
      return; // between the pieces of a head
    }
    if (connection.isInputEnded()) {
      connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
    } else {
      connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + keepAliveNanos);
    }
  }

  @Override
  public void onInputEnd(Connection connection, InboundBuffer in) throws IOException {
    Exchange exchange = (Exchange) connection.attachment();
    if (exchange == null) {
      connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
    } else if (!exchange.isBegun()) {
      refuse(connection, exchange, KnownError.HEAD_CUT_SHORT);
    } else {
      exchange.response.onClientEnd();
      onInput(connection, in); // the client only ended its side: it still gets its response
    }
  }

  @Override
  public void onInputEndAhead(Connection connection) {
    Exchange exchange = (Exchange) connection.attachment();
    if (exchange != null && exchange.isBegun()) {
      exchange.response.onClientEnd();
    }
  }

  @Override
  public long expectedBytes(Connection connection) {
    Exchange exchange = (Exchange) Objects.requireNonNull(connection.attachment());
    return exchange.isBegun() ? exchange.content.expectedBytes() : 0;
  }

  @Override
  public void onReadingAgain(Connection connection) {
    Exchange exchange = (Exchange) connection.attachment();
    if (exchange != null && exchange.isBegun()) {
      exchange.content.restartRate();
    }
  }

  @Override
  public void onWritable(Connection connection) {
    Exchange exchange = (Exchange) connection.attachment();
    if (exchange != null && exchange.isBegun()) {
      exchange.response.onWritable();
    }
  }

  @Override
  public void onDeadline(Connection connection, Deadline deadline) {
    Exchange exchange = (Exchange) connection.attachment();
    if (deadline == Deadline.REQUEST_HEAD && exchange != null) {
      log.slowHead(connection, connection.unconsumedBytes());
      refuse(connection, exchange, KnownError.HEAD_TOO_SLOW);
    } else if (deadline == Deadline.RESPONSE) {
      onResponseLate(connection, exchange);
    } else if (keepAliveEndNanos(connection) - connection.nanos() > 0) {
      connection.setDeadline(Deadline.KEEP_ALIVE, keepAliveEndNanos(connection));
    } else {
      endIdle(connection);
    }
  }

  private void onResponseLate(Connection connection, @Nullable Exchange exchange) {
    if (exchange != null && exchange.isBegun() && !exchange.sender.isCommitted()) {
      exchange.onResponseLate();
      finish(connection, exchange);
    }
  }

  /** While draining, nothing is waited for: the client has had its time to take the response. */
  private void endIdle(Connection connection) {
    if (draining) {
      connection.close(CloseReason.SHUTDOWN);
    } else {
      connection.closeAfterFlush(CloseReason.IDLE);
    }
  }

  /** The client is not idle before it has taken its last response. */
  private long keepAliveEndNanos(Connection connection) {
    long since = connection.unsentBytes() > 0 ? connection.nanos() : connection.sentAllNanos();
    return since + keepAliveNanos;
  }

  @Override
  public boolean isSendingTooSlowly(Connection connection, long nowNanos) {
    Exchange exchange = (Exchange) connection.attachment();
    return exchange != null && exchange.isBegun() && exchange.content.isTooSlow(nowNanos);
  }

  @Override
  public void onSendingTooSlowly(Connection connection) {
    ((Exchange) Objects.requireNonNull(connection.attachment())).content.onTooSlow();
  }

  @Override
  public void onTakingTooSlowly(Connection connection) {
    log.slowTaking(connection);
  }

  @Override
  public @Nullable String describe(Connection connection) {
    InboundBuffer in = input;
    return connection.attachment() instanceof Exchange exchange && exchange.isBegun() && in != null
        ? exchange.request.describeElsewhere(in)
        : null;
  }

  @Override
  public void onClose(Connection connection, CloseReason reason) {
    Exchange exchange = (Exchange) connection.attachment();
    if (exchange != null && exchange.isBegun()) {
      connection.attach(null);
      exchange.abandon(reason);
    } else if (exchange != null) {
      release(connection, exchange);
    }
  }

  /**
   * Goes over to another parser, which may go on where the former stopped; on the loop's thread.
   */
  public void parseWith(RequestParser next) {
    parser = next;
  }

  /** Counts a connection that is to be refused; callable from any thread. */
  public void reserveRefusal() {
    refusal.count().incrementAndGet();
  }

  /** Takes back {@link #reserveRefusal}; callable from any thread. */
  public void releaseRefusal() {
    refusal.count().decrementAndGet();
  }

  /**
   * Answers 503 on a connection above that limit and closes it; in its turn, after {@link
   * #reserveRefusal}.
   */
  public void refuse(Connection connection, int connectionsMax) {
    if (connection.isOpen()) {
      log.tooManyConnections(connection, connectionsMax);
      connection.switchTo(refusal);
    } else {
      releaseRefusal();
    }
  }

  /**
   * Returns the number of connections that are refused, from {@link #reserveRefusal} to their
   * close; callable from any thread.
   */
  public int refusedConnections() {
    return refusal.count().get();
  }

  /**
   * From now on every response says that its connection ends, and connections wait no longer than
   * that for a request. On the loop's thread.
   */
  public void drain(long idleNanos) {
    draining = true;
    keepAliveNanos = Math.min(keepAliveNanos, idleNanos);
  }

  @Override
  public void onShutdown(Connection connection) {
    Exchange exchange = (Exchange) connection.attachment();
    if (exchange != null && exchange.isBegun()) {
      connection.execute(() -> notifyShutdown(connection));
    } else if (exchange == null && !connection.wantsTurn()) {
      connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + keepAliveNanos);
    }
  }

  private static void notifyShutdown(Connection connection) {
    if (connection.attachment() instanceof Exchange exchange && exchange.isBegun()) {
      exchange.response.onServerShutdown();
    }
  }

  @Override
  public Unfinished unfinished(Connection connection) {
    Exchange exchange = (Exchange) connection.attachment();
    if (exchange == null) {
      return connection.unsentBytes() > 0
          ? Unfinished.RESPONSE
          : connection.wantsTurn() ? Unfinished.ANSWER : Unfinished.NOTHING;
    }
    if (!exchange.isBegun()) {
      return Unfinished.REQUEST;
    }
    if (exchange.sender.isCommitted()) {
      return Unfinished.RESPONSE;
    }
    return exchange.content.isHungry() ? Unfinished.REQUEST : Unfinished.ANSWER;
  }

  /** The server's codec. */
  JsonCodec json() {
    JsonCodec codec = json;
    if (codec == null) {
      throw new IllegalStateException("there is no JSON: see HttpServer.Builder.json");
    }
    return codec;
  }

  /** Where content is gathered whose length isn't known; empty. */
  PooledOutput pooledOutput() {
    if (pooledOutput == null) {
      pooledOutput = new PooledOutput(loop.arena());
    }
    return pooledOutput;
  }

  boolean isDraining() {
    return draining;
  }

  /** Whether the bytes of this turn may be lent to the outbound queue; true once per turn. */
  boolean lend() {
    return input != null && input.lend();
  }

  private void release(Connection connection, Exchange exchange) {
    connection.attach(null);
    connection.unlimitInput();
    connection.watchInputEnd(false);
    if (!exchange.isReusable()) {
      exchange.retire();
      return;
    }
    exchange.reset();
    exchanges.give(exchange);
  }
}
