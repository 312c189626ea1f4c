package dev.peregrine.server.exchange.run;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.loop.Relieved;
import dev.peregrine.server.turn.CarriedWork;
import dev.peregrine.server.turn.Turn;
import org.jspecify.annotations.Nullable;

/**
 * A blocking handler on a virtual thread that the event loop carries. While its first step lasts,
 * the loop waits for it, so the exchange needs nothing that async exchanges need: if the handler
 * ends without having parked, its exchange ends like that of a handler on the loop. When it parks
 * first, the exchange becomes async.
 *
 * <p>The handler's calls are those of another thread all the time: the loop does after each step
 * what they ask for. In the first step it is kept by {@link FirstStep} or queued without a
 * hand-over, later it is tasks of the connection.
 */
final class CarriedHandler extends CarriedWork {
  private final ExchangeState exchange;
  private final HandlerRun run;
  private final BlockingWork handler;
  private @Nullable Throwable failure; // of the handler

  private CarriedHandler(ExchangeState exchange, HandlerRun run, BlockingWork handler) {
    super(exchange.connection().turns(), exchange.context.handlerName());
    this.exchange = exchange;
    this.run = run;
    this.handler = handler;
  }

  /**
   * Runs a handler until it ends or parks, in a turn; without the application's code around it. If
   * that is impossible, fails the exchange and returns false.
   *
   * @throws Relieved if another thread has taken the loop meanwhile
   */
  static boolean run(ExchangeState exchange, HandlerRun run, BlockingWork handler) {
    try {
      exchange.connection().facts().keepAddresses();
      CarriedHandler carried = new CarriedHandler(exchange, run, handler);
      run.firstStep.begin(carried);
      carried.begin();
    } catch (Relieved elsewhere) {
      run.onLeftReturn(null);
      throw elsewhere;
    } catch (Throwable failure) {
      run.firstStep.end();
      run.sender.fail(failure);
      return false;
    }
    run.firstStep.end();
    return true;
  }

  @Override
  protected void start() {
    super.start();
    run.work.begin(); // before the first step
  }

  @Override
  protected void work() {
    try {
      handler.run(run.ending.isWatched() ? System.nanoTime() : exchange.context.loop.nanos());
    } catch (Throwable thrown) {
      failure = thrown;
    }
  }

  @Override
  protected @Nullable Turn takeKept() {
    return run.firstStep.kept();
  }

  @Override
  protected void onParked() {
    if (exchange.use.isAsync()) {
      return;
    }
    try {
      run.turns().async();
      exchange.limit.within(0); // a handler that runs isn't forgotten
    } catch (Throwable noMemory) {
      exchange.head.drop(); // otherwise the handler would read another request
      exchange.use.setAsync();
      throw noMemory;
    }
  }

  @Override
  protected void onEnd() {
    Throwable thrown = failure;
    if (exchange.progress.isAbandoned()) {
      run.work.endIfAbandoned();
    } else if (thrown != null) {
      run.work.drop(); // not end: what the handler has closed must not be completed
    } else {
      run.work.end();
      run.work.failIfForgotten();
    }
    if (thrown != null) {
      run.sender.fail(thrown, true);
    }
    run.onCarriedEnd();
  }
}
