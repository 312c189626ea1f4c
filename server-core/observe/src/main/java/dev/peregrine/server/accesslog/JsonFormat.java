package dev.peregrine.server.accesslog;

import dev.peregrine.http.Outcome;
import dev.peregrine.http.context.RpcStatus;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.RejectedRequest;
import dev.peregrine.server.observe.RunMode;
import java.util.concurrent.TimeUnit;

/**
 * A JSON object for each line (RFC 8259), in ASCII. Bytes of clients above 0x7F are those
 * characters of ISO 8859-1. A member without a value is left out.
 */
final class JsonFormat implements LineFormat {
  private static final byte[] TIME = LogTexts.bytes("{\"time\":\"");
  private static final byte[] PEER = LogTexts.bytes("\",\"peer\":\"");
  private static final byte[] METHOD = LogTexts.bytes("\",\"method\":\"");
  private static final byte[] TARGET = LogTexts.bytes("\",\"target\":\"");
  private static final byte[] PROTOCOL = LogTexts.bytes("\",\"protocol\":\"");
  private static final byte[] STATUS = LogTexts.bytes(",\"status\":");
  private static final byte[] RPC_STATUS = LogTexts.bytes(",\"rpcStatus\":");
  private static final byte[] REQUEST_BYTES = LogTexts.bytes(",\"requestContentBytes\":");
  private static final byte[] RESPONSE_BYTES = LogTexts.bytes(",\"responseContentBytes\":");
  private static final byte[] DURATION = LogTexts.bytes(",\"durationMicros\":");
  private static final byte[] FIRST_BYTE = LogTexts.bytes(",\"timeToFirstByteMicros\":");
  private static final byte[] RUN_MODE = LogTexts.bytes(",\"runMode\":\"");
  private static final byte[] OUTCOME = LogTexts.bytes("\",\"outcome\":\"");
  private static final byte[] CLOSE_REASON = LogTexts.bytes(",\"closeReason\":\"");
  private static final byte[] ROUTE = LogTexts.bytes(",\"routeTemplate\":\"");
  private static final byte[] HOST = LogTexts.bytes(",\"host\":\"");
  private static final byte[] REFERER = LogTexts.bytes(",\"referer\":\"");
  private static final byte[] USER_AGENT = LogTexts.bytes(",\"userAgent\":\"");
  private static final byte[] TRACEPARENT = LogTexts.bytes(",\"traceparent\":\"");
  private static final byte[] USER = LogTexts.bytes(",\"user\":\"");
  private static final byte[] REQUEST_ID = LogTexts.bytes(",\"requestId\":\"");
  private static final byte[] REJECTION = LogTexts.bytes(",\"rejection\":\"");
  private static final byte[] REASON = LogTexts.bytes(",\"reason\":\"");
  private static final byte[] END = LogTexts.bytes("}\n");

  private static final byte[][] RUN_MODES = LogTexts.names(RunMode.values());
  private static final byte[][] OUTCOMES = LogTexts.names(Outcome.values());
  private static final byte[][] CLOSE_REASONS = LogTexts.names(CloseReason.values());
  private static final byte[][] REJECTIONS = LogTexts.names(Rejection.values());

  private final RequestValues request;
  private final LineTime time = LineTime.rfc3339();
  private final WallClock clock = new WallClock();

  JsonFormat(RequestValues request) {
    this.request = request;
  }

  @Override
  public void write(ExchangeInfo exchange, Line line) {
    long millis = clock.millis(exchange.beginNanos(), exchange.endNanos());
    writeTime(millis, line);
    line.length += exchange.copyRemoteAddress(line.bytes, line.length);
    RequestValues.method(exchange, line.text(METHOD), 6 + request.attributes());
    request.target(exchange, line.text(TARGET), 5 + request.attributes());
    facts(exchange, line.text(PROTOCOL).text(RequestValues.protocol(exchange.version())));
    fields(exchange, line);
    line.text(END);
  }

  private void writeTime(long millis, Line line) {
    time.write(millis, line.text(TIME));
    line.text(PEER);
  }

  /** Appends numbers and enums. */
  private static void facts(ExchangeInfo exchange, Line line) {
    boolean answered = exchange.status() != 0;
    line.character('"');
    if (answered) {
      line.text(STATUS).number(exchange.status());
    }
    int call = RpcStatus.code(exchange.attribute(RpcStatus.CODE));
    if (call != RpcStatus.NONE) {
      line.text(RPC_STATUS).number(call);
    }
    line.text(REQUEST_BYTES).number(exchange.requestContentBytes());
    line.text(RESPONSE_BYTES).number(exchange.responseContentBytes());
    line.text(DURATION).number(micros(exchange, exchange.endNanos()));
    if (answered) {
      line.text(FIRST_BYTE).number(micros(exchange, exchange.firstByteNanos()));
    }
    line.text(RUN_MODE).text(LogTexts.name(RUN_MODES, exchange.runMode()));
    Outcome outcome = exchange.outcome();
    if (outcome != null) { // as it is at the end
      line.text(OUTCOME).text(LogTexts.name(OUTCOMES, outcome));
    }
    line.character('"');
    CloseReason reason = exchange.closeReason();
    if (reason != null) {
      line.text(CLOSE_REASON).text(LogTexts.name(CLOSE_REASONS, reason)).character('"');
    }
  }

  private static long micros(ExchangeInfo exchange, long until) {
    return TimeUnit.NANOSECONDS.toMicros(until - exchange.beginNanos());
  }

  /** Appends the members with values of the application and the client. */
  private void fields(ExchangeInfo exchange, Line line) {
    String route = exchange.routeTemplate();
    if (route != null) {
      text(ROUTE, route, line, 4 + request.attributes());
    }
    text(USER, request.user(exchange), line, 5);
    text(REQUEST_ID, request.requestId(exchange), line, 4);
    int before = line.length;
    int host = exchange.copyHost(line.text(HOST).bytes, line.length);
    if (host > 0) {
      line.accept(host, 3);
    }
    end(host > 0, before, line);
    before = line.length;
    end(request.referer(exchange, line.text(REFERER), 2), before, line);
    field(USER_AGENT, KnownHeader.USER_AGENT, exchange, line, 1);
    field(TRACEPARENT, KnownHeader.TRACEPARENT, exchange, line, 0);
  }

  private static void text(byte[] member, String value, Line line, int later) {
    if (!value.isEmpty()) {
      line.text(member).value(value, later);
      line.character('"');
    }
  }

  private static void field(
      byte[] member, KnownHeader name, ExchangeInfo exchange, Line line, int later) {
    int before = line.length;
    end(RequestValues.field(exchange, name, line.text(member), later), before, line);
  }

  /** Ends a member, or removes its name again. */
  private static void end(boolean hasValue, int before, Line line) {
    if (hasValue) {
      line.character('"');
    } else {
      line.length = before;
    }
  }

  @Override
  public void write(RejectedRequest rejected, Line line) {
    long millis = clock.millis(rejected.nanos(), rejected.nanos());
    writeTime(millis, line);
    line.length += rejected.connection().copyRemoteAddress(line.bytes, line.length);
    line.character('"').text(STATUS).number(rejected.status());
    line.text(RESPONSE_BYTES).number(rejected.responseContentBytes());
    Rejection rule = rejected.rejection();
    if (rule != null) {
      line.text(REJECTION).text(LogTexts.name(REJECTIONS, rule)).character('"');
    }
    line.text(REASON).value(rejected.reason(), 0);
    line.character('"').text(END);
  }
}
