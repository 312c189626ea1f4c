package dev.peregrine.server.exchange.message;

import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.HttpError;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.server.exchange.state.Errors;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.KnownError;
import dev.peregrine.server.observe.CloseReason;

/**
 * Fails an exchange: with an error response if none was begun, otherwise by the end of the stream.
 * Used in turns of the connection only.
 */
final class ExchangeFailure {
  private static final int CLIENT_ERROR = 400;
  private static final int TOO_MANY_REQUESTS = 429;

  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final ExchangeEnd ending;
  private final ResponseSender sender;
  private final Errors errors;

  ExchangeFailure(ExchangeState exchange, ExchangeEnd ending, ResponseSender sender) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.ending = ending;
    this.sender = sender;
    this.errors = exchange.context.errors;
  }

  /** See {@link ResponseSender#fail(Throwable)}. */
  void fail(Throwable failure) {
    boolean isAsync = exchange.use.isAsync();
    if (isAsync && exchange.answer.isSentWhole() && !progress.isHeadFixed()) {
      errors.log(exchange.head, failure);
    } else {
      fail(failure, !isAsync);
    }
  }

  /** See {@link ResponseSender#fail(Throwable, boolean)}. */
  void fail(Throwable failure, boolean owned) {
    exchange.use.markHeld(); // the code that has failed may have passed it on
    boolean over = progress.isOver();
    if (isClientsFault() || (over && sender.isEndedNow())) {
      Errors.logAfterEnd(failure);
    } else {
      errors.log(exchange.head, failure);
    }
    if (over) {
      return;
    }
    if (!(failure instanceof HttpException) || progress.isCommitted()) {
      ending.note(Outcome.FAILED);
    }
    if (failure instanceof OutOfMemoryError) {
      exchange.stream.shedLoad();
      if (progress.isCommitted()) {
        breakOff();
      } else {
        sendError(KnownError.OUT_OF_MEMORY);
      }
    } else {
      answer(Errors.of(failure, owned ? exchange.request() : null), owned);
    }
  }

  /** Responds with an error that the server has detected. */
  void refuse(int status, String detail) {
    boolean owned = !exchange.use.isAsync();
    answer(Errors.of(status, detail, owned ? exchange.request() : null), owned);
  }

  /**
   * Fails an exchange whose response is torn: one of its calls has thrown, and no later one has
   * ended it. The application may have caught that, and its client would wait for ever.
   */
  void endTorn() {
    if (progress.isFailing()) { // which was logged
      ending.note(Outcome.FAILED);
      breakOff();
    } else if (!progress.isOver()) {
      fail(new IllegalStateException("a call that was to send the response has failed"));
    }
  }

  private void answer(HttpError error, boolean owned) {
    if (!progress.isCommitted()) {
      sendError(error, owned);
    } else if (error.status() == TOO_MANY_REQUESTS) {
      exchange.stream.breakOff(CloseReason.CLIENT_TOO_SLOW);
    } else {
      breakOff();
    }
  }

  private void sendError(HttpError error, boolean owned) {
    try {
      sender.beginError(error.cause());
      ErrorContent rendered = errors.render(error);
      PreparedFields more = error.cause() instanceof HttpException known ? known.headers() : null;
      sender.sendError(error.status(), rendered, more, owned);
    } catch (Throwable unsent) {
      breakOff(); // not the next response instead
      throw unsent;
    }
  }

  /** Responds with an error that needs no memory. */
  private void sendError(KnownError known) {
    try {
      sender.beginError(null);
      ErrorContent rendered = errors.render(known);
      sender.sendError(known.error().status(), rendered, null, !exchange.use.isAsync());
    } catch (Throwable unsent) {
      breakOff();
      throw unsent;
    }
  }

  /** Ends the response before it is complete, so that the client can't take it for complete. */
  private void breakOff() {
    exchange.stream.breakOff(CloseReason.APPLICATION_FAILED);
  }

  /** See {@link ResponseSender#isClientsFault}. */
  boolean isClientsFault() {
    int status = sender.ownStatus();
    boolean isRejected = status >= CLIENT_ERROR && Errors.isClients(status);
    return progress.isAbandoned()
        || (progress.isOver() && (isRejected || progress.isContentBrokenOff()));
  }
}
