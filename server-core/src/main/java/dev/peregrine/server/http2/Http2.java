package dev.peregrine.server.http2;

import dev.peregrine.base.Incident;
import dev.peregrine.http.ErrorContent;
import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.exchange.ExchangeContext;
import dev.peregrine.server.exchange.HttpStream;
import dev.peregrine.server.exchange.KnownError;
import dev.peregrine.server.exchange.LeftRun;
import dev.peregrine.server.exchange.StreamPool;
import dev.peregrine.server.exchange.text.CurrentDate;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.exchange.text.TargetHost;
import dev.peregrine.server.exchange.text.TargetScheme;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.SendTools;
import dev.peregrine.server.http2.flow.StreamTable;
import dev.peregrine.server.http2.frame.Control;
import dev.peregrine.server.http2.frame.DataFrames;
import dev.peregrine.server.http2.frame.LocalSettings;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.head.HeadEncoder;
import dev.peregrine.server.loop.TimeSlice;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.pace.DataRate;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 (RFC 9113) on the connections of one event loop: their shared tools. The state of a
 * connection is its {@link Http2Connection}.
 */
public final class Http2 implements Protocol {
  final ExchangeContext context;
  final TimeSlice slice;
  final LocalSettings settings;
  final HeadEncoder encoder;
  final Control control = new Control();
  DecodedFields fields;
  final FloodBudget budget;
  final long headNanos;
  final long lingerNanos; // for the client's end of a tunnel
  final SendTools sending;
  final StreamPool<Http2Stream> streams = new StreamPool<>(() -> new Http2Stream(this));
  private @Nullable Http2Stream called; // the last one whose handler or callback was called
  private final Http2HeadReader heads;
  private final boolean acceptsHttps; // requests on connections without TLS may be https
  private final FieldLines errorFields = new FieldLines();
  private long keepAliveNanos; // shorter while draining
  private @Nullable InboundBuffer input;

  /**
   * Creates the protocol of a loop.
   *
   * @param acceptsHttps whether requests may be https on connections that are not secured
   */
  public Http2(
      ExchangeContext context, Http2HeadReader heads, String serverName, boolean acceptsHttps) {
    ServerLimits limits = context.limits();
    this.context = context;
    this.slice = context.loop().slice();
    this.settings = LocalSettings.of(limits);
    this.encoder = new HeadEncoder(new CurrentDate(context.loop()), serverName);
    this.fields = new DecodedFields(settings.headerBytesMax(), settings.fieldsMax());
    this.budget =
        new FloodBudget(
            FloodBudget.CONNECTIONS_OF_LOOP * (long) limits.http2().floodPointsMax(),
            context.loop().nanos());
    this.headNanos = limits.requestHeadTime().toNanos();
    this.lingerNanos = limits.lingerTime().toNanos();
    this.sending =
        new SendTools(
            new DataFrames(),
            encoder,
            context.loop().bufferPool(),
            new DataRate(
                limits.responseBytesPerSecondMin(),
                limits.responseRateGrace().toNanos(),
                DataRate.TAKING_CREDIT_BYTES_MAX),
            limits.outboundHighWater());
    this.keepAliveNanos = limits.keepAliveTime().toNanos();
    this.heads = heads;
    this.acceptsHttps = acceptsHttps;
  }

  @Override
  public void onOpen(Connection connection) {
    connection.attach(new Http2Connection(this, connection));
    connection.setDeadline(Deadline.REQUEST_HEAD, connection.nanos() + headNanos);
    if (context.isDraining()) { // the connection was accepted before
      onShutdown(connection);
    }
  }

  @Override
  public void leaveHandler(Connection connection, InboundBuffer in) {
    Http2Stream stream = called;
    if (stream != null) { // the connection wasn't closed in the handler
      DecodedFields next = new DecodedFields(settings.headerBytesMax(), settings.fieldsMax());
      LeftRun.begin(stream.exchange, null); // the fields are the garbage collector's
      fields = next;
      state(connection).opener().leave(stream);
    }
  }

  @Override
  public void onInput(Connection connection, InboundBuffer in) throws IOException {
    input = in;
    slice.begin();
    Http2Connection served = state(connection);
    served.opener().endLeft();
    served.onInput(in);
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
    StreamTable<Http2Stream> open = state(connection).streams();
    for (int i = 0; i < open.count(); i++) {
      open.get(i).inbound.restartRate();
    }
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
    return state(connection).output().canSend();
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
    state(connection).nameLastStream();
  }

