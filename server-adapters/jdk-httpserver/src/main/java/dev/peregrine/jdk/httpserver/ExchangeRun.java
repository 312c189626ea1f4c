package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Runs the filters, the authenticator and the handler of a context for one exchange. */
final class ExchangeRun implements Runnable {
  private final ExchangeCore core;
  private final HttpHandler handler;
  private final boolean isSecure;
  private final Thread loop = Thread.currentThread();

  /** Creates a run, on the event loop's thread. */
  ExchangeRun(ExchangeCore core, HttpHandler handler, boolean isSecure) {
    this.core = core;
    this.handler = handler;
    this.isSecure = isSecure;
  }

  /** Starts a virtual thread for the run. */
  void startVirtual() {
    Thread ignored = Thread.ofVirtual().name(loop.getName() + "-handler").start(this);
  }

  /** Gives the run to an executor on a virtual thread, where that may block. */
  void startVirtual(Executor executor) {
    Thread ignored =
        Thread.ofVirtual()
            .name(loop.getName() + "-executor")
            .start(
                () -> {
                  try {
                    executor.execute(this);
                  } catch (RejectedExecutionException full) {
                    core.reject();
                  } catch (Throwable failure) {
                    core.fail(failure);
                  }
                });
  }

  @Override
  public void run() {
    if (Thread.currentThread()
        .equals(loop)) { // an executor without threads: the loop must not block
      startVirtual();
      return;
    }
    try {
      doRun(isSecure ? new SecureExchange(core) : new PlainExchange(core));
    } catch (Throwable failure) {
      core.fail(failure);
      if (failure instanceof VirtualMachineError error) {
        throw error;
      }
      return;
    }
    core.afterHandler();
  }

  private void doRun(HttpExchange exchange) throws IOException {
    List<Filter> filters = core.context().getFilters();
    if (filters.isEmpty()) {
      authenticate(exchange);
    } else {
      new Filter.Chain(filters, this::authenticate).doFilter(exchange);
    }
  }

  private void authenticate(HttpExchange exchange) throws IOException {
    Authenticator authenticator = core.context().getAuthenticator();
    if (authenticator == null) {
      handler.handle(exchange);
      return;
    }
    Authenticator.@Nullable Result result = authenticator.authenticate(exchange);
    switch (result) {
      case Authenticator.Success success -> {
        core.setPrincipal(success.getPrincipal());
        handler.handle(exchange);
      }
      case Authenticator.Retry retry -> refuse(exchange, retry.getResponseCode());
      case Authenticator.Failure failure -> refuse(exchange, failure.getResponseCode());
      case null, default ->
          throw new IOException("the authenticator returned " + result + ", which is no result");
    }
  }

  /** Sends the status, after the content, because a client may send all of that first. */
  private static void refuse(HttpExchange exchange, int status) throws IOException {
    try (InputStream content = exchange.getRequestBody()) {
      long ignored = content.skip(Long.MAX_VALUE);
    }
    exchange.sendResponseHeaders(status, -1);
  }
}
