package dev.peregrine.server.accesslog;

import dev.peregrine.http.Outcome;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.RejectedRequest;
import java.time.ZoneId;

/** The common log format of NCSA, and the combined one, which has two or three fields more. */
final class NcsaFormat implements LineFormat {
  private static final byte[] NO_IDENTITY = LogTexts.bytes(" - ");
  private static final byte[] AFTER_REQUEST = LogTexts.bytes("\" ");
  private static final byte[] NO_REQUEST = LogTexts.bytes("-\" ");
  private static final byte[] BEFORE_FIELD = LogTexts.bytes(" \"");
  private static final byte[] NO_FIELD = LogTexts.bytes(" \"-\"");
  private static final int STATUS_DIGITS = 3;

  /** The status of a client that has left before its response, as nginx logs it. */
  private static final int CLIENT_GONE = 499;

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
    int ids = request.hasRequestId() ? 1 : 0;
    user(request.user(exchange), line);
    time.write(millis, line);
    RequestValues.method(exchange, line, 3 + ids);
    request.target(exchange, line.character(' '), 2 + ids);
    line.character(' ').text(RequestValues.protocol(exchange.version())).text(AFTER_REQUEST);
    end(status(exchange), exchange.responseContentBytes(), line);
    if (combined) {
      int before = line.length;
      orNone(request.referer(exchange, line.text(BEFORE_FIELD), 1 + ids), before, line);
      before = line.length;
      line.text(BEFORE_FIELD);
      orNone(RequestValues.field(exchange, KnownHeader.USER_AGENT, line, ids), before, line);
      requestId(exchange, line);
    }
    line.character('\n');
  }

  /** Appends the identity, which is never known, and the user. */
  private static void user(String user, Line line) {
    line.text(NO_IDENTITY);
    if (user.isEmpty()) {
      line.character('-');
    } else {
      RequestValues.word(user, line, 5);
    }
  }

  private void requestId(ExchangeInfo exchange, Line line) {
    if (request.hasRequestId()) {
      int before = line.length;
      String id = request.requestId(exchange);
      RequestValues.word(id, line.text(BEFORE_FIELD), 0);
      orNone(!id.isEmpty(), before, line);
    }
  }

  @Override
  public void write(RejectedRequest rejected, Line line) {
    long millis = clock.millis(rejected.nanos(), rejected.nanos());
    line.length += rejected.connection().copyRemoteAddress(line.bytes, line.length);
    user("", line);
    time.write(millis, line);
    end(rejected.status(), rejected.responseContentBytes(), line.text(NO_REQUEST));
    if (combined) {
      line.text(NO_FIELD).text(NO_FIELD);
      if (request.hasRequestId()) {
        line.text(NO_FIELD);
      }
    }
    line.character('\n');
  }

  private static void end(int status, long bytes, Line line) {
    line.digits(status, STATUS_DIGITS).character(' ').number(bytes);
  }

  /** Ends a field, or replaces what was begun by the sign for none. */
  private static void orNone(boolean written, int before, Line line) {
    if (written) {
      line.character('"');
    } else {
      line.length = before;
      line.text(NO_FIELD);
    }
  }

  private static int status(ExchangeInfo exchange) {
    int sent = exchange.status();
    return sent == 0 && isClientGone(exchange) ? CLIENT_GONE : sent;
  }

  /** Returns true if the client's reset or end kept the response from being sent. */
  private static boolean isClientGone(ExchangeInfo exchange) {
    if (exchange.outcome() != Outcome.ABORTED) {
      return false;
    }
    return switch (exchange.closeReason()) {
      case null -> true; // the connection goes on, so only the client can have ended the exchange
      case CLIENT_CLOSED, CLIENT_RESET, CLIENT_TOO_SLOW -> true;
      default -> false;
    };
  }
}