  /** Begins to drain. */
  @Override
  public void onDrain(long idleNanos) {
    context.drain();
    keepAliveNanos = Math.min(keepAliveNanos, idleNanos);
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
    StreamTable<Http2Stream> open = state(connection).streams();
    long sum = 0;
    for (int i = 0; i < open.count(); i++) {
      sum += open.get(i).inbound.heldBytes() + open.get(i).outbound.heldBytes();
    }
    return sum;
  }

  @Override
  public long movedBytes(Connection connection) {
    return state(connection).movedBytes();
  }

  @Override
  public @Nullable String describe(Connection connection) {
    InboundBuffer in = input;
    Http2Stream seen = called;
    return in != null && seen != null && seen.exchange.isCalling()
        ? seen.exchange.describe(in)
        : null;
  }

  @Override
  public void onClose(Connection connection, CloseReason reason) {
    state(connection).onClose(reason);
    called = null; // it keeps its connection reachable
  }

  private static Http2Connection state(Connection connection) {
    return (Http2Connection) Objects.requireNonNull(connection.attachment());
  }

  // ---- for connections ----

  /** Sets the deadline of a connection without streams. */
  void startIdle(Connection connection) {
    connection.setDeadline(Deadline.KEEP_ALIVE, connection.nanos() + keepAliveNanos);
  }

  /** Returns the memory that the fields were decoded into. */
  MemorySegment headBytes() {
    return fields.segment();
  }

  /** Fills a head from the decoded fields. Returns why the request must be rejected, or null. */
  @Nullable Rejection readHead(Connection connection, RequestHead head) {
    if (!heads.read(fields, head)) {
      return Objects.requireNonNull(head.rejection());
    }
    Rejection wrong = null;
    if (head.schemeStart() >= 0) { // otherwise it is CONNECT
      boolean secure = acceptsHttps || connection.facts().isSecure();
      wrong = TargetScheme.check(headBytes(), 0, head, secure);
    }
    if (wrong == null && connection.facts().restrictsHosts()) {
      wrong = TargetHost.check(headBytes(), 0, head, connection);
    }
    return wrong;
  }

  /** Returns the decoded trailer fields, names and values in turns; null if they are malformed. */
  @Nullable List<String> readTrailers() {
    List<String> trailers = new ArrayList<>();
    return heads.readTrailers(fields, trailers) == null ? trailers : null;
  }

  /** Calls the handler of a stream that has begun. */
  void handle(Http2Stream stream) {
    called = stream;
    stream.exchange.handle();
  }

  /** Notes that a callback of a stream's exchange is about to be called. */
  void note(Http2Stream stream) {
    called = stream;
  }

  /**
   * Answers a request that was not begun; without content if that doesn't fit the windows, or if
   * the method is HEAD. Returns the number of bytes of the content.
   */
  int answer(Http2Connection owner, int id, KnownError error, boolean isHead) {
    ErrorContent content = context.errors().render(error);
    byte[] bytes = content.bytes();
    boolean fits =
        bytes.length > 0
            && !isHead
            && bytes.length <= HttpStream.COPIED_CONTENT_BYTES_MAX
            && bytes.length <= owner.initialWindow()
            && owner.output().take(bytes.length, owner.connection().nanos());
    errorFields.reset();
    errorFields.add(content.headers());
    encoder.head(
        owner,
        id,
        error.error().status(),
        fits ? content.type() : null,
        errorFields,
        fits ? bytes.length : 0,
        fits ? bytes : null);
    return fits ? bytes.length : 0;
  }

  void release(Http2Stream stream) {
    if (stream.end()) {
      streams.give(stream);
    }
  }

  void logClosed(Connection connection, Violation violation) {
    context.log().closed(connection, violation.text(), limit(violation));
  }

  /** Returns the limit that was exceeded, in words; null if the violation isn't about one. */
  private @Nullable String limit(Violation violation) {
    return switch (violation) {
      case FLOOD -> context.limits().http2().floodPointsMax() + " points";
      case BLOCK_TOO_LARGE -> settings.blockBytesMax() + " bytes";
      case BLOCK_TOO_SLOW, SETTINGS_UNACKNOWLEDGED -> context.limits().requestHeadTime().toString();
      default -> null;
    };
  }

  void reportBrokenOff(IOException failure) {
    context.loop().report(Incident.RESPONSE_BROKEN_OFF, failure);
  }
}
