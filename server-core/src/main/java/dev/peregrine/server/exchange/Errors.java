package dev.peregrine.server.exchange;

import dev.peregrine.base.DescriptorShortage;
import dev.peregrine.base.Log;
import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.HttpError;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fails exchanges: with an error response if none was begun, otherwise by the end of the stream.
 * Logs exceptions of handlers. One per event loop, on its thread.
 */
public final class Errors {
  private static final int CLIENT_ERROR = 400;
  private static final int SERVER_ERROR = 500;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int UNAVAILABLE = 503;

  // Arbitrary. More than for rejected bytes, because each stack shows a defect of the application.
  private static final int LINES_PER_PERIOD_MAX = 100;

  private final ErrorRenderer renderer;
  private final boolean plain;
  private final BoundedLog log;
  private final BoundedLog shortages;

  Errors(ErrorRenderer renderer, EventLoop loop) {
    this.renderer = renderer;
    this.plain = renderer.equals(ErrorRenderer.PLAIN);
    this.log = new BoundedLog(loop, LINES_PER_PERIOD_MAX);
    this.shortages = new BoundedLog(loop, 1);
  }

  /** See {@link ResponseSender#fail}. */
  void fail(Exchange exchange, Throwable failure, boolean owned) {
    exchange.use.markHeld(); // the code that has failed may have passed it on
    boolean over = exchange.isOver();
    if (isClientsFault(exchange) || (over && exchange.sender.isEndedNow())) {
      logAfterEnd(failure);
    } else {
      log(exchange, failure);
    }
    if (over) {
      return;
    }
    if (!(failure instanceof HttpException) || exchange.isCommitted()) {
      exchange.ending.note(Outcome.FAILED);
    }
    if (failure instanceof OutOfMemoryError) {
      exchange.stream.shedLoad();
      if (!breakOffIfCommitted(exchange)) {
        sendError(exchange, KnownError.OUT_OF_MEMORY);
      }
    } else {
      answer(exchange, of(failure, owned ? exchange.request : null), owned);
    }
  }

  /** Responds with an error that the server has detected. */
  void refuse(Exchange exchange, int status, String detail) {
    boolean owned = !exchange.isAsync();
    answer(exchange, of(status, detail, owned ? exchange.request : null), owned);
  }

  /**
   * Fails an exchange whose response is torn: one of its calls has thrown, and no later one has
   * ended it. The application may have caught that, and its client would wait for ever.
   */
  void endTorn(Exchange exchange) {
    if (exchange.isFailing()) { // which was logged
      exchange.ending.note(Outcome.FAILED);
      exchange.sender.breakOff();
    } else if (!exchange.isOver()) {
      exchange.fail(new IllegalStateException("a call that was to send the response has failed"));
    }
  }

  private void answer(Exchange exchange, HttpError error, boolean owned) {
    if (!breakOffIfCommitted(exchange)) {
      sendError(exchange, error, owned);
    }
  }

  private static boolean breakOffIfCommitted(Exchange exchange) {
    boolean committed = exchange.isCommitted();
    if (committed) {
      exchange.sender.breakOff();
    }
    return committed;
  }

  private void sendError(Exchange exchange, HttpError error, boolean owned) {
    ResponseSender sender = exchange.sender;
    try {
      sender.beginError(error.cause());
      ErrorContent rendered = render(error);
      PreparedFields more = error.cause() instanceof HttpException known ? known.headers() : null;
      sender.sendError(error.status(), rendered, more, owned);
    } catch (Throwable unsent) {
      sender.breakOff(); // not the next response instead
      throw unsent;
    }
  }

  /** Responds with an error that needs no memory. */
  private void sendError(Exchange exchange, KnownError known) {
    ResponseSender sender = exchange.sender;
    try {
      sender.beginError(null);
      ErrorContent rendered = render(known);
      sender.sendError(known.error().status(), rendered, null, !exchange.isAsync());
    } catch (Throwable unsent) {
      sender.breakOff();
      throw unsent;
    }
  }

