package dev.peregrine.server.exchange.state;

import dev.peregrine.base.DescriptorShortage;
import dev.peregrine.base.Log;
import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.HttpError;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Renders the content of error responses, and logs exceptions of handlers. One per event loop, on
 * its thread.
 */
public final class Errors {
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

  /** Returns the error for the client. It has a detail only if the failure was made for clients. */
  public static HttpError of(Throwable failure, @Nullable Request request) {
    boolean known = failure instanceof HttpException;
    int status = known ? ((HttpException) failure).status() : statusOf(failure);
    String detail = known ? failure.getMessage() : null;
    return new HttpError(status, HttpError.titleOf(status), detail, failure, request);
  }

  private static int statusOf(Throwable failure) {
    return DescriptorShortage.isCauseOf(failure) ? UNAVAILABLE : SERVER_ERROR;
  }

  /** Returns an error that the server itself detected. */
  public static HttpError of(int status, String detail, @Nullable Request request) {
    return new HttpError(status, HttpError.titleOf(status), detail, null, request);
  }

  /** Returns the content for an error that has no request; allocates nothing if it is plain. */
  public ErrorContent render(KnownError known) {
    return plain ? known.plain() : render(known.error());
  }

  /** Returns the content for an error. A renderer that throws is logged and replaced. */
  public ErrorContent render(HttpError error) {
    try {
      return Objects.requireNonNull(renderer.render(error), "the error renderer returned null");
    } catch (Throwable broken) {
      log.add("the error renderer failed", broken);
      return ErrorContent.plain(error);
    }
  }

  /** Logs an exception of a handler, unless it is the client's error. Never throws. */
  public void log(ReceivedHead request, Throwable failure) {
    if (failure instanceof HttpException known && isClients(known.status())) {
      Log.add(Level.DEBUG, "the handler rejected its request", failure);
    } else {
      log(request, "handler", failure);
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
  public void logLate(ReceivedHead request) {
    String text = "no response began in time, the client gets 503";
    try {
      text += ": " + request.describe();
    } catch (Throwable undescribed) {
      // The line is logged without the description.
    }
    log.warn(text);
  }

  /** Logs an exception of the application's code. Never throws, even when memory is exhausted. */
  public void log(ReceivedHead request, String what, Throwable failure) {
    String text = "the application failed";
    try {
      text = what + " failed: " + request.describe();
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
  public static boolean isClients(int status) {
    return status < SERVER_ERROR || status == NOT_IMPLEMENTED;
  }

  /** Logs an exception that isn't a fault of the application, because its exchange is over. */
  public static void logAfterEnd(Throwable failure) {
    Log.add(Level.DEBUG, "the application failed after its exchange was over", failure);
  }
}
