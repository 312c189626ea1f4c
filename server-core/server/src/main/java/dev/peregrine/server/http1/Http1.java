package dev.peregrine.server.http1;

import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.exchange.StreamPool;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.KnownError;
import dev.peregrine.server.exchange.text.TargetHost;
import dev.peregrine.server.exchange.text.TargetScheme;
import dev.peregrine.server.layer.LayerFailedException;
import dev.peregrine.server.loop.TimeSlice;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.x on the connections of one event loop: parses heads where they lie and calls handlers,
 * one request at a time per connection, so that responses stay in order: {@code PipelineBenchmark}.
 */
public final class Http1 implements Protocol {
  /** The number of comparisons of two parsers by {@link #tryOut}. */
  public static final int PARSER_COMPARISONS = ParserTrial.COMPARISONS;

  final ExchangeContext context;
  final TimeSlice slice;
  final ResponseEncoder encoder;
  private final ServerLimits limits;
  private long keepAliveNanos; // shorter while draining
  private final long requestHeadNanos;
  private final boolean acceptsHttps; // targets on connections without TLS may be https
  private boolean checksTargets; // some connections of this loop restrict their requests
  private final CountedParser parser; // of all siblings
  private boolean isDoorOnly;
  private @Nullable Http2Door http2; // null if clients can't begin with HTTP/2
  private final StreamPool<Http1Stream> streams = new StreamPool<>(new Http1Stream.Source(this));
  private final Refusal refusal;
  private @Nullable InboundBuffer input; // the input of the present turn

  /**
   * Creates the protocol of a loop that doesn't run yet.
   *
   * @param acceptsHttps whether targets may be https on connections that are not secured
   */
  public Http1(
      ExchangeContext context, RequestParser parser, String serverName, boolean acceptsHttps) {
    this.context = context;
    this.slice = context.loop().slice();
    this.limits = context.limits();
    this.keepAliveNanos = limits.keepAliveTime().toNanos();
    this.requestHeadNanos = limits.requestHeadTime().toNanos();
    this.parser = new CountedParser(parser);
    this.acceptsHttps = acceptsHttps;
    this.encoder = new ResponseEncoder(new ResponsePreamble(context.loop(), serverName));
    this.refusal = new Refusal(encoder, context);
  }

  private Http1(Http1 other) {
    this.context = other.context;
    this.slice = other.slice;
    this.limits = other.limits;
    this.keepAliveNanos = other.keepAliveNanos;
    this.requestHeadNanos = other.requestHeadNanos;
    this.parser = other.parser;
    this.acceptsHttps = other.acceptsHttps;
    this.encoder = other.encoder;
    this.refusal = other.refusal;
  }

  /** Returns the same protocol for an endpoint without HTTP/2; before the loop runs. */
  public Http1 alone() {
    return sibling(null);
  }

  /** Returns the same protocol for an endpoint with HTTP/2 alone; before the loop runs. */
  public Http1 doorOnly() {
    Http1 door = sibling(http2);
    door.isDoorOnly = true;
    door.checksTargets = true; // so that every request is looked at
    return door;
  }

  private Http1 sibling(@Nullable Http2Door door) {
    Http1 made = new Http1(this);
    made.http2 = door;
    return made;
  }

  /** Lets clients begin with HTTP/2; before the loop runs. */
  public void offer(Supplier<? extends Protocol> other) {
    http2 = new Http2Door(other);
  }

