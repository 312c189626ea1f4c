package dev.peregrine.server.http2;

import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.exchange.Exchange;
import dev.peregrine.server.exchange.StreamPool;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.http2.stream.Http2Stream;
import dev.peregrine.server.http2.stream.LoopParts;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 (RFC 9113) on the connections of one event loop: passes the events of a connection to its
 * {@link Http2Connection}.
 */
final class Http2Protocol implements Protocol {
  private final ExchangeContext context;
  private final LoopParts loop;
  private final @Nullable UpkeepRules rules;
  private final StreamPool<Http2Stream> streams;
  private @Nullable InboundBuffer input;

  /**
   * Creates the protocol of a loop.
   *
   * @param acceptsHttps whether requests may be https on connections that are not secured
   * @param rules of PINGs and ages; null for none
   */
  Http2Protocol(
      ExchangeContext context,
      Http2HeadReader heads,
      String serverName,
      boolean acceptsHttps,
      @Nullable UpkeepRules rules) {
    LoopParts parts = new LoopParts(context, heads, serverName, acceptsHttps);
    this.context = context;
    this.loop = parts;
    this.rules = rules;
    this.streams = new StreamPool<>(() -> new Http2Stream(parts));
  }

  @Override
  public void onOpen(Connection connection) {
    connection.attach(new Http2Connection(loop, rules, streams, connection));
    connection.setDeadline(Deadline.REQUEST_HEAD, connection.nanos() + loop.headNanos());
    if (context.isDraining()) { // the connection was accepted before
      onShutdown(connection);
    }
  }

  @Override
  public void leaveHandler(Connection connection, InboundBuffer in) {
    Exchange left = loop.called();
    if (left != null) { // the connection wasn't closed in the handler
      DecodedFields next = loop.heads().createFields();
      left.leaveHandler(null);
      loop.heads().leaveFields(next);
      state(connection).onHandlerLeft();
    }
  }

  @Override
  public void onInput(Connection connection, InboundBuffer in) throws IOException {
    input = in;
    loop.slice().begin();
    state(connection).onInput(in);
  }

  @Override
  public void onInputEnd(Connection connection, InboundBuffer in) throws IOException {
    input = in;
    state(connection).onInputEnd();
  }

  @Override
  public void onWritable(Connection connection) {
    state(connection).onWritable();
  }

  @Override
  public void onReadingAgain(Connection connection) {
    state(connection).streams().restartRates();
  }

  @Override
  public void onDeadline(Connection connection, Deadline deadline) {
    state(connection).onDeadline();
  }

  @Override
  public boolean isSendingTooSlowly(Connection connection, long nowNanos) {
    return state(connection).judge(nowNanos);
  }

  @Override
  public boolean onSendingTooSlowly(Connection connection) {
    return state(connection).onLate();
  }

  @Override
  public boolean isOutputForgotten(Connection connection) {
    return state(connection).isOutputForgotten();
  }

  @Override
  public void onTakingTooSlowly(Connection connection) {
    context.log().slowTaking(connection);
  }

  @Override
  public void onLameDuck(Connection connection) {
    connection.execute(
        () -> {
          if (connection.isOpen()) {
            state(connection).drain().begin(CloseReason.LAST_RESPONSE);
          }
        });
  }

  @Override
  public void onSpared(Connection connection) {
    state(connection).drain().nameLastStream();
  }

  /** Begins to drain. */
  @Override
  public void onDrain(long idleNanos) {
    context.drain();
    loop.limitKeepAlive(idleNanos);
  }

  @Override
  public void onShutdown(Connection connection) {
    connection.execute(
        () -> {
          if (connection.isOpen()) {
            state(connection).onShutdown();
          }
        });
  }

  @Override
  public void reportUnfinished(Connection connection, Consumer<Unfinished> target) {
    boolean any = state(connection).reportUnfinished(target);
    if (!any && connection.output().unsentBytes() > 0) {
      target.accept(Unfinished.RESPONSE);
    }
  }

  @Override
  public long heldBytes(Connection connection) {
    return state(connection).streams().heldBytes();
  }

  @Override
  public long movedBytes(Connection connection) {
    return state(connection).movedBytes();
  }

  @Override
  public @Nullable String describe(Connection connection) {
    InboundBuffer in = input;
    Exchange seen = loop.called();
    return in != null && seen != null && seen.isCalling() ? seen.describe(in) : null;
  }

  @Override
  public void onClose(Connection connection, CloseReason reason) {
    if (connection.attachment() instanceof Http2Connection state) { // none if onOpen has failed
      state.onClose(reason);
    }
    loop.forgetCalled();
  }

  private static Http2Connection state(Connection connection) {
    return (Http2Connection) Objects.requireNonNull(connection.attachment());
  }
}
