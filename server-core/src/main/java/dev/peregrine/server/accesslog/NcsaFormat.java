package dev.peregrine.server.accesslog;

import dev.peregrine.http.Outcome;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.RejectedRequest;
import java.time.ZoneId;

/** The common log format of NCSA, and the combined one, which has two fields more. */
final class NcsaFormat implements LineFormat {
  private static final byte[] NO_USER = LogTexts.bytes(" - - [");
  private static final byte[] AFTER_TIME = LogTexts.bytes("] \"");
  private static final byte[] AFTER_REQUEST = LogTexts.bytes("\" ");
  private static final byte[] NO_REQUEST = LogTexts.bytes("-");
  private static final byte[] BEFORE_FIELD = LogTexts.bytes(" \"");
  private static final int STATUS_DIGITS = 3;

  /** The status of a client that has left before its response, as nginx logs it. */
  private static final int CLIENT_LEFT = 499;

  private final boolean combined;
  private final RequestValues request;
  private final LineTime time;
  private final WallClock clock = new WallClock();

  NcsaFormat(boolean combined, RequestValues request, ZoneId zone) {
    this.combined = combined;
    this.request = request;
    this.time = LineTime.ncsa(zone);
  }

  @Override
  public void write(ExchangeInfo exchange, Line line) {
    long millis = clock.millis(exchange.beginNanos(), exchange.endNanos());
    line.length += exchange.copyRemoteAddress(line.bytes, line.length);
    writeTime(millis, line);
    line.accept(exchange.copyMethod(line.bytes, line.length), 3);
    request.target(exchange, line.character(' '), 2);
    RequestValues.protocol(exchange.version(), line.character(' '));
    end(status(exchange), exchange.responseContentBytes(), line);
    if (combined) {
      line.text(BEFORE_FIELD);
      orNone(request.referer(exchange, line, 1), line);
      line.text(BEFORE_FIELD);
      orNone(RequestValues.field(exchange, KnownHeader.USER_AGENT, line, 0), line);
    }
    Line ignored = line.character('\n');
  }

  @Override
  public void write(RejectedRequest rejected, Line line) {
    long millis = clock.millis(rejected.nanos(), rejected.nanos());
    line.length += rejected.connection().copyRemoteAddress(line.bytes, line.length);
    writeTime(millis, line);
    end(rejected.status(), 0, line.text(NO_REQUEST));
    if (combined) {
      orNone(false, line.text(BEFORE_FIELD));
      orNone(false, line.text(BEFORE_FIELD));
    }
    Line ignored = line.character('\n');
  }

  private void writeTime(long millis, Line line) {
    time.write(millis, line.text(NO_USER));
    Line ignored = line.text(AFTER_TIME);
  }

  private static void end(int status, long bytes, Line line) {
    line.text(AFTER_REQUEST).digits(status, STATUS_DIGITS);
    Line ignored = line.character(' ').number(bytes);
  }

  private static void orNone(boolean written, Line line) {
    Line ignored = (written ? line : line.text(NO_REQUEST)).character('"');
  }

  private static int status(ExchangeInfo exchange) {
    int sent = exchange.status();
    return sent == 0 && hasLeft(exchange) ? CLIENT_LEFT : sent;
  }

  /** Returns true if the client's reset or end kept the response from being sent. */
  private static boolean hasLeft(ExchangeInfo exchange) {
    if (exchange.outcome() != Outcome.ABORTED) {
      return false;
    }
    return switch (exchange.closeReason()) {
      case null -> true; // the reset of a stream
      case CLIENT_CLOSED, CLIENT_RESET, CLIENT_TOO_SLOW -> true;
      default -> false;
    };
  }
}