  @Override
  public void onOpen(Connection connection) {
    checksTargets |= connection.facts().restrictsHosts() || connection.facts().isSecure();
    connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + keepAliveNanos);
  }

  @Override
  public void leaveHandler(Connection connection, InboundBuffer in) {
    if (connection.attachment() instanceof Http1Stream stream) { // not closed by the handler
      stream.exchange.leaveHandler(in);
    }
  }

  /**
   * Serves requests. Longer than C2 inlines, so that their code is compiled once: not again for
   * each caller, nor again when a connection ends or changes its transport in one of them.
   * Otherwise that was nearly half of C2's time in the first second.
   */
  @Override
  public void onInput(Connection connection, InboundBuffer in) throws IOException {
    input = in;
    slice.begin();
    Http1Stream stream = (Http1Stream) connection.attachment();
    while (connection.isOpen()) {
      if (stream == null || !stream.isBegun()) {
        if (in.isEmpty()) {
          becomeIdle(connection);
          return;
        }
        if (!connection.makeRoom() || endsTurn(connection)) {
          return;
        }
        stream = stream == null ? streams.take() : stream;
        int from = in.from();
        int length = parser.parse(in.segment(), from, in.to(), stream.head);
        assert length <= in.to() - from : length;
        if (length <= 0) {
          if (length == RequestParser.REJECTED) {
            reject(connection, stream, in, Objects.requireNonNull(stream.head.rejection()));
          } else if (connection.input().isEnded()) {
            refuse(connection, stream, KnownError.HEAD_CUT_SHORT);
          } else if (connection.attachment() == null) {
            connection.attach(stream);
            connection.setDeadline(Deadline.REQUEST_HEAD, connection.nanos() + requestHeadNanos);
          }
          return;
        }
        if ((stream.head.isAbsolute() || checksTargets) && rejectsTarget(connection, stream, in)) {
          return;
        }
        in.consumeTo(from + length);
        stream.begin(connection, in.segment(), from);
        connection.attach(stream); // now, so that the end of the connection ends the exchange too
        stream.exchange.handle();
      }
      if (!stream.advance(in) && !endWithInput(connection, stream, in)) {
        keep(connection, stream, in);
        return;
      }
      ConnectionTunnel tunnel = stream.tunnel();
      finish(connection, stream);
      if (tunnel != null) {
        switchTo(tunnel, connection, in);
        return;
      }
      stream = null;
    }
  }

  private void switchTo(ConnectionTunnel tunnel, Connection connection, InboundBuffer in) {
    if (!connection.isOpen()) {
      tunnel.drop();
      return;
    }
    connection.switchTo(tunnel);
    tunnel.onInput(connection, in);
    if (context.isDraining()) {
      tunnel.onShutdown(connection);
    }
  }

  /**
   * Returns true if the turn must end before another request, to continue after the other
   * connections; the client isn't late meanwhile.
   */
  private boolean endsTurn(Connection connection) {
    if (slice.step()) {
      return false;
    }
    connection.clearDeadline();
    connection.yieldTurn();
    return true;
  }

  /** Rejects a head if its target has a scheme or a host that the connection doesn't serve. */
  private boolean rejectsTarget(Connection connection, Http1Stream stream, InboundBuffer in)
      throws IOException {
    if (connection.uses() == 0 && Http2Door.isAgreedOn(connection)) {
      release(connection, stream);
      Http2Door.enter(http2, connection, in); // which finds no preface
      return true;
    }
    if (isDoorOnly) {
      refuse(connection, stream, KnownError.HTTP_2_ONLY);
      return true;
    }
    RequestHead head = stream.head;
    Rejection wrong = null;
    if (head.isAbsolute()) {
      boolean secure = acceptsHttps || connection.facts().isSecure();
      wrong = TargetScheme.check(in.segment(), in.from(), head, secure);
    }
    if (wrong == null && connection.facts().restrictsHosts()) {
      wrong = TargetHost.check(in.segment(), in.from(), head, connection);
    }
    if (wrong != null) {
      reject(connection, stream, in, wrong);
    }
    return wrong != null;
  }

  private void reject(
      Connection connection, Http1Stream stream, InboundBuffer in, Rejection rejection)
      throws IOException {
    if (connection.uses() == 0
        && (isDoorOnly || Http2Door.isPreface(in) || Http2Door.isAgreedOn(connection))) {
      release(connection, stream);
      Http2Door.enter(http2, connection, in);
      return;
    }
    refusal.log(connection, in, rejection);
    refuse(connection, stream, KnownError.of(rejection));
  }

  /** Responds to bytes that are not a request, and closes the connection. */
  private void refuse(Connection connection, Http1Stream stream, KnownError error) {
    boolean isHead = stream.head.method() == HttpMethod.HEAD;
    release(connection, stream);
    refusal.answer(connection, error, CloseReason.REQUEST_REJECTED, isHead);
  }

  /**
   * Breaks off content that the client's end cuts short. Returns true if that ended the exchange.
   */
  private boolean endWithInput(Connection connection, Http1Stream stream, InboundBuffer in)
      throws IOException {
    if (!connection.input().isEnded() || connection.input().isYielded() || !stream.isHungry()) {
      return false;
    }
    stream.onInputEnd();
    return stream.advance(in);
  }

  /** Keeps the exchange, which continues when more bytes arrive or the handler is ready. */
  private void keep(Connection connection, Http1Stream stream, InboundBuffer in) {
    if (!connection.isOpen()) {
      return;
    }
    if (connection.attachment() == null) {
      connection.attach(stream);
    }
    stream.keep(in);
  }

  private void finish(Connection connection, Http1Stream stream) {
    boolean closes = !stream.isPersistent();
    release(connection, stream);
    if (closes) {
      connection.closeAfterFlush(CloseReason.LAST_RESPONSE);
    }
  }

  private void becomeIdle(Connection connection) {
    if (connection.attachment() != null) {
      return; // between the pieces of a head
    }
    if (connection.input().isEnded()) {
      connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
    } else {
      connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + keepAliveNanos);
    }
  }

  @Override
  public void onInputEnd(Connection connection, InboundBuffer in) throws IOException {
    Http1Stream stream = (Http1Stream) connection.attachment();
    if (stream == null) {
      connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
    } else if (!stream.isBegun()) {
      refuse(connection, stream, KnownError.HEAD_CUT_SHORT);
    } else {
      stream.exchange.onClientEnd();
      onInput(connection, in); // the client only ended its side: it still gets its response
    }
  }

  @Override
  public void onInputEndAhead(Connection connection) {
    Http1Stream stream = (Http1Stream) connection.attachment();
    if (stream != null && stream.isBegun()) {
      stream.exchange.onClientEnd();
    }
  }

  @Override
  public long expectedBytes(Connection connection) {
    return stream(connection).expectedBytes();
  }

  @Override
  public void onReadingAgain(Connection connection) {
    Http1Stream stream = (Http1Stream) connection.attachment();
    if (stream != null && stream.isBegun()) {
      stream.exchange.content().restartRate();
    }
  }

  @Override
  public void onWritable(Connection connection) {
    Http1Stream stream = (Http1Stream) connection.attachment();
    if (stream != null && stream.isBegun()) {
      stream.exchange.onWritable();
    }
  }

  @Override
  public void onDeadline(Connection connection, Deadline deadline) {
    Http1Stream stream = (Http1Stream) connection.attachment();
    if (deadline == Deadline.REQUEST_HEAD && stream != null) {
      context.log().slowHead(connection, connection.unconsumedBytes());
      refuse(connection, stream, KnownError.HEAD_TOO_SLOW);
    } else if (deadline == Deadline.RESPONSE) {
      onResponseLate(connection, stream);
    } else if (keepAliveEndNanos(connection) - connection.nanos() > 0) {
      connection.setDeadline(Deadline.KEEP_ALIVE, keepAliveEndNanos(connection));
    } else {
      endIdle(connection);
    }
  }

  private void onResponseLate(Connection connection, @Nullable Http1Stream stream) {
    if (stream != null && stream.isBegun() && !stream.exchange.isCommitted()) {
      stream.onResponseLate();
      finish(connection, stream);
    }
  }

  /** Ends an idle connection. While draining, its client has had its time for the response. */
  private void endIdle(Connection connection) {
    if (context.isDraining()) {
      connection.close(CloseReason.SHUTDOWN);
    } else {
      connection.closeAfterFlush(CloseReason.IDLE);
    }
  }

  /**
   * Returns the end of the keep-alive time, which begins when the socket has taken the last
   * response, or after the handshake.
   */
  private long keepAliveEndNanos(Connection connection) {
    boolean isBusy = connection.output().unsentBytes() > 0 || connection.facts().isOpening();
    return (isBusy ? connection.nanos() : connection.output().sentAllNanos()) + keepAliveNanos;
  }

  @Override
  public boolean isSendingTooSlowly(Connection connection, long nowNanos) {
    Http1Stream stream = (Http1Stream) connection.attachment();
    return stream != null && stream.isBegun() && stream.isTooSlow(nowNanos);
  }

  @Override
  public boolean onSendingTooSlowly(Connection connection) {
    stream(connection).exchange.content().onTooSlow();
    return false;
  }

  @Override
  public void onTakingTooSlowly(Connection connection) {
    context.log().slowTaking(connection);
  }

  @Override
  public @Nullable String describe(Connection connection) {
    InboundBuffer in = input;
    return connection.attachment() instanceof Http1Stream stream && stream.isBegun() && in != null
        ? stream.exchange.describe(in)
        : null;
  }

  @Override
  public void onClose(Connection connection, CloseReason reason) {
    Http1Stream stream = (Http1Stream) connection.attachment();
    if (stream != null && stream.isBegun()) {
      connection.attach(null);
      stream.exchange.abandon(reason);
    } else if (stream != null) {
      release(connection, stream);
    }
  }

  @Override
  public void onHandshakeFailed(Connection connection, LayerFailedException failure) {
    refusal.reportPlain(connection, failure);
  }

  /** Switches to another parser, which may continue where the former stopped; on the loop. */
  public void parseWith(RequestParser next) {
    parser.use(next);
  }

  /**
   * Compares another parser with the present one by the heads that come, until {@link #parseWith}
   * is called; on the loop.
   *
   * @param whenOver takes, on the loop, the number of the {@link #PARSER_COMPARISONS} in which the
   *     other one was the faster
   */
  public void tryOut(RequestParser other, IntConsumer whenOver) {
    parser.tryOut(other, whenOver);
  }

  /** Runs an action once that many more heads have been parsed; on the loop. */
  public void afterHeads(long count, Runnable action) {
    parser.after(count, action);
  }

  @Override
  public void onOverload(Connection connection, int connectionsMax) {
    if (connection.facts().isSecure()) {
      connection.switchTo(new ShedAfterHandshake(refusal, connectionsMax, isDoorOnly));
    } else {
      refusal.shed(connection, connectionsMax, isDoorOnly);
    }
  }

  /** From now on, every response declares that its connection ends. */
  @Override
  public void onLameDuck() {
    context.beginLameDuck();
  }

  @Override
  public void onDrain(long idleNanos) {
    context.drain();
    keepAliveNanos = Math.min(keepAliveNanos, idleNanos);
    if (http2 != null) {
      http2.drain(idleNanos);
    }
  }

  @Override
  public void onShutdown(Connection connection) {
    Http1Stream stream = (Http1Stream) connection.attachment();
    if (stream != null && stream.isBegun()) {
      connection.execute(() -> notifyShutdown(connection));
    } else if (stream == null && !connection.input().isYielded()) {
      connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + keepAliveNanos);
    }
  }

  private static void notifyShutdown(Connection connection) {
    if (connection.attachment() instanceof Http1Stream stream && stream.isBegun()) {
      stream.exchange.onShutdown();
    }
  }

  @Override
  public Unfinished unfinished(Connection connection) {
    Http1Stream stream = (Http1Stream) connection.attachment();
    if (stream == null) {
      return connection.output().unsentBytes() > 0
          ? Unfinished.RESPONSE
          : connection.input().isYielded() ? Unfinished.ANSWER : Unfinished.NOTHING;
    }
    if (!stream.isBegun()) {
      return Unfinished.REQUEST;
    }
    if (stream.exchange.isCommitted()) {
      return Unfinished.RESPONSE;
    }
    return stream.isHungry() ? Unfinished.REQUEST : Unfinished.ANSWER;
  }

  /** Lends the bytes of this turn to the outbound queue. Returns true once per turn. */
  boolean lend() {
    return input != null && input.lend();
  }

  private void release(Connection connection, Http1Stream stream) {
    connection.attach(null);
    connection.input().unlimit();
    connection.input().watchEnd(false);
    if (stream.end()) {
      streams.give(stream);
    }
  }

  private static Http1Stream stream(Connection connection) {
    return (Http1Stream) Objects.requireNonNull(connection.attachment());
  }
}
