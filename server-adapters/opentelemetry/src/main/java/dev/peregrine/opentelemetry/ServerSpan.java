package dev.peregrine.opentelemetry;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.context.CallContext;
import dev.peregrine.http.context.SpanAttributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.function.Consumer;

/**
 * The span of an exchange: current in each call of its handler, and ended with it. One object,
 * which is also the callback before the commit and at the end.
 */
final class ServerSpan implements CallContext, Runnable, Consumer<Outcome> {
  private final Request request;
  private final Response response;
  private final Span span;
  private final Context context;
  private int status; // that was sent; 0 before. The loop's.

  ServerSpan(Request request, Response response, Span span, Context context) {
    this.request = request;
    this.response = response;
    this.span = span;
    this.context = context;
  }

  @Override
  public void run(Call call) throws Exception {
    try (Scope _ = context.makeCurrent()) {
      call.run();
    } catch (Throwable failure) {
      boolean ofClient =
          failure instanceof HttpException known
              && known.status() < HttpStatus.INTERNAL_SERVER_ERROR.code();
      if (!ofClient) {
        span.recordException(failure);
      }
      throw failure;
    }
  }

  /** The head of the response is about to be sent. */
  @Override
  public void run() {
    status = response.status();
  }

  /** The exchange has ended. */
  @Override
  public void accept(Outcome outcome) {
    try {
      if (span.isRecording()) {
        describe(outcome);
      }
    } finally {
      span.end();
    }
  }

  private void describe(Outcome outcome) {
    String route = request.routeTemplate();
    if (route != null) {
      span.setAttribute("http.route", route);
      span.updateName(SpanAttributes.spanName(request));
    }
    if (status != 0) {
      span.setAttribute("http.response.status_code", status);
    }
    String error = SpanAttributes.errorType(status, outcome);
    if (error != null) {
      span.setAttribute("error.type", error);
      span.setStatus(StatusCode.ERROR);
    }
  }
}
