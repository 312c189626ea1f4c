package dev.peregrine.server.exchange;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.transport.Relieved;
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
  private final Exchange exchange;
  private final BlockingWork handler;
  private @Nullable Throwable failure; // of the handler

  private CarriedHandler(Exchange exchange, BlockingWork handler) {
    super(exchange.connection().turns(), exchange.context.handlerName());
    this.exchange = exchange;
    this.handler = handler;
  }

  /** Returns true if {@link #run} can be called in this turn. */
  static boolean isPossible(Exchange exchange) {
    return CarriedThreads.isAvailable() && !exchange.context.loop.owner().isPinned();
  }

  /**
   * Runs a handler until it ends or parks, in a turn; without the application's code around it.
   *
   * @throws Relieved if another thread has taken the loop meanwhile
   */
  static void run(Exchange exchange, BlockingWork handler) {
    exchange.connection().facts().keepAddresses();
    CarriedHandler run = new CarriedHandler(exchange, handler);
    exchange.firstStep.begin(run);
    try {
      run.begin();
    } catch (Relieved elsewhere) {
      exchange.use.onLeftReturn(null);
      throw elsewhere;
    } catch (Throwable failure) {
      exchange.firstStep.end();
      throw failure;
    }
    exchange.firstStep.end();
  }

  @Override
  protected void start() {
    super.start();
    exchange.work.begin(); // before the first step
  }

  @Override
  protected void work() {
    try {
      handler.run(exchange.watched ? System.nanoTime() : exchange.context.loop.nanos());
    } catch (Throwable thrown) {
      failure = thrown;
    }
  }

  @Override
  protected @Nullable Turn takeKept() {
    return exchange.firstStep.kept();
  }

  @Override
  protected void onParked() {
    exchange.firstStep.onParked();
  }

  @Override
  protected void onEnd() {
    Throwable thrown = failure;
    if (exchange.isAbandoned()) {
      exchange.work.endIfAbandoned();
    } else if (thrown != null) {
      exchange.work.drop(); // not end: what the handler has closed must not be completed
    } else {
      exchange.work.end();
      exchange.work.failIfForgotten();
    }
    if (thrown != null) {
      exchange.sender.fail(thrown, true);
    }
    exchange.use.onCarriedEnd();
  }
}