  /** Returns the error for the client. It has a detail only if the failure was made for clients. */
  static HttpError of(Throwable failure, @Nullable Request request) {
    boolean known = failure instanceof HttpException;
    int status = known ? ((HttpException) failure).status() : statusOf(failure);
    String detail = known ? failure.getMessage() : null;
    return new HttpError(status, HttpError.titleOf(status), detail, failure, request);
  }

  private static int statusOf(Throwable failure) {
    return DescriptorShortage.isCauseOf(failure) ? UNAVAILABLE : SERVER_ERROR;
  }

  /** Returns an error that the server itself detected. */
  static HttpError of(int status, String detail, @Nullable Request request) {
    return new HttpError(status, HttpError.titleOf(status), detail, null, request);
  }

  /** Returns the content for an error that has no request; allocates nothing if it is plain. */
  public ErrorContent render(KnownError known) {
    return plain ? known.plain() : render(known.error());
  }

  /** Returns the content for an error. A renderer that throws is logged and replaced. */
  ErrorContent render(HttpError error) {
    try {
      return Objects.requireNonNull(renderer.render(error), "the error renderer returned null");
    } catch (Throwable broken) {
      log.add("the error renderer failed", broken);
      return ErrorContent.plain(error);
    }
  }

  /** Logs an exception of a handler, unless it is the client's error. Never throws. */
  void log(Exchange exchange, Throwable failure) {
    if (failure instanceof HttpException known && isClients(known.status())) {
      Log.add(Level.DEBUG, "the handler rejected its request", failure);
    } else {
      log(exchange, "handler", failure);
    }
  }

  /** Logs in one line that descriptors are missing, as often as clients cause that. */
  private void logShortage(String text, Throwable failure) {
    String line = text;
    try {
      line += ": " + failure.getMessage() + "; " + DescriptorShortage.REMEDY;
    } catch (Throwable undescribed) {
      // The line is logged without the reason.
    }
    shortages.warn(line);
  }

  /** Logs a request whose response the application has not begun in time. Never throws. */
  void logLate(Exchange exchange) {
    String text = "no response began in time, the client gets 503";
    try {
      text += ": " + exchange.request.describe();
    } catch (Throwable undescribed) {
      // The line is logged without the description.
    }
    log.warn(text);
  }

  /** Logs an exception of the application's code. Never throws, even when memory is exhausted. */
  void log(Exchange exchange, String what, Throwable failure) {
    String text = "the application failed";
    try {
      text = what + " failed: " + exchange.request.describe();
    } catch (Throwable undescribed) {
      // The line is logged without the description.
    }
    if (failure instanceof HttpException known && isPlain(known)) {
      log.warn(text + ": " + known.getMessage());
    } else if (DescriptorShortage.isCauseOf(failure)) {
      logShortage(text, failure);
    } else {
      log.add(text, failure);
    }
  }

  /** Returns true for a fault of the server whose stack and cause were left out. */
  private static boolean isPlain(HttpException failure) {
    return failure.status() >= SERVER_ERROR
        && failure.getCause() == null
        && failure.getStackTrace().length == 0;
  }

  /**
   * Returns true if a status means a fault of the request; 501 does, because it answers an unknown
   * method.
   */
  private static boolean isClients(int status) {
    return status < SERVER_ERROR || status == NOT_IMPLEMENTED;
  }

  /**
   * Returns true if an exchange has failed because of its client: it has gone, its content was
   * broken off, or it got an error response about its request. What the application throws
   * afterwards follows from that, so that any client could fill the log with it.
   */
  static boolean isClientsFault(Exchange exchange) {
    int status = exchange.sender.ownStatus;
    boolean isRejected = status >= CLIENT_ERROR && isClients(status);
    return exchange.isAbandoned()
        || (exchange.isOver() && (isRejected || exchange.content.hasFailed()));
  }

  /** Logs an exception that isn't a fault of the application, because its exchange is over. */
  static void logAfterEnd(Throwable failure) {
    Log.add(Level.DEBUG, "the application failed after its exchange was over", failure);
  }
}
