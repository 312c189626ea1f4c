package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.HttpHandler;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** Finds the context of each request, on the event loop, and gives it to the executor. */
final class ExchangeStarter implements Handler {
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;

  private final Contexts contexts;
  private final Options options;
  private final ExchangeCount exchanges;
  private final Supplier<ProgramExecutor> executors;
  private final boolean isSecure;

  /**
   * Creates a handler.
   *
   * @param exchanges counts those that it starts
   * @param executors returns the program's executor
   */
  ExchangeStarter(
      Contexts contexts,
      Options options,
      ExchangeCount exchanges,
      Supplier<ProgramExecutor> executors,
      boolean isSecure) {
    this.contexts = contexts;
    this.options = options;
    this.exchanges = exchanges;
    this.executors = executors;
    this.isSecure = isSecure;
  }

  @Override
  public void handle(Request request, Response response) {
    RequestTarget target = RequestTarget.of(request.target());
    Context context = contexts.find(target.path());
    if (context == null) {
      throw new HttpException(NOT_FOUND, "no context for this path");
    }
    HttpHandler handler = context.getHandler();
    if (handler == null) {
      throw new IllegalStateException("no handler is set for the context " + context.getPath());
    }
    response.async(Duration.ZERO); // a handler that runs isn't forgotten
    if (options.responseTime().isPositive()) {
      response.onLoopAfter(options.responseTime(), ExchangeStarter::onResponseLate);
    }
    ExchangeCore exchange =
        new ExchangeCore(request, response, target, context, options, exchanges);
    exchanges.begin();
    try {
      executors.get().execute(new ExchangeRun(exchange, handler, isSecure));
    } catch (RejectedExecutionException full) {
      exchange.reject();
    } catch (Throwable failure) {
      exchanges.end();
      throw failure;
    }
  }

  private static void onResponseLate() {
    throw new HttpException(UNAVAILABLE, "the response took longer than maxRspTime");
  }
}
